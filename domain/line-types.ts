export const lineTypes = ['PREPAID', 'POSTPAID', 'HYBRID'] as const;
export type LineType = (typeof lineTypes)[number];

/** What the lead of someone with another operator's number carries. */
export const foreignLineType = 'INVALID';
