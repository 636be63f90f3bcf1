-- One-time codes, stored as keyed hashes. A newer code for the same number and purpose replaces this one.
create table codes (
  id text primary key,
  purpose text not null,
  subject text not null,
  recipient text not null,
  visit text,
  code_hash text not null,
  tries integer not null default 0,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index codes_open on codes (subject, purpose) where ended_at is null;
create index codes_expires on codes (expires_at);

-- What a verified code or account number is worth: reading for its owner, and one payment.
create table proofs (
  digest text primary key,
  purpose text not null,
  subject text not null,
  expires_at timestamptz not null,
  spent_by text
);
create index proofs_expires on proofs (expires_at);

create table pin_keys (
  id text primary key,
  public_key text not null,
  sealed_private_key text not null,
  created_at timestamptz not null
);

create table pin_challenges (
  payment_id text primary key references payments (id),
  nonce_digest text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);

create table pin_attempts (
  wallet text primary key,
  wrong integer not null,
  locked_until timestamptz,
  changed_at timestamptz not null
);

alter table payments add column continuation jsonb;
alter table payments add column visit text;
create index payments_recent on payments (msisdn, created_at);

-- Who settled a payment manually, and why.
alter table payment_history add column settled_by text;
alter table payment_history add column note text;

create table reconciliations (
  day date primary key,
  done_at timestamptz not null,
  unexplained integer not null,
  report jsonb not null
);
create index payments_review on payments (changed_at) where state = 'REVIEW';
