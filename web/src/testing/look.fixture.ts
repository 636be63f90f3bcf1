import { fireEvent, waitFor } from '@testing-library/react';
import { expect } from 'vitest';

// Collected in one pass over the page: Testing Library's queries compute labels and styles of every element, which took
// more than half of a test's time.

const textOf = (node: Node) => (node.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
const all = (tag: string, within: Element | Document = document) => [...within.getElementsByTagName(tag)];
const agrees = (text: string, wanted: string | RegExp) =>
  typeof wanted === 'string' ? text === wanted : wanted.test(text);
const nameOf = (element: Element) => element.getAttribute('aria-label') ?? textOf(element);

/** Neither it nor an ancestor is hidden, according to the markup. */
const isThere = (element: Element) => element.closest('[hidden],dialog:not([open])') === null;

function only<T>(found: T[], what: string): T {
  const [one] = found;
  if (found.length !== 1 || one === undefined)
    throw new Error(`${found.length} are ${what} in: ${textOf(document.body).slice(0, 3_000)}`);
  return one;
}

/** The control with this label. */
export function field(label: string | RegExp): HTMLInputElement {
  const labelled = all('label')
    .filter((one) => agrees(textOf(one), label) && isThere(one))
    .map((one) => (one as HTMLLabelElement).control);
  const named = ['input', 'select', 'textarea']
    .flatMap((tag) => all(tag))
    .filter((one) => agrees(one.getAttribute('aria-label') ?? '', label));
  return only([...labelled, ...named].filter(Boolean), `called ${label}`) as HTMLInputElement;
}

const controls = (tag: string, name: string | RegExp, within?: Element) =>
  all(tag, within).filter((one) => agrees(nameOf(one), name) && isThere(one));

export const buttons = (name: string | RegExp, within?: Element) =>
  controls('button', name, within) as HTMLButtonElement[];
export const button = (name: string | RegExp, within?: Element) =>
  only(buttons(name, within), `a button ${name}`) as HTMLButtonElement;
export const link = (name: string | RegExp, within?: Element) =>
  only(controls('a', name, within), `a link ${name}`) as HTMLAnchorElement;

export const main = () => document.getElementById('main') as HTMLElement;

/** Whether a visible element has exactly this text. */
export function says(text: string | RegExp, within: Element = document.body): boolean {
  for (const element of within.getElementsByTagName('*'))
    if (element.firstChild && isThere(element) && agrees(textOf(element), text)) return true;
  return false;
}

/** Waits for a visible element with this text. */
export const seen = (text: string | RegExp, within?: Element) =>
  waitFor(() =>
    expect(says(text, within), `${text} in: ${textOf(within ?? document.body).slice(0, 3_000)}`).toBe(true),
  );

/** The value beside a label in a list of facts. */
export const fact = (label: string) =>
  textOf(
    only(
      all('dt').filter((one) => textOf(one) === label),
      `a fact ${label}`,
    ).nextElementSibling as Element,
  );

/** All at once, like a browser's autofill. */
export const fill = (control: HTMLElement, value: string) => fireEvent.input(control, { target: { value } });
/** The focus goes elsewhere: what was typed is finished. */
export const leave = (control: HTMLElement) => fireEvent.blur(control);
export const press = (control: HTMLElement) => fireEvent.click(control);
