export const leadStatuses = ['SUBMITTED', 'NOT_FEASIBLE', 'PAID', 'SCHEDULED', 'INSTALLED', 'CLOSED'] as const;
export type LeadStatus = (typeof leadStatuses)[number];

const later = { SUBMITTED: 0, NOT_FEASIBLE: 0, PAID: 1, SCHEDULED: 2, INSTALLED: 3, CLOSED: 4 } as const;

/** A lead only moves forward: an update that arrives late is ignored. */
export function isLater(next: LeadStatus, current: LeadStatus): boolean {
  return later[next] > later[current];
}
