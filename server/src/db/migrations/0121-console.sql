-- The staff who use the console, and the audit log.
create table console_people (
  id text primary key,
  -- Issuer and subject of the OpenID provider. They stay the same when a name or an address changes.
  subject text not null unique,
  email text not null,
  name text not null,
  roles text[] not null,
  added_at timestamptz not null,
  seen_at timestamptz not null,
  closed_at timestamptz
);

create table console_sessions (
  -- The digest of the browser's session token, so that the table cannot be used to sign in.
  id text primary key,
  person_id text not null references console_people (id),
  started_at timestamptz not null,
  seen_at timestamptz not null,
  ends_at timestamptz not null,
  -- When the person last authenticated.
  proved_at timestamptz not null,
  browser text not null,
  browser_name text not null,
  ended_at timestamptz,
  ended_because text
);
create index console_sessions_of_a_person on console_sessions (person_id, started_at desc);

create table audit (
  number bigint primary key,
  at timestamptz not null,
  -- Null if the portal itself acted, or a person who could not be identified.
  person text,
  roles text[] not null,
  act text not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  reason text,
  from_address text,
  prev_hash text not null,
  row_hash text not null
);
create index audit_of_a_subject on audit (subject_kind, subject_id, number desc);
create index audit_of_a_person on audit (person, number desc);

-- All that a row says, and the hash before it: whoever changes, removes or inserts one has to change all that follow.
create function audit_hash(each audit) returns text language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(
    each.prev_hash, each.number, extract(epoch from each.at)::text, each.person, to_jsonb(each.roles), each.act,
    each.subject_kind, each.subject_id, each.before, each.after, each.reason, each.from_address)::text, 'UTF8')), 'hex')
$$;

create function chain_audit() returns trigger language plpgsql as $$
declare last record;
begin
  -- One after the other, until the act itself is stored: a chain has no two ends.
  perform pg_advisory_xact_lock(hashtext('audit'));
  select number, row_hash into last from audit order by number desc limit 1;
  new.number := coalesce(last.number, 0) + 1;
  new.prev_hash := coalesce(last.row_hash, '');
  new.row_hash := audit_hash(new);
  return new;
end $$;
create trigger audit_is_a_chain before insert on audit for each row execute function chain_audit();
create trigger audit_is_append_only before update or delete on audit
  for each row execute function refuse_rewriting();
create trigger audit_is_not_emptied before truncate on audit
  for each statement execute function refuse_rewriting();

-- Who works on a payment in REVIEW, so that no two people do.
create table review_claims (
  payment_id text primary key,
  person text not null,
  until timestamptz not null
);

-- A reference on a bill or in a provider's list finds its payment.
create index payments_of_invoice on payments (invoice_hash) where invoice_hash is not null;
create index payment_evidence_receipt on payment_evidence (receipt) where receipt is not null;
