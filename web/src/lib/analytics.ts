import type { BodyOf } from '@portal/contract/contract.ts';
import type { Api } from './api.ts';

type PortalEvent = BodyOf<'recordEvent'>;

/** A visitor who asks not to be tracked is not counted either. */
function wantsQuiet(): boolean {
  const { doNotTrack, globalPrivacyControl } = navigator as Navigator & { globalPrivacyControl?: boolean };
  return doNotTrack === '1' || globalPrivacyControl === true;
}

/** To our own counts, and to the layer of a third party where the operator has put one on the page. Nobody waits for it. */
export function recordEvent(api: Api, event: PortalEvent): void {
  if (wantsQuiet()) return;
  void api('recordEvent', { body: event });
  (window as { dataLayer?: unknown[] }).dataLayer?.push(event);
}

/** What found nothing in the help, for whoever writes the answers. */
export function recordSearch(api: Api, text: string): void {
  if (!wantsQuiet()) void api('recordSearch', { body: { text } });
}
