-- The time for ages and leases, independent of the clock of a process.
create function portal_now() returns timestamptz language sql volatile as 'select clock_timestamp()';

-- Identifies the history of the data: the cluster and its timeline, the database, the table, and when the server started.
-- A recovery to an earlier moment, a promoted standby, a copied disk and a loaded dump each change one of them.
create function portal_server() returns text language sql volatile as $$
  select concat_ws(' ',
    (select system_identifier from pg_control_system()),
    left(pg_walfile_name(pg_current_wal_lsn()), 8),
    (select oid from pg_database where datname = current_database()),
    'payments'::regclass::oid,
    extract(epoch from pg_postmaster_start_time()))
$$;

create table epochs (
  number integer primary key,
  server text not null,
  began_at timestamptz not null,
  -- When a portal last checked that it is still the same.
  seen_at timestamptz not null,
  -- False if the same server was only restarted and nothing indicates lost work.
  is_restored boolean not null,
  open_payments integer not null
);
insert into epochs values (1, portal_server(), portal_now(), portal_now(), false, 0);

alter table payments add column epoch integer not null default 1;
alter table payments alter column epoch drop default;
alter table payments drop column restored_at;

-- The last call whose arrival is not known; null if there was none.
alter table deliveries add column sent_at timestamptz;
update deliveries set sent_at = started_at;
-- The system refused it after an earlier call without a response, whose outcome must be looked up.
alter table deliveries add column refused_at timestamptz;
alter table payments add column refund_sent_at timestamptz;
update payments set refund_sent_at = changed_at where state in ('REFUNDING', 'REFUND_UNKNOWN');

-- The amount that was really taken, as the provider states it.
alter table payments add column taken_amount bigint check (taken_amount > 0);
alter table payments add column taken_currency text;
update payments set taken_amount = amount, taken_currency = currency
  where exists (select from ledger_postings where payment_id = payments.id and kind = 'paid');

-- Every response with news about a payment, as it was parsed.
create table payment_evidence (
  id bigint generated always as identity primary key,
  payment_id text not null references payments (id),
  at timestamptz not null,
  call text not null,
  answer text not null,
  amount bigint,
  currency text,
  receipt text,
  detail text
);
create index payment_evidence_payment on payment_evidence (payment_id, id);
create trigger payment_evidence_is_append_only before update or delete on payment_evidence
  for each row execute function refuse_rewriting();
