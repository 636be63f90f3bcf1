import type { LoadContext, Loaded } from '../../lib/screen.ts';
import { loadLead } from './lead-order.ts';

export async function load({
  api,
  operator,
  language,
}: LoadContext): Promise<Loaded<Awaited<ReturnType<typeof loadLead>>>> {
  return { loaded: await loadLead(api, { operator, language }) };
}
