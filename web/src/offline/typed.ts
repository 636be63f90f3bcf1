import { useEffect } from 'react';
import { isPhoneShared } from '../lib/shared-phone.ts';
import { sessionStore } from '../lib/storage.ts';

/** Deleted with an order, too (`forgetOrders`). Declared here, because the session's keys are in the entry script. */
const key = 'typed';

/** An allowlist, so that no PIN, code or question is ever stored. */
const names = ['msisdn', 'amount', 'accountNo', 'email', 'emailId', 'paymentMobile'];
const fields = `form[method="post"] :is(${names.map((name) => `[name="${name}"]`)}):not([type=hidden], [readonly])`;

interface Typed {
  value: string;
  /** The value that the page itself had set; a reload sets it again. */
  over: string;
}

interface TypedPage {
  path: string;
  byField: Record<string, Typed>;
}

/** A name may occur twice on a page. */
function fieldsOnPage(): [string, HTMLInputElement][] {
  const found = [...document.querySelectorAll<HTMLInputElement>(fields)];
  return found.map((field, place) => {
    const earlier = found.slice(0, place).filter(({ name }) => name === field.name);
    return [`${field.name} ${earlier.length}`, field];
  });
}

/** Through the native setter: React tracks assignments to the node's value and drops events without a change. */
function type(field: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

const isReload = () =>
  (performance.getEntriesByType('navigation') as PerformanceNavigationTiming[])[0]?.type === 'reload';

/** Stores the input of this page for a reload in this tab; another page or a new visit deletes it. */
function keepTyped(path: string): () => void {
  const kept = sessionStore.read<TypedPage>(key);
  const isSamePage = kept?.path === path && isReload() && !isPhoneShared();
  if (!isSamePage) sessionStore.remove(key);
  const byField = isSamePage ? kept.byField : {};
  const waiting = new Set(Object.keys(byField));
  const given = new WeakMap<Element, string>();

  function see() {
    for (const [id, field] of fieldsOnPage()) {
      if (!given.has(field)) given.set(field, field.value);
      const typed = byField[id];
      if (!typed || !waiting.delete(id)) continue;
      given.set(field, typed.over);
      // Input from before this script loaded is newer.
      if (field.value !== typed.value && ['', typed.over].includes(field.value)) type(field, typed.value);
    }
  }
  function keep(field: EventTarget | null) {
    const [id] = fieldsOnPage().find((each) => each[1] === field) ?? [];
    if (!id || isPhoneShared()) return;
    const { value } = field as HTMLInputElement;
    waiting.delete(id);
    // Read again: it is deleted when the phone is declared shared.
    const stored = sessionStore.read<TypedPage>(key)?.byField;
    const typed = { ...stored, [id]: { value, over: given.get(field as Element) ?? '' } };
    sessionStore.write(key, { path, byField: typed } satisfies TypedPage);
  }

  const onTyped = ({ target }: Event) => keep(target);
  // Typed before this script loaded, and reloaded without leaving the field.
  const onLeave = () => keep(document.activeElement);
  // A part of the form may be rendered after the page.
  const later = new MutationObserver(see);
  see();
  later.observe(document.body, { childList: true, subtree: true });
  document.addEventListener('input', onTyped);
  document.addEventListener('change', onTyped);
  window.addEventListener('pagehide', onLeave);
  return () => {
    later.disconnect();
    document.removeEventListener('input', onTyped);
    document.removeEventListener('change', onTyped);
    window.removeEventListener('pagehide', onLeave);
  };
}

export function useTypedKept(path: string): void {
  useEffect(() => keepTyped(path), [path]);
}
