export const lineTypes = ['PREPAID', 'POSTPAID', 'HYBRID'] as const;
export type LineType = (typeof lineTypes)[number];

/** The request type that checks whether a hybrid line has a bill. */
export const hybridPostpaidCheck = 'HYBRID_POSTPAID_CHECK';

/** Why a line is looked up: the specification's names of the flows. */
export type LineRequest = 'PREPAID RECHARGE' | 'POSTPAID BILL PAYMENT' | 'BUNDLE PURCHASE' | 'Broadband Recharge';

/** The line type in the lead of a customer with another operator's number. */
export const foreignLineType = 'INVALID';
