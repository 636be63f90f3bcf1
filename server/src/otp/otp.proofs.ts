import { randomBytes } from 'node:crypto';
import { proofLifeSeconds, tokenLifeSeconds } from '@portal/domain/verification/lifetimes.ts';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import type { SealedTokens } from '../http/sealed-token.ts';
import * as store from './otp.store.ts';

/** Everything that a proof covers. It is not accepted for anything that differs in one of these. */
export interface Proved {
  purpose: string;
  subject: string;
  visit: string | null;
  /** The digest of the one payment that it authorises; null for a proof that only gives access. */
  payment: string | null;
}

export interface Proofs {
  issueProof(proved: Proved): Promise<string>;
  /** For reading: may be used repeatedly until it expires. */
  requireProof(
    uniqueCode: string,
    wanted: { purposes: readonly string[]; subject: string; visit: string | null },
  ): Promise<void>;
  /** Spends it once, for one attempt, in the transaction that inserts the attempt's row. */
  spendProof(executor: Kysely<Schema>, uniqueCode: string, wanted: Proved, attempt: string): Promise<void>;
  /** A wallet's access token for the proof that was just issued. */
  issueToken(proved: Proved, uniqueCode: string): { tokenType: string; accessToken: string };
  /** What a wallet's token was issued for, and its proof. */
  openToken(authorization: unknown): Proved & { proofDigest: string };
  /** False if another payment holds the proof or was paid with it, or if it has expired. */
  holdProof(executor: Kysely<Schema>, digest: string, paymentId: string): Promise<boolean>;
  /** The wallet took nothing, so the same purchase may be retried. */
  releaseProof(executor: Kysely<Schema>, digest: string, paymentId: string): Promise<void>;
}

const tokenType = 'Bearer';
const tokenPurpose = 'wallet';

export const isProved = (proof: Proved, wanted: Proved): boolean =>
  proof.purpose === wanted.purpose &&
  proof.subject === wanted.subject &&
  proof.visit === wanted.visit &&
  proof.payment === wanted.payment;

const notVerified = () => new PortalError('notVerified');

/** What a verified code proved, until it expires. `keyed` makes the digest under which it is stored. */
export function createProofs(
  { db, tokens, now }: { db: Kysely<Schema>; tokens: SealedTokens; now: () => Date },
  keyed: (...parts: string[]) => string,
): Proofs {
  return {
    async issueProof(proved) {
      const uniqueCode = randomBytes(16).toString('hex');
      await store.insertProof(db, {
        digest: keyed('proof', uniqueCode),
        ...proved,
        expires_at: new Date(now().getTime() + proofLifeSeconds * 1000),
      });
      return uniqueCode;
    },

    async requireProof(uniqueCode, wanted) {
      const proof = await store.findProof(db, keyed('proof', uniqueCode), now());
      if (!proof || !wanted.purposes.some((purpose) => isProved(proof, { ...wanted, purpose, payment: proof.payment })))
        throw notVerified();
    },

    async spendProof(executor, uniqueCode, wanted, attempt) {
      const digest = keyed('proof', uniqueCode);
      const proof = await store.findProof(executor, digest, now());
      if (!proof || !isProved(proof, wanted)) throw notVerified();
      if (!(await store.spendProof(executor, digest, keyed('attempt', attempt), now()))) throw notVerified();
    },

    issueToken(proved, uniqueCode) {
      const sealed = { ...proved, proofDigest: keyed('proof', uniqueCode) };
      return { tokenType, accessToken: tokens.seal(tokenPurpose, sealed, tokenLifeSeconds) };
    },

    openToken(authorization) {
      const [type, token = ''] = String(authorization ?? '').split(' ');
      const opened =
        type === tokenType ? (tokens.open(tokenPurpose, token) as ReturnType<Proofs['openToken']> | null) : null;
      if (!opened) throw notVerified();
      return opened;
    },

    holdProof: (executor, digest, paymentId) => store.spendProof(executor, digest, paymentId, now()),
    releaseProof: store.releaseProof,
  };
}
