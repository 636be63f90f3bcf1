/** Lists with filters, and their filters. Search text for a person is none of them. */
export const viewFilters = {
  find: ['state', 'way', 'amount', 'from', 'fromTime', 'until', 'untilTime'],
  audit: ['person', 'act', 'about', 'from', 'day'],
  leads: ['stage', 'assigned'],
} as const;
export type ViewPage = keyof typeof viewFilters;
