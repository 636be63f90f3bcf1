import type { ResultOf } from '@portal/contract/contract.ts';

type Entry = ResultOf<'queryBalance'>['queryBalanceResult'][number];

/** The airtime a line can pay with; an unlimited balance covers every amount. */
export function airtimeOf(entries: readonly Entry[]): number {
  return entries
    .filter(({ serviceType }) => serviceType === 'AIRTIME')
    .reduce(
      (sum, { balance, balanceType }) => sum + (balanceType === 'unlimited' ? Number.POSITIVE_INFINITY : balance),
      0,
    );
}
