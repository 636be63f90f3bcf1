import type { ResultOf } from '@portal/contract/contract.ts';

export type Balance = ResultOf<'queryBalance'>['queryBalanceResult'][number];

export interface BalanceGroup {
  kind: 'DATA' | 'AIRTIME';
  balances: Balance[];
}

const expiry = ({ expireTime }: Balance) => (expireTime ? Date.parse(expireTime) : Number.POSITIVE_INFINITY);

/** Bundles and airtime apart; within each, the earliest expiry first. Minutes and SMS count as bundles. */
export function balanceGroups(balances: readonly Balance[]): BalanceGroup[] {
  const sorted = [...balances].sort((left, right) => expiry(left) - expiry(right) || 0);
  const groups: BalanceGroup[] = [
    { kind: 'DATA', balances: sorted.filter(({ serviceType }) => serviceType !== 'AIRTIME') },
    { kind: 'AIRTIME', balances: sorted.filter(({ serviceType }) => serviceType === 'AIRTIME') },
  ];
  return groups.filter((group) => group.balances.length > 0);
}

export const isUnlimited = ({ balanceType }: Balance) => balanceType === 'unlimited';
