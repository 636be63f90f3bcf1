/** Delays of an external system according to its contract, in seconds; defaults apply to what is not set. */
export interface Terms {
  lag?: number | undefined;
  lateMoneyTerm?: number | undefined;
}

/** Only the terms that are set, to spread into a gateway. */
export const termsOf = ({ lag, lateMoneyTerm }: Terms): { lag?: number; lateMoneyTerm?: number } => ({
  ...(lag === undefined ? {} : { lag }),
  ...(lateMoneyTerm === undefined ? {} : { lateMoneyTerm }),
});
