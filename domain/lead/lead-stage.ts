/** Customer care's progress with a lead. The status from the CRM (LeadStatus) changes it too. */
export const leadStages = ['new', 'contacted', 'installed', 'lost'] as const;
export type LeadStage = (typeof leadStages)[number];

/** Length limits of a note about a lead. */
export const noteText = { least: 3, most: 1_000 } as const;

/** Enough of a name to tell rows apart. */
export const maskName = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => `${[...word][0]}.`)
    .join(' ');
