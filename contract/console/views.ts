import { oneLine } from '@portal/domain/printable.ts';
import { z } from 'zod';
import { defineConsoleCall } from './define-console-call.ts';
import { type ViewPage, viewFilters } from './view-filters.ts';

/** Limit for one person, all pages together. */
export const mostViews = 20;

const page = z.enum(Object.keys(viewFilters) as [ViewPage, ...ViewPage[]]);
const filters = z.record(z.string().max(20), z.string().min(1).max(200));

export const viewCalls = {
  views: defineConsoleCall({
    summary: 'The filters of a list that the person who asks has named',
    permission: null,
    query: z.object({ page }),
    result: z.array(z.object({ id: z.string(), name: z.string(), filters })),
  }),
  saveView: defineConsoleCall({
    summary: 'Keeps filters under a name, instead of what had that name; at most twenty',
    permission: null,
    body: z
      .object({ page, name: z.string().overwrite(oneLine).min(1).max(60), filters })
      .refine(({ page: of, filters: given }) =>
        Object.keys(given).every((name) => (viewFilters[of] as readonly string[]).includes(name)),
      ),
    result: z.object({ id: z.string() }),
  }),
  removeView: defineConsoleCall({
    summary: 'Forgets a name and its filters',
    permission: null,
    body: z.object({ id: z.string().max(100) }),
    result: z.null(),
  }),
};
