-- Each decision of the risk rules about a payment before money moves. `facts` are the counts that they
-- used, so that a day can be replayed with other rules. They contain no personal data.
create table payment_decisions (
  payment_id text not null,
  at timestamptz not null,
  position bigint generated always as identity primary key,
  decision text not null,
  rule text,
  facts jsonb not null
);
create index payment_decisions_payment on payment_decisions (payment_id);
create index payment_decisions_at on payment_decisions (at);
create trigger payment_decisions_are_append_only before update or delete on payment_decisions
  for each row execute function refuse_rewriting();

-- The card that paid, by its gateway's fingerprint, as a keyed hash.
create table payment_cards (
  payment_id text primary key,
  card text not null,
  at timestamptz not null
);
create index payment_cards_card on payment_cards (card, at);

-- A person released a held payment.
alter table payments add column released_at timestamptz;

-- Recent sums of one payer, recipient, browser or address.
create index payments_payer_lately on payments (payer_msisdn, submitted_at) where submitted_at is not null;
create index payments_recipient_lately on payments (msisdn, submitted_at) where submitted_at is not null;
create index payments_visit_lately on payments (visit, submitted_at) where submitted_at is not null;
create index payments_email_lately on payments (lower(email), submitted_at)
  where submitted_at is not null and email is not null;
