import { deviceKeys } from './device-keys.ts';
import { withoutNames } from './personal-address.ts';
import { session } from './session.ts';
import { deviceStore, sessionStore } from './storage.ts';

export const isPhoneShared = (): boolean => deviceStore.readText(deviceKeys.shared) !== null;

/** Heard by what cleans caches and history, which comes in a script of its own. */
export const sharedPhoneEvent = 'sharedphone';

/** On a shared phone nothing is kept from here on, and what was kept goes at once. */
export function setPhoneShared(isShared: boolean): void {
  if (isShared) {
    deviceStore.writeText(deviceKeys.shared, '1');
    deviceStore.forgetWhere((key) => key !== deviceKeys.shared);
    forgetTab();
  } else deviceStore.remove(deviceKeys.shared);
  window.dispatchEvent(new Event(sharedPhoneEvent));
}

export function forgetTab(): void {
  sessionStore.forgetWhere((key) => key !== session.language.key);
}

/** Somebody who goes back on a shared phone finds the page, and not what the person before asked it. */
export function leaveNoNamesBehind(isBack: boolean): void {
  if (!isBack || !isPhoneShared() || session.order.read()) return;
  const clean = withoutNames(window.location.href);
  if (clean) window.location.replace(clean);
}
