/** Outcomes of payments for statistics: where people left, and what they got. */
export const paymentEndings = ['delivered', 'left', 'notApproved', 'failed', 'givenBack', 'open'] as const;
export type PaymentEnding = (typeof paymentEndings)[number];
