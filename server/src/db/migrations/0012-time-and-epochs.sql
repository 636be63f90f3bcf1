-- The time by which ages are judged and leases end, whatever a process believes it to be.
create function portal_now() returns timestamptz language sql volatile as 'select clock_timestamp()';

-- Which past the data stand in: the cluster and its timeline, the database, the table, and since when the server runs.
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
  -- When a portal last saw that it still is the same.
  seen_at timestamptz not null,
  -- False where the same server was only started again, and nothing speaks for lost work.
  is_restored boolean not null,
  open_payments integer not null
);
insert into epochs values (1, portal_server(), portal_now(), portal_now(), false, 0);

alter table payments add column epoch integer not null default 1;
alter table payments alter column epoch drop default;
alter table payments drop column restored_at;

-- The last time that something was sent of which it is not known whether it arrived; null when nothing was.
alter table deliveries add column sent_at timestamptz;
update deliveries set sent_at = started_at;
-- The system refused it after an earlier sending that got no answer: what became of that one has to be found out.
alter table deliveries add column refused_at timestamptz;
alter table payments add column refund_sent_at timestamptz;
update payments set refund_sent_at = changed_at where state in ('REFUNDING', 'REFUND_UNKNOWN');

-- What was really taken, as the provider states it.
alter table payments add column taken_amount bigint check (taken_amount > 0);
alter table payments add column taken_currency text;
update payments set taken_amount = amount, taken_currency = currency
  where exists (select from ledger_postings where payment_id = payments.id and kind = 'paid');

-- Every answer that says something new about a payment, as it was understood.
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
