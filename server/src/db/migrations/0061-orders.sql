-- One order is one purchase: several payments may be begun for it, and the one that holds its claim delivers it. The digest
-- is of the order's own random number and of what it is for; null for a payment that is an order by itself.
alter table payments add column order_id text;
alter table payments add column order_digest text;
create index payments_of_order on payments (order_digest) where order_digest is not null;
create table order_claims (
  order_digest text primary key,
  payment_id text not null unique references payments (id),
  claimed_at timestamptz not null
);
