import type { SealedKind } from '@portal/contract/page.ts';
import type { QueryData } from './session.ts';

/** What travels sealed between pages without script, by kind. */
export interface SealedValues {
  /** Ready to be paid. */
  order: QueryData;
  /** Whose bundle has yet to be chosen. */
  bundleLine: { msisdn: string; lineType: string };
  /** With the answer to what was asked first, on its way to the one call that takes it. */
  fixedInternetAccount: { accountNo: string; email: string; answered?: string };
  postpaidCode: { msisdn: string; otpId: string };
  /** The amount owed is never in it. */
  postpaidProof: { msisdn: string; uniqueCode: string };
}

export interface Sealing {
  seal<K extends SealedKind>(kind: K, value: SealedValues[K]): string;
  /** Null for no token, for one of another kind or visit, and for one that is too old. */
  open<K extends SealedKind>(kind: K, token: string | undefined): SealedValues[K] | null;
}
