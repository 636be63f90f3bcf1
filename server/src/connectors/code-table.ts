import type { PaymentReason } from '@portal/domain/payment/reasons.ts';

/** The reasons for which a provider can refuse; the others are ours to find. */
export const providerRefusals = [
  'declined',
  'insufficientFunds',
  'expired',
  'limitExceeded',
  'wrongPin',
  'walletLocked',
  'noWallet',
  'refusedByProvider',
] as const satisfies PaymentReason[];

export type CodeTable<Meaning> = Readonly<Record<string, Meaning>>;

/** What a provider's code means; a word such as "constructor" is no code, though every object knows it. */
export function meaningOf<Meaning>(table: CodeTable<Meaning>, code: string | undefined): Meaning | undefined {
  return code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
}
