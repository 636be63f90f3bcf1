-- Messages of customers, customer care and the portal about a payment.
create table tickets (
  -- The number to state on the phone; it gives no access by itself.
  id text primary key,
  payment_id text not null,
  opened_by text not null check (opened_by in ('customer', 'care', 'portal')),
  -- Opened in the browser that paid.
  is_own boolean not null,
  state text not null check (state in ('new', 'waitingForUs', 'waitingForCustomer', 'solved')),
  -- Increases with each change, so that the second of two concurrent answers is refused.
  version integer not null,
  opened_at timestamptz not null,
  promised_at timestamptz not null,
  answered_at timestamptz,
  solved_at timestamptz,
  changed_at timestamptz not null
);
-- Anybody who did not pay in that browser gets a separate ticket, without the messages of the payer.
create unique index tickets_one_open_a_payment on tickets (payment_id, (opened_by = 'customer' and not is_own))
  where state <> 'solved';
create index tickets_of_payment on tickets (payment_id, opened_at);
create index tickets_open on tickets (promised_at, id) where state <> 'solved';
create index tickets_in_state on tickets (state, promised_at, id);

create table ticket_messages (
  id text primary key,
  ticket_id text not null references tickets (id),
  -- The version of the ticket after this message.
  version integer not null,
  at timestamptz not null,
  author text not null check (author in ('customer', 'care', 'portal')),
  -- The person of customer care.
  person text,
  -- A message of the portal is a key, translated to the reader's language.
  said text,
  text text,
  unique (ticket_id, version)
);
create index ticket_messages_at on ticket_messages (at);

-- Overdue promises of a payment, each once until it is kept.
create table ticket_causes (
  payment_id text not null,
  cause text not null,
  ticket_id text not null references tickets (id),
  noticed_at timestamptz not null,
  settled_at timestamptz,
  primary key (payment_id, cause)
);
create index ticket_causes_open on ticket_causes (noticed_at) where settled_at is null;

-- Messages that were sent about a payment, with their delivery state, but without recipient and text.
create table sent_messages (
  payment_id text not null,
  kind text not null,
  way text not null check (way in ('sms', 'mail')),
  -- Distinguishes messages that may be sent repeatedly.
  occasion text not null default '',
  outcome text not null check (outcome in ('sent', 'failed', 'overBudget')),
  tries integer not null default 1,
  at timestamptz not null,
  primary key (payment_id, kind, way, occasion)
);
