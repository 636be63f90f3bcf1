import type { BodyOf } from '@portal/contract/contract.ts';
import type { Api } from './api.ts';

type PortalEvent = BodyOf<'recordEvent'>;

/** Visitors who ask not to be tracked are not counted. */
function wantsQuiet(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}

/** To our own counters, and to a third party's data layer where the operator has added one. Fire and forget. */
export function recordEvent(api: Api, event: PortalEvent): void {
  if (wantsQuiet()) return;
  void api('recordEvent', { body: event });
  (window as { dataLayer?: unknown[] }).dataLayer?.push(event);
}

/** Help searches without results, for the editors. */
export function recordSearch(api: Api, text: string): void {
  if (!wantsQuiet()) void api('recordSearch', { body: { text } });
}
