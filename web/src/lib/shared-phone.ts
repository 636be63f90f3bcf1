import { deviceKeys } from './device-keys.ts';
import { withoutNames } from './personal-address.ts';
import { session } from './session.ts';
import { deviceStore, sessionStore } from './storage.ts';

export const isPhoneShared = (): boolean => deviceStore.readText(deviceKeys.shared) !== null;

/** Whether the phone was declared shared after this page was requested, so that the page may show personal data. */
export const isSharedSinceRequest = (): boolean =>
  Number(deviceStore.readText(deviceKeys.shared)) > performance.timeOrigin;

/** Listened to by the lazy script that clears caches and history. */
export const sharedPhoneEvent = 'sharedphone';

/** On a shared phone nothing is stored from now on, and what was stored is deleted at once. */
export function setPhoneShared(isShared: boolean): void {
  if (isShared) {
    deviceStore.writeText(deviceKeys.shared, String(Date.now()));
    deviceStore.forgetWhere((key) => key !== deviceKeys.shared);
    forgetTab();
  } else deviceStore.remove(deviceKeys.shared);
  window.dispatchEvent(new Event(sharedPhoneEvent));
}

export function forgetTab(): void {
  sessionStore.forgetWhere((key) => key !== session.language.key);
}

/** Going back on a shared phone shows the page without what the previous person entered. */
export function leaveNoNamesBehind(isBack: boolean): void {
  if (!isBack || !isPhoneShared() || session.order.read()) return;
  const clean = withoutNames(window.location.href);
  if (clean) window.location.replace(clean);
}
