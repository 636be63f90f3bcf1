-- Requests for home broadband. They hold names and addresses, so they are deletable by id and forgotten in time.
create table leads (
  id text primary key,
  -- The proof it was sent with, hashed: the same request sent again is the same lead.
  proof_digest text not null unique,
  body_digest text not null,
  full_name text not null,
  contact_number text not null,
  line_type text not null,
  email text not null,
  is_feasible boolean not null,
  address jsonb not null,
  plan_code text not null,
  plan_amount bigint not null,
  plan_currency text not null,
  plan_description text not null,
  source text not null,
  reference text not null,
  works_id text,
  language text not null,
  status text not null,
  -- How far handing it to the operator's CRM is; due_at is null when nothing is left to do.
  handover text not null,
  crm_reference text,
  -- The one payment whose order is brought; another one for the same lead goes back.
  paid_by text,
  attempts integer not null default 0,
  due_at timestamptz,
  looked_at timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
create index leads_due on leads (due_at) where due_at is not null;
create index leads_created on leads (created_at);

create table lead_history (
  lead_id text not null references leads (id) on delete cascade,
  status text not null,
  at timestamptz not null,
  primary key (lead_id, status)
);
