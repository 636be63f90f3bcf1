/** Whether the control that had the focus was removed or disabled, which leaves the focus on nothing. */
const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** The last button or link, which is what a row of buttons is for. */
export const lastControl = (within: HTMLElement | null): HTMLElement | undefined =>
  [...(within?.querySelectorAll<HTMLElement>('button:enabled, a[href]') ?? [])].at(-1);

/** If the focus is lost, gives it to the first of these elements that can have it. */
export function keepFocus(...wanted: readonly (Element | null | undefined)[]): void {
  if (!isLost()) return;
  const found = wanted.find((one) => one?.isConnected && !one.matches(':disabled, body'));
  if (found instanceof HTMLElement) found.focus({ preventScroll: true });
}

/** Where the focus goes from a control that is gone. */
export const pageContent = (): HTMLElement | null => document.querySelector<HTMLElement>('#content');
