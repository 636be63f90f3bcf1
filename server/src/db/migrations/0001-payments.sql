create table payments (
  id text primary key,
  short_reference text not null unique,
  state text not null,
  version integer not null,
  gateway text not null,
  payment_mode text not null,
  transaction_type text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  msisdn text not null,
  payer_msisdn text,
  email text,
  product_code text,
  description text,
  account_id text,
  invoice_number text,
  language text not null,
  details jsonb not null,
  provider_reference text,
  reason text,
  attempts integer not null default 0,
  not_found_answers integer not null default 0,
  submitted_at timestamptz,
  last_enquiry_at timestamptz,
  refund_expected_at timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- When the next step of this payment is due; null if there is none. This column is the outbox.
  due_at timestamptz
);
create index payments_due on payments (due_at) where due_at is not null;
create index payments_created on payments (created_at);

create table payment_history (
  payment_id text not null references payments (id),
  version integer not null,
  event text not null,
  from_state text,
  to_state text not null,
  reason text,
  at timestamptz not null,
  primary key (payment_id, version)
);

create table idempotency_keys (
  operation text not null,
  key text not null,
  body_hash text not null,
  payment_id text not null,
  created_at timestamptz not null,
  primary key (operation, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

create table callbacks (
  provider text not null,
  digest text not null,
  verdict text not null,
  payment_id text,
  headers jsonb not null,
  body bytea not null,
  received_at timestamptz not null,
  primary key (provider, digest)
);

-- The row is written before the charging system is called; its key makes a second delivery impossible to record.
create table deliveries (
  payment_id text primary key references payments (id),
  reference text not null unique,
  attempts integer not null default 0,
  started_at timestamptz not null,
  delivered_at timestamptz,
  provider_reference text
);

create table ledger_postings (
  payment_id text not null references payments (id),
  kind text not null,
  debit_account text not null,
  credit_account text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  at timestamptz not null,
  primary key (payment_id, kind),
  check (debit_account <> credit_account)
);
create index ledger_postings_at on ledger_postings (at);

create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger payment_history_is_append_only before update or delete on payment_history
  for each row execute function refuse_rewriting();
create trigger ledger_postings_are_append_only before update or delete on ledger_postings
  for each row execute function refuse_rewriting();
create index callbacks_received on callbacks (received_at);
