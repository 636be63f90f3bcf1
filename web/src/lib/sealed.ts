import type { SealedKind } from '@portal/contract/render-page.ts';
import type { FormState } from './page.tsx';
import type { QueryData } from './session.ts';

/** Sealed tokens that pages without script pass on, by kind. */
export interface SealedValues {
  /** An order that is ready to be paid. */
  order: QueryData;
  /** A number whose bundle is not chosen yet. */
  bundleLine: { msisdn: string; lineType: string };
  /** With the answer to a challenge, for the one call that needs it. */
  fixedInternetAccount: { accountNo: string; email: string; answered?: string };
  postpaidCode: { msisdn: string; otpId: string };
  /** Never contains the amount due. */
  postpaidProof: { msisdn: string; uniqueCode: string };
  /** A posted form with its answer, to be shown at an address that Back and a reload may return to. */
  postedForm: { path: string; form: FormState; order?: string };
}

export interface Sealing {
  seal<K extends SealedKind>(kind: K, value: SealedValues[K]): string;
  /** Null for no token, an expired one, or one of another kind or visit. */
  open<K extends SealedKind>(kind: K, token: string | undefined): SealedValues[K] | null;
}
