import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { type LeadLoaded, loadLead } from './lead-order.ts';

export async function load({ api, operator, language }: LoadContext): Promise<Loaded<LeadLoaded | null>> {
  return { loaded: await loadLead(api, { operator, language }) };
}
