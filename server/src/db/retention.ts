import type { Schema } from './schema.ts';

/** How long a table keeps personal data, and what happens to it afterwards. */
export interface Period {
  /** Columns that identify a person, or describe one who is identified by the rest of the row. */
  personal: readonly string[];
  holds: string;
  days: number;
  /** Counted from this column. */
  since: string;
  ending: 'the row is deleted' | 'taken out, the rest stays';
  /** The setting that changes it, where there is one. */
  setting?: string;
  /** Columns whose names look personal although they are not, with what they hold. */
  looks?: Readonly<Record<string, string>>;
}

/** A table without personal data. `looks` explains columns whose names suggest otherwise. */
export interface Impersonal {
  personal: readonly [];
  looks?: Readonly<Record<string, string>>;
}

/** A year to compare with and the month being compared, in days. */
const thirteenMonths = 396;

/**
 * Every table. docs/security.md is generated from it, the hourly clean-up follows it, and a test refuses a migrated
 * table or column that is missing here.
 */
export const periods = {
  payments: {
    personal: [
      ...['msisdn', 'payer_msisdn', 'email', 'account_id', 'invoice_number', 'details', 'visit', 'asked_from'],
      ...[
        'proof_digest',
        'continuation',
        'provider_reference',
        'msisdn_hash',
        'payer_hash',
        'email_hash',
        'invoice_hash',
        'account_hash',
      ],
    ],
    holds: 'who paid for whom: numbers, email, account and invoice; which browser and network',
    days: thirteenMonths,
    since: 'created_at',
    ending: 'taken out, the rest stays',
  },
  codes: {
    personal: ['subject', 'subject_hash', 'recipient', 'visit', 'payment', 'asked_from', 'kept_for'],
    holds: 'numbers and emails that codes went to',
    days: 1,
    since: 'expires_at',
    ending: 'the row is deleted',
  },
  proofs: {
    personal: ['subject', 'visit', 'payment'],
    holds: 'numbers that were proved',
    days: 1,
    since: 'expires_at',
    ending: 'the row is deleted',
  },
  pin_attempts: {
    personal: ['wallet'],
    holds: 'wallets at which PINs were tried',
    days: 30,
    since: 'changed_at',
    ending: 'the row is deleted',
  },
  payment_cards: {
    personal: ['card'],
    holds: 'which payments one card made, by a keyed hash',
    days: 30,
    since: 'at',
    ending: 'the row is deleted',
  },
  idempotency_keys: {
    personal: ['key', 'body_hash'],
    holds: 'which browser made an order, by a keyed hash',
    days: 30,
    since: 'created_at',
    ending: 'the row is deleted',
  },
  callbacks: {
    personal: ['headers', 'body'],
    holds: 'what providers wrote about payments, numbers among it',
    days: 90,
    since: 'received_at',
    ending: 'the row is deleted',
  },
  form_entries: {
    personal: ['email', 'data'],
    holds: 'what visitors wrote to the operator',
    days: 365,
    since: 'created_at',
    ending: 'the row is deleted',
  },
  lead_notes: {
    personal: ['text'],
    holds: 'what customer care noted about who asked for home broadband',
    days: 365,
    since: 'at',
    ending: 'the row is deleted',
    setting: 'LEADS_KEEP_DAYS',
  },
  leads: {
    personal: [
      ...['full_name', 'contact_number', 'email', 'address', 'works_id', 'reference', 'source'],
      ...['proof_digest', 'body_digest', 'visit', 'number_hash', 'email_hash'],
    ],
    holds: 'names, numbers and addresses of who asked for home broadband',
    days: 365,
    since: 'created_at',
    ending: 'the row is deleted',
    setting: 'LEADS_KEEP_DAYS',
  },
  help_votes: {
    personal: ['voter'],
    holds: 'which browser voted on an answer, by a keyed hash',
    days: 90,
    since: 'at',
    ending: 'the row is deleted',
  },
  help_searches: {
    personal: ['visitor', 'text'],
    holds: 'words that found nothing in the help, and which browser searched them, by a keyed hash of that day',
    days: 30,
    since: 'at',
    ending: 'the row is deleted',
  },
  approvals: {
    personal: ['about'],
    holds: 'whose data is to be erased, until that is decided',
    days: 8,
    since: 'proposed_at',
    ending: 'taken out, the rest stays',
    looks: { subject_kind: 'what is to be acted on', subject_id: 'which one, by its id', note: 'why it was refused' },
  },
  ticket_messages: {
    personal: ['text'],
    holds: 'what customers wrote about a payment and what customer care answered',
    days: 365,
    since: 'at',
    ending: 'the row is deleted',
  },
  console_sessions: {
    personal: ['browser', 'browser_name'],
    holds: 'which browser one of the operator’s people worked in',
    days: 90,
    since: 'ends_at',
    ending: 'the row is deleted',
  },
  console_people: {
    personal: [],
    looks: {
      email: 'the operator’s own people, who answer for what they do',
      name: 'the same',
      subject: 'who they are at the sign-in provider',
    },
  },
  console_passkeys: { personal: [], looks: { name: 'what its owner calls a passkey' } },
  console_invitations: {
    personal: [],
    looks: { email: 'the operator’s own people', name: 'the same', made_by: 'who invited them' },
  },
  console_challenges: { personal: [] },
  audit: {
    personal: [],
    looks: {
      person: 'the operator’s own people, who answer for it',
      from_address: 'where they worked',
      number: 'of the row',
      subject_kind: 'what was acted on: a payment, a person of the operator, a call',
      subject_id: 'which one, by its id',
    },
  },
  payment_history: {
    personal: [],
    looks: { settled_by: 'the operator’s own people, who answer for it', note: 'why they settled it so' },
  },
  goodwill: { personal: [] },
  console_views: {
    personal: [],
    looks: { name: 'what one of the operator’s own people calls a list', filters: 'never whom they look for' },
  },
  review_claims: { personal: [], looks: { person: 'the operator’s own people' } },
  announcements: {
    personal: [],
    looks: {
      subject: 'a way to pay, the banner or maintenance',
      changed_by: 'the operator’s own people, who answer for it',
    },
  },
  content_changes: { personal: [], looks: { by: 'the operator’s own people, who answer for it' } },
  shops: {
    personal: [],
    looks: { name: 'a shop', address: 'of a shop', city: 'of a shop', phone: 'of a shop' },
  },
  content_packages: { personal: [], looks: { body: 'pages of the operator' } },
  content_plans: { personal: [], looks: { planned_by: 'the operator’s own people, who answer for it' } },
  migrations: { personal: [], looks: { name: 'a file of ours' } },
  event_days: { personal: [], looks: { page_name: 'a page of the portal' } },
  payment_ending_days: { personal: [] },
  help_vote_days: { personal: [] },
  event_counts: { personal: [], looks: { page_name: 'a page of the portal' } },
  personal_data_keys: { personal: [] },
  pin_challenges: { personal: [] },
  pin_keys: { personal: [] },
  payment_decisions: { personal: [] },
  payment_evidence: { personal: [] },
  epochs: { personal: [], looks: { number: 'of the epoch' } },
  solved_challenges: { personal: [] },
  ledger_postings: { personal: [], looks: { debit_account: 'of the books', credit_account: 'of the books' } },
  deliveries: { personal: [] },
  order_claims: { personal: [] },
  reconciliations: { personal: [] },
  reconciliation_work: {
    personal: [],
    looks: {
      person: 'the operator’s own people',
      changed_by: 'the operator’s own people',
      note: 'theirs; numbers and emails are taken out of it',
    },
  },
  lead_history: { personal: [] },
  help_scores: { personal: [] },
  rate_limits: { personal: [], looks: { key: 'keyed hashes, gone when their span is over' } },
  shop_imports: { personal: [] },
  sheets: { personal: [], looks: { name: 'of a table of the operator' } },
  sheet_rows: { personal: [], looks: { key: 'of a bundle, a shop, a site or a town' } },
  sheet_changes: { personal: [] },
  tickets: { personal: [] },
  ticket_causes: { personal: [] },
  sent_messages: { personal: [] },
} as const satisfies Record<keyof Schema | 'migrations', Period | Impersonal>;

const dayMs = 24 * 3_600_000;

/** Rows from before this date are past their period. */
export const endedBefore = (period: { days: number }, now: Date): Date => new Date(now.getTime() - period.days * dayMs);
