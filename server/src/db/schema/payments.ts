import type { Conversion } from '@portal/domain/exchange.ts';
import type { WireNumber } from '@portal/domain/msisdn.ts';
import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import type { StoredPageWord } from '@portal/domain/payment/shown-status.ts';
import type { PaymentState } from '@portal/domain/payment/transitions.ts';
import type { Decision, RiskFacts } from '@portal/domain/risk.ts';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { DeliveredItem, Popup } from '../../connectors/ports.ts';
import type { Hashed, Json, Opened, Sealed } from './column-types.ts';

export interface PaymentsTable {
  id: string;
  short_reference: string;
  state: PaymentState;
  version: number;
  gateway: string;
  payment_mode: string;
  transaction_type: string;
  amount: number;
  currency: string;
  msisdn: Sealed<WireNumber | ''>;
  msisdn_hash: Hashed | null;
  payer_msisdn: Sealed<WireNumber> | null;
  payer_hash: Hashed | null;
  email: Sealed<string> | null;
  email_hash: Hashed | null;
  product_code: string | null;
  description: string | null;
  account_id: Sealed<string> | null;
  invoice_number: Sealed<string> | null;
  invoice_hash: Hashed | null;
  account_hash: Hashed | null;
  language: string;
  details: Json<{
    item: DeliveredItem;
    lineType?: string;
    lineSince?: string;
    isBroadband?: boolean;
    conversion?: Conversion;
  }>;
  provider_reference: ColumnType<Sealed<string> | null, Sealed<string> | null | undefined, Sealed<string> | null>;
  reason: PaymentReason | null;
  attempts: Generated<number>;
  not_found_answers: Generated<number>;
  submitted_at: Date | null;
  last_enquiry_at: Date | null;
  refund_expected_at: Date | null;
  created_at: Date;
  changed_at: Date;
  due_at: Date | null;
  continuation: ColumnType<
    Sealed<Continuation> | null,
    Sealed<Continuation> | null | undefined,
    Sealed<Continuation> | null
  >;
  visit: Generated<string | null>;
  payer_proof: Generated<PayerProof | null>;
  proof_digest: Generated<string | null>;
  asked_from: Generated<string | null>;
  epoch: Generated<number>;
  refund_sent_at: Generated<Date | null>;
  taken_amount: Generated<number | null>;
  taken_currency: Generated<string | null>;
  released_at: Generated<Date | null>;
  forgotten_at: Generated<Date | null>;
  /** Chosen by the browser that ordered, so that it can pay the same order another way. */
  order_id: Generated<string | null>;
  /** Shared by the payments that are attempts at one order; null if the payment is the only attempt. */
  order_digest: Generated<string | null>;
  /** What the return address from the gateway's page claimed: only a hint. */
  page_word: Generated<StoredPageWord | null>;
}

export type Payment = Opened<Selectable<PaymentsTable>>;

/** `answered`: a fresh code was asked for and given. */
export type StoredDecision = Decision | 'answered';

/** How the payer was verified: by a code sent to the number, or by the token of a verified wallet. */
export type PayerProof = 'code' | 'token';

/** Where to send the customer after a gateway accepted a payment; stored, so that a lost response can be repeated. */
export type Continuation = { redirectUrl: string } | { popup: Popup };

export interface PaymentTables {
  payments: PaymentsTable;
  payment_history: {
    payment_id: string;
    version: number;
    event: string;
    from_state: PaymentState | null;
    to_state: PaymentState;
    reason: PaymentReason | null;
    at: Date;
    settled_by: Generated<string | null>;
    note: Generated<string | null>;
  };
  payment_decisions: {
    payment_id: string;
    at: Date;
    position: Generated<number>;
    decision: StoredDecision;
    rule: string | null;
    facts: Json<RiskFacts | null>;
  };
  payment_cards: { payment_id: string; card: string; at: Date };
  idempotency_keys: {
    operation: string;
    key: string;
    body_hash: Sealed<string>;
    payment_id: string;
    created_at: Date;
  };
  callbacks: {
    provider: string;
    digest: string;
    verdict: string;
    payment_id: string | null;
    headers: Sealed<Record<string, unknown>>;
    body: Sealed<Buffer>;
    received_at: Date;
  };
  deliveries: {
    payment_id: string;
    reference: string;
    attempts: Generated<number>;
    started_at: Date;
    delivered_at: Date | null;
    provider_reference: string | null;
    sent_at: Generated<Date | null>;
    refused_at: Generated<Date | null>;
  };
  /** The one payment of an order that may be delivered. */
  order_claims: { order_digest: string; payment_id: string; claimed_at: Date };
  payment_evidence: {
    id: Generated<number>;
    payment_id: string;
    at: Date;
    call: string;
    answer: string;
    amount: number | null;
    currency: string | null;
    receipt: string | null;
    detail: string | null;
  };
  ledger_postings: {
    payment_id: string;
    kind: string;
    debit_account: string;
    credit_account: string;
    amount: number;
    currency: string;
    at: Date;
  };
  review_claims: { payment_id: string; person: string; until: Date };
  sent_messages: {
    payment_id: string;
    kind: string;
    way: 'sms' | 'mail';
    occasion: string;
    outcome: 'sent' | 'failed' | 'overBudget';
    tries: Generated<number>;
    at: Date;
  };
}
