/** What became of a payment, as far as it matters to who looks at many: where people left, and what they got. */
export const paymentEndings = ['delivered', 'left', 'notApproved', 'failed', 'givenBack', 'open'] as const;
export type PaymentEnding = (typeof paymentEndings)[number];
