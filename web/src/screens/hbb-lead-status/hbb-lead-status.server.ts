import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { type Tracking, trackLead } from './lead-tracking.ts';

export async function load({ api, query }: LoadContext): Promise<Loaded<Tracking>> {
  const tracking = await trackLead(api, query.id ?? '');
  return { loaded: tracking, ...(tracking.id ? { noindex: true } : {}) };
}
