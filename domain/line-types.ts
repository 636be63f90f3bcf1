export const lineTypes = ['PREPAID', 'POSTPAID', 'HYBRID'] as const;
export type LineType = (typeof lineTypes)[number];

/** Asked for before a hybrid line pays a bill: whether it has one. */
export const hybridPostpaidCheck = 'HYBRID_POSTPAID_CHECK';

/** What a line is asked about for: the specification's names of the flows. */
export type LineRequest = 'PREPAID RECHARGE' | 'POSTPAID BILL PAYMENT' | 'BUNDLE PURCHASE' | 'Broadband Recharge';

/** What the lead of someone with another operator's number carries. */
export const foreignLineType = 'INVALID';
