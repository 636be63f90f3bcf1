import { type RefObject, useLayoutEffect } from 'react';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * Text typed or options chosen before the script arrived are in the DOM but not in React's state: hydration fires no
 * change event for them, and the next render would overwrite them. This fires the event that was missed.
 */
function replay(control: Control) {
  const raise = (type: string) => control.dispatchEvent(new Event(type, { bubbles: true }));
  if (control instanceof HTMLSelectElement) {
    if (control.selectedOptions[0]?.defaultSelected === false) raise('change');
    return;
  }
  const ticks = control.type === 'radio' || control.type === 'checkbox';
  const key = ticks ? 'checked' : 'value';
  const { [key]: early, [ticks ? 'defaultChecked' : 'defaultValue']: rendered } = control as HTMLInputElement;
  if (early === rendered || (control.type === 'radio' && !early)) return;
  // React tracks assignments to the node's value and drops events without a change; the prototype's setter bypasses
  // that.
  Object.assign(control, { [key]: rendered });
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), key)?.set?.call(control, early);
  raise(ticks ? 'click' : 'input');
}

export function useEarlyInput(ref: RefObject<Control | null>) {
  useLayoutEffect(() => {
    if (ref.current) replay(ref.current);
  }, [ref]);
}
