import type { Generated } from 'kysely';
import type { Hashed, Sealed } from './column-types.ts';

/** The payment that a code confirms: its digest, and what the SMS says about it. */
export interface NamedPayment {
  digest: string;
  amount: number;
  currency: string;
  payee: string;
}

export interface VerificationTables {
  codes: {
    id: string;
    purpose: string;
    subject: Sealed<string>;
    subject_hash: Hashed | null;
    recipient: Sealed<string>;
    visit: string | null;
    code_hash: string;
    payment: Sealed<NamedPayment> | null;
    tries: Generated<number>;
    sent_at: Date;
    expires_at: Date;
    ended_at: Date | null;
    /** The network whose challenge paid for it; null if none was required. */
    asked_from: string | null;
    /** The network whose reserved budget paid for it; null if the common one did. */
    kept_for: string | null;
  };
  proofs: {
    digest: string;
    purpose: string;
    subject: Sealed<string>;
    visit: string | null;
    payment: Sealed<string> | null;
    expires_at: Date;
    spent_by: string | null;
  };
  pin_keys: { id: string; public_key: string; sealed_private_key: string; created_at: Date };
  pin_challenges: { payment_id: string; nonce_digest: string; expires_at: Date; used_at: Date | null };
  pin_attempts: {
    /** Its pseudonym. */
    wallet: string;
    wrong: number;
    /** PINs sent to the wallet without a response so far. */
    unanswered: Generated<number>;
    unanswered_since: Date | null;
    locked_until: Date | null;
    changed_at: Date;
  };
}
