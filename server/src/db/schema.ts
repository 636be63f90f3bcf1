import type { ApprovalKind } from '@portal/contract/console/approval-kinds.ts';
import type { approvalStates } from '@portal/contract/console/approvals.ts';
import type { SheetName } from '@portal/contract/console/sheets.ts';
import type { Conversion } from '@portal/domain/exchange.ts';
import type { LeadStage } from '@portal/domain/lead/lead-stage.ts';
import type { LeadStatus } from '@portal/domain/lead/lead-status.ts';
import type { WireNumber } from '@portal/domain/msisdn.ts';
import type { Explanation } from '@portal/domain/payment/differences.ts';
import type { PaymentEnding } from '@portal/domain/payment/endings.ts';
import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import type { StoredPageWord } from '@portal/domain/payment/shown.ts';
import type { PaymentState } from '@portal/domain/payment/transitions.ts';
import type { Decision, RiskFacts } from '@portal/domain/risk.ts';
import type { LateCause, PortalWord, TicketAuthor, TicketState } from '@portal/domain/ticket.ts';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { DeliveredItem, Popup } from '../connectors/ports.ts';

type ApprovalState = (typeof approvalStates)[number];
type Json<T> = ColumnType<T, string, string>;

declare const clear: unique symbol;
declare const hash: unique symbol;
/** Encrypted; `T` is the type once a store has decrypted it (personal-data.ts). */
export type Sealed<T> = string & { readonly [clear]: T };
/** The keyed hash of a sealed value in the same row. */
export type Hashed = string & { readonly [hash]: true };

type OpenedValue<V> = V extends Sealed<infer T> ? T : V;
type WrittenValue<V> = V extends Sealed<infer T> ? (T extends Buffer ? Buffer : string) : V;

/** A row with its values decrypted, as code outside the stores sees it. */
export type Opened<Row> = { [K in keyof Row as NonNullable<Row[K]> extends Hashed ? never : K]: OpenedValue<Row[K]> };
/** A row as passed to a store for writing; JSON as text. */
export type Written<Row> = { [K in keyof Row as NonNullable<Row[K]> extends Hashed ? never : K]: WrittenValue<Row[K]> };

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

/** The payment that a code confirms: its digest, and what the SMS says about it. */
export interface NamedPayment {
  digest: string;
  amount: number;
  currency: string;
  payee: string;
}

/** Where to send the customer after a gateway accepted a payment; stored, so that a lost response can be repeated. */
export type Continuation = { redirectUrl: string } | { popup: Popup };

export interface LeadAddress {
  type: string;
  city: string;
  street1: string;
  landmark: string;
  country: string;
  lat: number | null;
  lng: number | null;
}

export interface LeadsTable {
  id: string;
  proof_digest: string;
  body_digest: Sealed<string>;
  full_name: Sealed<string>;
  contact_number: Sealed<WireNumber>;
  line_type: string;
  email: Sealed<string>;
  is_feasible: boolean;
  address: Sealed<LeadAddress>;
  plan_code: string;
  plan_amount: number;
  plan_currency: string;
  plan_description: string;
  source: Sealed<string>;
  reference: Sealed<string>;
  works_id: Sealed<string> | null;
  number_hash: Hashed | null;
  email_hash: Hashed | null;
  language: string;
  /** The browser that sent it; null for leads from before this was stored. */
  visit: string | null;
  status: LeadStatus;
  stage: Generated<LeadStage>;
  version: Generated<number>;
  /** Who in customer care works on it. */
  assigned_to: Generated<string | null>;
  handover: 'waiting' | 'accepted';
  crm_reference: string | null;
  paid_by: string | null;
  attempts: Generated<number>;
  due_at: Date | null;
  looked_at: Date | null;
  created_at: Date;
  changed_at: Date;
}

export type GoodwillState = 'due' | 'sending' | 'unknown' | 'given' | 'refused' | 'stuck';

export interface GoodwillTable {
  /** The idempotency key at the charging system. */
  id: string;
  approval_id: string;
  payment_id: string;
  amount: number;
  currency: string;
  state: GoodwillState;
  version: Generated<number>;
  epoch: number;
  looks: Generated<number>;
  sent_at: Date | null;
  due_at: Date | null;
  created_at: Date;
  changed_at: Date;
  provider_reference: string | null;
}

export interface TicketsTable {
  id: string;
  payment_id: string;
  opened_by: TicketAuthor;
  is_own: boolean;
  state: TicketState;
  version: number;
  opened_at: Date;
  promised_at: Date;
  answered_at: Date | null;
  solved_at: Date | null;
  changed_at: Date;
}

export interface Schema {
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
  /** A row without a report is a day that a process is reconciling for the first time. */
  reconciliations: {
    day: string;
    done_at: Date | null;
    unexplained: number | null;
    report: Json<unknown> | null;
    claimed_until: Date | null;
  };
  reconciliation_work: {
    day: string;
    what: string;
    reference: string;
    version: Generated<number>;
    person: string | null;
    explanation: Explanation | null;
    note: string | null;
    changed_by: string;
    changed_at: Date;
  };
  content_changes: { page: string; version: number; action: string; by: string; at: Date };
  form_entries: {
    id: string;
    form_type: string;
    email: Sealed<string> | null;
    data: Sealed<Record<string, unknown>>;
    language: string;
    created_at: Date;
    done_at: Generated<Date | null>;
    done_by: Generated<string | null>;
  };
  leads: LeadsTable;
  lead_notes: { id: string; lead_id: string; version: number; at: Date; person: string; text: Sealed<string> };
  lead_history: { lead_id: string; status: LeadStatus; at: Date };
  event_counts: { day: string; event: string; page_name: string; flow: string; outcome: string; count: number };
  event_days: {
    day: string;
    language: string;
    event: string;
    page_name: string;
    flow: string;
    outcome: string;
    count: number;
  };
  payment_ending_days: {
    day: string;
    language: string;
    way: string;
    ended: PaymentEnding;
    count: number;
    orders: number | null;
    counted_at: Date;
  };
  help_vote_days: { day: string; language: string; question_id: string; likes: number; votes: number };
  help_searches: { day: string; language: string; text: string; visitor: string; at: Date };
  help_votes: { question_id: string; voter: string; liked: boolean; at: Date };
  help_scores: { question_id: string; likes: number; votes: number };
  /** Keys that some values may be under. Includes `clear` while some values are unencrypted. */
  personal_data_keys: { id: string; proof: string; written_at: Date };
  epochs: {
    number: number;
    server: string;
    began_at: Date;
    seen_at: Date;
    is_restored: boolean;
    open_payments: number;
  };
  solved_challenges: { id: string; expires_at: Date };
  rate_limits: { key: string; window_start: Date; count: number };
  shops: {
    id: string;
    kind: 'shop' | 'dealer';
    name: string;
    title: string;
    latitude: number;
    longitude: number;
    /** In the Mercator projection; written as point(x, y), never read. */
    position: ColumnType<never, string, string>;
    address: string;
    phone: string;
    city: string;
    region: string;
    hours: Generated<string>;
  };
  console_people: {
    id: string;
    subject: string;
    email: string;
    name: string;
    roles: string[];
    added_at: Date;
    seen_at: Date;
    closed_at: Date | null;
  };
  console_sessions: {
    /** The digest of the session cookie. */
    id: string;
    person_id: string;
    started_at: Date;
    seen_at: Date;
    ends_at: Date;
    proved_at: Date;
    browser: string;
    browser_name: string;
    ended_at: Date | null;
    ended_because: string | null;
  };
  console_passkeys: {
    id: string;
    person_id: string;
    public_key: string;
    counter: number;
    transports: string[];
    name: string;
    added_at: Date;
    used_at: Date | null;
  };
  console_invitations: {
    /** The digest of the token in the link. */
    id: string;
    email: string;
    name: string;
    roles: string[];
    person_id: string | null;
    is_first_admin: boolean;
    made_by: string | null;
    made_at: Date;
    ends_at: Date;
    used_at: Date | null;
    withdrawn_at: Date | null;
    proposal: Generated<string | null>;
  };
  console_challenges: { id: string; ends_at: Date };
  console_views: {
    id: string;
    person_id: string;
    page: string;
    name: string;
    filters: Json<Record<string, string>>;
    saved_at: Date;
  };
  review_claims: { payment_id: string; person: string; until: Date };
  approvals: {
    id: string;
    kind: ApprovalKind;
    subject_kind: string;
    subject_id: string;
    payload: Json<Record<string, unknown>>;
    digest: Generated<string>;
    reason: string;
    needs_two: boolean;
    proposed_by: string;
    proposed_at: Date;
    expires_at: Date;
    state: Generated<ApprovalState>;
    approved_by: string | null;
    closed_by: string | null;
    decided_at: Date | null;
    note: string | null;
    about: Sealed<string> | null;
  };
  goodwill: GoodwillTable;
  announcements: {
    subject: string;
    is_on: boolean;
    texts: Json<Record<string, string>>;
    starts_at: Date | null;
    ends_at: Date | null;
    version: number;
    changed_at: Date;
    changed_by: string;
  };
  sheets: {
    name: SheetName;
    revision: number;
    pack_digest: string | null;
  };
  sheet_rows: {
    sheet: SheetName;
    key: string;
    starts_at: Date;
    ends_at: Date | null;
    entry: Json<unknown>;
    position: number;
    revision: number;
    is_from_pack: boolean;
    search: string;
  };
  sheet_changes: {
    id: string;
    sheet: SheetName;
    changes: string;
    digest: string;
    made_at: Date;
  };
  /** The database numbers the rows and chains their hashes. */
  audit: {
    number: Generated<number>;
    at: Date;
    person: string | null;
    roles: string[];
    act: string;
    subject_kind: string;
    subject_id: string;
    before: Json<unknown> | null;
    after: Json<unknown> | null;
    reason: string | null;
    from_address: string | null;
    prev_hash: Generated<string>;
    row_hash: Generated<string>;
  };
  tickets: TicketsTable;
  ticket_messages: {
    id: string;
    ticket_id: string;
    version: number;
    at: Date;
    author: TicketAuthor;
    person: string | null;
    /** Distinguishes several strangers' threads in one ticket. */
    thread: string | null;
    said: PortalWord | null;
    text: Sealed<string> | null;
  };
  ticket_causes: {
    payment_id: string;
    cause: LateCause;
    ticket_id: string;
    noticed_at: Date;
    settled_at: Date | null;
  };
  sent_messages: {
    payment_id: string;
    kind: string;
    way: 'sms' | 'mail';
    occasion: string;
    outcome: 'sent' | 'failed' | 'overBudget';
    tries: Generated<number>;
    at: Date;
  };
  shop_imports: { pack: string; digest: string; imported_at: Date };
  content_packages: {
    page: string;
    version: number;
    active: boolean;
    body: Json<unknown>;
    digest: string;
    imported_at: Date;
    begun_from: Generated<number | null>;
    offered: Generated<boolean>;
  };
  content_plans: {
    id: string;
    proposal: string;
    page: string;
    version: number;
    shown: number;
    at: Date;
    planned_by: string;
    planned_at: Date;
    state: Generated<'planned' | 'published' | 'takenBack' | 'overtaken'>;
    ended_at: Generated<Date | null>;
  };
}
