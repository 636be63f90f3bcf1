const words = { POSTPAID: 'recharge.postpaidLine', HYBRID: 'recharge.hybridLine' };

/** Why a line cannot be recharged here: what it is, and how it is paid. */
export const billedLineKey = (lineType: string): string => (lineType === 'HYBRID' ? words.HYBRID : words.POSTPAID);
export const isBilledLine = (error: object | undefined): boolean =>
  error !== undefined && 'key' in error && (error.key === words.POSTPAID || error.key === words.HYBRID);
