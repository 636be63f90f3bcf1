-- Proposals that another person approves. They are carried out in the transaction of the approval.
create table approvals (
  id text primary key,
  kind text not null,
  subject_kind text not null,
  subject_id text not null,
  payload jsonb not null,
  -- Digest of the whole proposal. An approval names the digest that was shown.
  digest text not null,
  reason text not null,
  -- False if the amount is small enough for one person.
  needs_two boolean not null,
  proposed_by text not null references console_people (id),
  proposed_at timestamptz not null,
  expires_at timestamptz not null,
  state text not null default 'open',
  approved_by text references console_people (id),
  -- Who refused or withdrew it.
  closed_by text references console_people (id),
  decided_at timestamptz,
  note text,
  -- The person whose data it is about, encrypted, until it is decided.
  about text,
  check (state in ('open', 'approved', 'refused', 'withdrawn', 'expired')),
  check (expires_at = proposed_at + interval '168 hours'),
  check (approved_by <> proposed_by),
  check (needs_two is not true or state <> 'approved' or approved_by is not null),
  check (state <> 'approved' or decided_at < expires_at),
  check (state <> 'refused' or (closed_by is not null and closed_by <> proposed_by)),
  check (state <> 'withdrawn' or closed_by = proposed_by)
);
create unique index approvals_one_open on approvals (kind, subject_id) where state = 'open';
create index approvals_newest on approvals (proposed_at desc, id desc);
create index approvals_of_a_subject on approvals (subject_kind, subject_id, proposed_at desc);

create function approval_digest(each approvals) returns text language sql stable as $$
  select encode(sha256(convert_to(jsonb_build_array(
    each.id, each.kind, each.subject_kind, each.subject_id, each.payload, each.reason, each.needs_two,
    each.proposed_by, extract(epoch from each.proposed_at)::text)::text, 'UTF8')), 'hex')
$$;

create function freeze_approval() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.digest := approval_digest(new);
    return new;
  end if;
  if (new.id, new.kind, new.subject_kind, new.subject_id, new.payload, new.digest, new.reason, new.needs_two,
      new.proposed_by, new.proposed_at, new.expires_at)
    is distinct from (old.id, old.kind, old.subject_kind, old.subject_id, old.payload, old.digest, old.reason,
      old.needs_two, old.proposed_by, old.proposed_at, old.expires_at)
    then raise exception 'a proposal is frozen';
  end if;
  if old.state <> 'open'
    and (new.state, new.approved_by, new.closed_by, new.decided_at, new.note)
      is distinct from (old.state, old.approved_by, old.closed_by, old.decided_at, old.note)
    then raise exception 'a proposal is decided once';
  end if;
  -- Somebody with two accounts is one person.
  if new.approved_by is not null and exists (
    select from console_people one, console_people other
    where one.id = new.proposed_by and other.id = new.approved_by and lower(one.email) = lower(other.email))
    then raise exception 'nobody approves what they proposed' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger approvals_are_frozen before insert or update on approvals
  for each row execute function freeze_approval();
create trigger approvals_are_kept before delete on approvals
  for each row execute function refuse_rewriting();
