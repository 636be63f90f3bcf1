import { type RefObject, useLayoutEffect } from 'react';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/**
 * What was typed or chosen before the script arrived is in the page but not in any state: hydration raises no change
 * event for it, and the next render would wipe it. Raise the event that the person's own hand raised too early.
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
  // React notes every assignment to the node and drops an event without a change since; the prototype's setter is unnoticed.
  Object.assign(control, { [key]: rendered });
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), key)?.set?.call(control, early);
  raise(ticks ? 'click' : 'input');
}

export function useEarlyInput(ref: RefObject<Control | null>) {
  useLayoutEffect(() => {
    if (ref.current) replay(ref.current);
  }, [ref]);
}
