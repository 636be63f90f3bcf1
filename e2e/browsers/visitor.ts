import { setTimeout as sleep } from 'node:timers/promises';
import { patience } from '../../scripts/patience.ts';

/** What a driver of any browser can do; the rest of a visit is made of it. */
export interface Driver {
  open(address: string): Promise<void>;
  address(): Promise<string>;
  /** The first element that the page's own function finds, or null. */
  find(source: string, kind: Kind, name: string): Promise<Handle | null>;
  close(): Promise<void>;
}

export interface Handle {
  click(): Promise<void>;
  type(text: string): Promise<void>;
}

export type Kind = 'script' | 'field' | 'tick' | 'button' | 'link' | 'option' | 'heading' | 'text' | 'compact';

/** Runs in the page: what a person would call by that name, in the dialog or else the page itself, shown and not switched off. */
const finder = `(kind, name) => {
  const wanted = new RegExp(name);
  if (kind === 'script') return document.querySelector('html[data-hydrated]');
  const root = [...document.querySelectorAll('dialog[open]')].pop() ?? document.querySelector('main');
  // A dialog as tall as its content: in one that is stretched, the buttons grow as well.
  if (kind === 'compact')
    return root.matches('dialog') && [...root.querySelectorAll('button')].every((node) => node.offsetHeight < 80) ? root : null;
  const words = (node) => (node.getAttribute('aria-label') ?? node.innerText ?? '').replace(/\\s+/g, ' ').trim();
  const labels = (node) => [...(node.labels ?? [])].map(words).concat(node.getAttribute('aria-label') ?? []);
  const isShown = (node) => node.getClientRects().length > 0 && !node.disabled;
  const all = (selector) => [...root.querySelectorAll(selector)].filter(isShown);
  if (kind === 'field')
    return all('input, select, textarea').find((node) => labels(node).some((label) => wanted.test(label))) ?? null;
  // People press the words beside a box or a dot.
  if (kind === 'tick')
    return all('label').find((node) => node.control?.matches('[type=radio], [type=checkbox]') && wanted.test(words(node))) ?? null;
  const selectors = { button: 'button, [role=button]', link: 'a[href]', option: '[role=option]', heading: 'h1, h2, h3', text: ':not(:has(*))' };
  return all(selectors[kind]).find((node) => wanted.test(words(node))) ?? null;
}`;

export interface Visitor {
  open(path: string): Promise<void>;
  type(label: string, text: string): Promise<void>;
  tick(label: string): Promise<void>;
  press(kind: 'button' | 'link' | 'option', name: string): Promise<void>;
  sees(kind: Kind, name: string): Promise<void>;
  address(): Promise<string>;
}

/** Somebody with that browser: finds things by their names, and waits for them as people do. */
export function createVisitor(driver: Driver, origin: string): Visitor {
  async function act(kind: Kind, name: string, what: (handle: Handle) => Promise<void>): Promise<void> {
    const until = Date.now() + patience(30_000);
    let problem: unknown = 'it is not there';
    while (Date.now() < until) {
      try {
        const handle = await driver.find(finder, kind, name);
        if (handle) return await what(handle);
      } catch (error) {
        // The page may have changed between looking and pressing.
        problem = error;
      }
      await sleep(100);
    }
    throw new Error(`No ${kind} "${name}" at ${await driver.address()}: ${problem}`);
  }
  const click = (handle: Handle) => handle.click();
  return {
    async open(path) {
      await driver.open(`${origin}${path}`);
      await act('script', '', async () => {});
    },
    address: () => driver.address(),
    type: (label, text) => act('field', label, (handle) => handle.type(text)),
    tick: (label) => act('tick', label, click),
    press: (kind, name) => act(kind, name, click),
    sees: (kind, name) => act(kind, name, async () => {}),
  };
}
