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

/** The code that a risk rule asked the payer for: given with this request, or verified earlier. */
export interface ShownCode {
  isProved: boolean;
  uniqueCode?: string | undefined;
}

export interface PaymentsDependencies {
  db: Kysely<Schema>;
  clock: Clock;
  epochs: Epochs;
  gateways: ReadonlyMap<string, PaymentGateway>;
  /** Delivers airtime and bundles; `billing` delivers bills and `orders` home broadband. */
  charging: Fulfilment;
  billing: Fulfilment;
  orders: Fulfilment;
  /** Timeout of the check whether somebody else paid already. */
  settledLimitMs: number;
  /** Checks and counters before a provider is called, in the transaction of the payment. */
  guards: {
    /**
     * Throws if the payer must not be asked now. PIN attempts and payment requests are counted before they are sent. If
     * a budget is spent, a payer who can receive a code is asked for one instead. Without `shown` no payer is present
     * to enter one.
     */
    submitting(transaction: Executor, payment: Payment, shown?: ShownCode): Promise<void>;
    refused(transaction: Executor, payment: Payment, reason: PaymentReason): Promise<void>;
    paid(transaction: Executor, payment: Payment, card?: string): Promise<void>;
  };
  /** Risk rules, evaluated before any provider is called. Without them every payment passes. */
  risk?: Pick<Risk, 'before'>;
  /** The URL that a gateway's page redirects the browser back to. */
  returnUrl: (payment: Payment) => string;
  /** Queues a message to the customer inside the payment's own transaction. */
  notify: (transaction: Executor, notice: PaymentNotice) => Promise<void>;
  events: PaymentEvents;
  /** The references of an attempt at providers: always the same for the same attempt, even after a restore lost it. */
  referencesOf: (attempt: string) => { id: string; short: string };
}

/** What is written with a change of state, in the same transaction. */
export interface Step {
  reason?: PaymentReason | null;
  /** Without `due_at` the process that made the move holds a lease and continues with the next step. */
  patch?: PaymentPatch;
  posting?: PostingKind;
  notice?: PaymentNotice['kind'];
  /** The provider's response that led to it. */
  evidence?: Evidence;
  /** The person who decided it and the reason, if a person did. */
  settled?: { by: string; note: string };
  also?: (transaction: Executor, moved: Payment) => Promise<void>;
}

/** Null: the payment was changed concurrently. */
export type Move = (payment: Payment, event: PaymentEvent, step?: Step) => Promise<Payment | null>;
