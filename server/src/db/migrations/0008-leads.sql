-- Requests for home broadband. They contain names and addresses, so they can be deleted by id and are deleted after their period.
create table leads (
  id text primary key,
  -- The hash of its proof, so that a repeated request is the same lead.
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
  -- State of the transfer to the operator's CRM; due_at is null when it is done.
  handover text not null,
  crm_reference text,
  -- The payment whose order is delivered; other payments for the same lead are refunded.
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
