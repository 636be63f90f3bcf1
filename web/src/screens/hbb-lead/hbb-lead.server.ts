import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { fetchLead, type LeadLoaded } from './lead-order.ts';

export async function load(context: LoadContext): Promise<Loaded<LeadLoaded>> {
  return { loaded: { language: context.language.code, answer: await fetchLead(context.api, context) } };
}
