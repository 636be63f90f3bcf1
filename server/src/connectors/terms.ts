/** How a system outside behaves in time, as its contract says; what is not set is the usual. In seconds. */
export interface Terms {
  lag?: number | undefined;
  lateMoneyTerm?: number | undefined;
}

/** For a gateway to carry along. */
export const termsOf = ({ lag, lateMoneyTerm }: Terms): { lag?: number; lateMoneyTerm?: number } => ({
  ...(lag === undefined ? {} : { lag }),
  ...(lateMoneyTerm === undefined ? {} : { lateMoneyTerm }),
});
