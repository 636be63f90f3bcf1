import type { Schema } from '../db/schema.ts';

/** How long a table keeps personal data, and what happens to it afterwards. */
export interface Period {
  /** Columns that identify a person, or describe one who is identified by the rest of the row. */
  personal: readonly string[];
  holds: string;
  days: number;
  /** Counted from this column. */
  since: string;
  ending: 'the row is deleted' | 'removed, the rest of the row stays';
  /** The setting that changes it, where there is one. */
  setting?: string;
  /** Columns whose names look personal although they are not, with what they contain. */
  notPersonal?: Readonly<Record<string, string>>;
}

/** A table without personal data. `notPersonal` explains columns whose names suggest otherwise. */
export interface Impersonal {
  personal: readonly [];
  notPersonal?: Readonly<Record<string, string>>;
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
    holds: 'payer and recipient: numbers, email, account, invoice, browser and network',
    days: thirteenMonths,
    since: 'created_at',
    ending: 'removed, the rest of the row stays',
  },
  codes: {
    personal: ['subject', 'subject_hash', 'recipient', 'visit', 'payment', 'asked_from', 'kept_for'],
    holds: 'numbers and emails that codes were sent to',
    days: 1,
    since: 'expires_at',
    ending: 'the row is deleted',
  },
  proofs: {
    personal: ['subject', 'visit', 'payment'],
    holds: 'verified numbers',
    days: 1,
    since: 'expires_at',
    ending: 'the row is deleted',
  },
  pin_attempts: {
    personal: ['wallet'],
    holds: 'wallets with PIN attempts',
    days: 30,
    since: 'changed_at',
    ending: 'the row is deleted',
  },
  payment_cards: {
    personal: ['card'],
    holds: 'cards of payments, as keyed hashes',
    days: 30,
    since: 'at',
    ending: 'the row is deleted',
  },
  idempotency_keys: {
    personal: ['key', 'body_hash'],
    holds: 'browsers of orders, as keyed hashes',
    days: 30,
    since: 'created_at',
    ending: 'the row is deleted',
  },
  callbacks: {
    personal: ['headers', 'body'],
    holds: 'callbacks of providers, with numbers',
    days: 90,
    since: 'received_at',
    ending: 'the row is deleted',
  },
  form_entries: {
    personal: ['email', 'data'],
    holds: 'messages from visitors to the operator',
    days: 365,
    since: 'created_at',
    ending: 'the row is deleted',
  },
  lead_notes: {
    personal: ['text'],
    holds: 'notes of customer care about requests for home broadband',
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
    holds:
      'names, numbers and addresses in requests for home broadband; a paid one stays until it is installed or its money went back',
    days: 365,
    since: 'created_at',
    ending: 'the row is deleted',
    setting: 'LEADS_KEEP_DAYS',
  },
  help_votes: {
    personal: ['voter'],
    holds: 'browsers that voted on an answer, as keyed hashes',
    days: 90,
    since: 'at',
    ending: 'the row is deleted',
  },
  help_searches: {
    personal: ['visitor', 'text'],
    holds: 'searches without a result in the help, and their browsers as keyed hashes that change daily',
    days: 30,
    since: 'at',
    ending: 'the row is deleted',
  },
  approvals: {
    personal: ['about'],
    holds: 'the person to be erased, until that is decided',
    days: 8,
    since: 'proposed_at',
    ending: 'removed, the rest of the row stays',
    notPersonal: { subject_kind: 'the kind of thing', subject_id: 'its id', note: 'the reason of a refusal' },
  },
  ticket_messages: {
    personal: ['text'],
    holds: 'messages of customers about a payment, and answers of customer care',
    days: 365,
    since: 'at',
    ending: 'the row is deleted',
  },
  console_sessions: {
    personal: ['browser', 'browser_name'],
    holds: 'browsers of the console’s users',
    days: 90,
    since: 'ends_at',
    ending: 'the row is deleted',
  },
  console_people: {
    personal: [],
    notPersonal: {
      email: 'the operator’s staff, who are accountable',
      name: 'the same',
      subject: 'their id at the sign-in provider',
    },
  },
  console_passkeys: { personal: [], notPersonal: { name: 'the owner’s name for a passkey' } },
  console_invitations: {
    personal: [],
    notPersonal: { email: 'the operator’s staff', name: 'the same', made_by: 'the inviting person' },
  },
  console_challenges: { personal: [] },
  audit: {
    personal: [],
    notPersonal: {
      person: 'the operator’s staff, who are accountable',
      from_address: 'the address of their client',
      number: 'of the row',
      subject_kind: 'the kind of thing: a payment, a person of the operator, a call',
      subject_id: 'its id',
    },
  },
  payment_history: {
    personal: [],
    notPersonal: { settled_by: 'the operator’s staff, who are accountable', note: 'their reason' },
  },
  goodwill: { personal: [] },
  console_views: {
    personal: [],
    notPersonal: { name: 'the name of a saved list', filters: 'never a searched person' },
  },
  review_claims: { personal: [], notPersonal: { person: 'the operator’s staff' } },
  announcements: {
    personal: [],
    notPersonal: {
      subject: 'a payment method, the banner or maintenance',
      changed_by: 'the operator’s staff, who are accountable',
    },
  },
  content_changes: { personal: [], notPersonal: { by: 'the operator’s staff, who are accountable' } },
  shops: {
    personal: [],
    notPersonal: { name: 'a shop', address: 'of a shop', city: 'of a shop', phone: 'of a shop' },
  },
  content_packages: { personal: [], notPersonal: { body: 'pages of the operator' } },
  content_plans: { personal: [], notPersonal: { planned_by: 'the operator’s staff, who are accountable' } },
  migrations: { personal: [], notPersonal: { name: 'a migration file' } },
  event_days: { personal: [], notPersonal: { page_name: 'a page of the portal' } },
  payment_ending_days: { personal: [] },
  help_vote_days: { personal: [] },
  event_counts: { personal: [], notPersonal: { page_name: 'a page of the portal' } },
  personal_data_keys: { personal: [] },
  pin_challenges: { personal: [] },
  pin_keys: { personal: [] },
  payment_decisions: { personal: [] },
  payment_evidence: { personal: [] },
  epochs: { personal: [], notPersonal: { number: 'of the epoch' } },
  solved_challenges: { personal: [] },
  ledger_postings: { personal: [], notPersonal: { debit_account: 'of the ledger', credit_account: 'of the ledger' } },
  deliveries: { personal: [] },
  order_claims: { personal: [] },
  reconciliations: { personal: [] },
  reconciliation_work: {
    personal: [],
    notPersonal: {
      person: 'the operator’s staff',
      changed_by: 'the operator’s staff',
      note: 'their note, without numbers and emails',
    },
  },
  lead_history: { personal: [] },
  help_scores: { personal: [] },
  rate_limits: { personal: [], notPersonal: { key: 'keyed hashes, deleted after their window' } },
  shop_imports: { personal: [] },
  sheets: { personal: [], notPersonal: { name: 'of a table of the operator' } },
  sheet_rows: { personal: [], notPersonal: { key: 'of a bundle, a shop, a site or a town' } },
  sheet_changes: { personal: [] },
  tickets: { personal: [] },
  ticket_causes: { personal: [] },
  sent_messages: { personal: [] },
} as const satisfies Record<keyof Schema | 'migrations', Period | Impersonal>;

const dayMs = 24 * 3_600_000;

/** Rows from before this date are past their period. */
export const endedBefore = (period: { days: number }, now: Date): Date => new Date(now.getTime() - period.days * dayMs);
