import type { PostingKind } from '@portal/domain/payment/ledger.ts';
import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import type { PaymentEvent } from '@portal/domain/payment/transitions.ts';
import type { Kysely } from 'kysely';
import type { Fulfilment, PaymentGateway } from '../../connectors/ports.ts';
import type { Clock } from '../../db/clock.ts';
import type { Epochs } from '../../db/epochs.ts';
import type { Schema } from '../../db/schema.ts';
import type { PaymentNotice } from '../../notices/notices.service.ts';
import type { Risk } from '../../risk/risk.service.ts';
import type { PaymentEvents } from './payments.events.ts';
import type { Evidence, Executor, Payment, PaymentPatch } from './payments.store.ts';

/** What a payer shows besides the order: a code that a rule asked for, not yet spent, or one that it took already. */
export interface ShownCode {
  isProved: boolean;
  uniqueCode?: string | undefined;
}

export interface PaymentsDependencies {
  db: Kysely<Schema>;
  clock: Clock;
  epochs: Epochs;
  gateways: ReadonlyMap<string, PaymentGateway>;
  /** Airtime and bundles, bills, and home broadband. */
  charging: Fulfilment;
  billing: Fulfilment;
  orders: Fulfilment;
  /** How long is waited to hear whether somebody else paid for it. */
  settledLimitMs: number;
  /** What stands between a payer and whoever asks for the money, inside the payment's own transaction. */
  guards: {
    /**
     * Throws when nobody may be asked for this now: PINs and payment requests are counted before they are sent. A payer who
     * can show a code is asked for one instead; without `shown` nobody is there to show it.
     */
    submitting(transaction: Executor, payment: Payment, shown?: ShownCode): Promise<void>;
    refused(transaction: Executor, payment: Payment, reason: PaymentReason): Promise<void>;
    paid(transaction: Executor, payment: Payment, card?: string): Promise<void>;
  };
  /** Decides before any provider is asked; everything is let through where there is none. */
  risk?: Pick<Risk, 'before'>;
  /** Where a gateway's own page sends the customer's browser back to. */
  returnUrl: (payment: Payment) => string;
  /** Queues a message to the customer inside the payment's own transaction. */
  notify: (transaction: Executor, notice: PaymentNotice) => Promise<void>;
  events: PaymentEvents;
  /** What providers know an attempt by: the same for the same one, even where a restored database forgot it. */
  referencesOf: (attempt: string) => { id: string; short: string };
}

/** What goes with a change of state, in the same transaction. */
export interface Step {
  reason?: PaymentReason | null;
  /** Without a `due_at` whoever moved the payment holds it by a lease, and goes on with it. */
  patch?: PaymentPatch;
  posting?: PostingKind;
  notice?: PaymentNotice['kind'];
  /** What the outside said that led to it. */
  evidence?: Evidence;
  /** Who decided it, and why, when it was a person. */
  settled?: { by: string; note: string };
  also?: (transaction: Executor, moved: Payment) => Promise<void>;
}

/** Null: somebody was quicker. */
export type Move = (payment: Payment, event: PaymentEvent, step?: Step) => Promise<Payment | null>;
