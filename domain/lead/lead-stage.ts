/** How far customer care is with a lead; what the CRM says of it (LeadStatus) moves it too. */
export const leadStages = ['new', 'contacted', 'installed', 'lost'] as const;
export type LeadStage = (typeof leadStages)[number];

/** What customer care may note about a lead. */
export const noteText = { least: 3, most: 1_000 } as const;

/** Enough of a name to tell one row from another. */
export const maskName = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${[...word][0]}.`)
    .join(' ');
