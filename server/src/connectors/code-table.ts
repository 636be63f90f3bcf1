import type { PaymentReason } from '@portal/domain/payment/reasons.ts';

/** The reasons that a provider's refusal can have; the portal itself finds the others. */
export const providerRefusals = [
  'declined',
  'insufficientFunds',
  'expired',
  'limitExceeded',
  'wrongPin',
  'walletLocked',
  'noWallet',
  'requestOpen',
  'refusedByProvider',
] as const satisfies PaymentReason[];

export type CodeTable<Meaning> = Readonly<Record<string, Meaning>>;

/** Looks up own properties only: "constructor" is not a code, though every object has it. */
export function meaningOf<Meaning>(table: CodeTable<Meaning>, code: string | undefined): Meaning | undefined {
  return code !== undefined && Object.hasOwn(table, code) ? table[code] : undefined;
}
