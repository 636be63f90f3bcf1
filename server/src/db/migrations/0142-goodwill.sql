-- Credits of the operator after a delivery. A separate row, so that the payment stays unchanged.
create table goodwill (
  -- The reference for the charging system, fixed before the first call.
  id text primary key,
  approval_id text not null unique references approvals (id),
  payment_id text not null references payments (id),
  amount bigint not null check (amount > 0),
  currency text not null,
  state text not null check (state in ('due', 'sending', 'unknown', 'given', 'refused', 'stuck')),
  version integer not null default 0,
  epoch bigint not null,
  looks integer not null default 0,
  sent_at timestamptz,
  due_at timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  provider_reference text
);
-- One per purchase, except refused ones.
create unique index goodwill_once on goodwill (payment_id) where state <> 'refused';
create index goodwill_due on goodwill (due_at) where due_at is not null;
