-- An order is one purchase. Several payments may be started for it; the one that holds its claim is delivered. The digest
-- is of the order's random number and contents; null for a payment that is an order by itself.
alter table payments add column order_id text;
alter table payments add column order_digest text;
create index payments_of_order on payments (order_digest) where order_digest is not null;
create table order_claims (
  order_digest text primary key,
  payment_id text not null unique references payments (id),
  claimed_at timestamptz not null
);
