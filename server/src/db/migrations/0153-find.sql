-- Every printed reference finds its payment or lead, and each page of results is as fast as the first.
alter table payments add column account_hash text;
create index payments_of_account on payments (account_hash, created_at) where account_hash is not null;
create index payments_of_payer on payments (payer_hash, created_at) where submitted_at is not null;
create index payments_of_email on payments (email_hash, created_at)
  where submitted_at is not null and email_hash is not null;

alter table leads add column number_hash text, add column email_hash text;
create index leads_of_number on leads (number_hash, created_at);
create index leads_of_email on leads (email_hash, created_at);

-- Rows from before this migration; empty once portals have filled them.
create index payments_without_account_hash on payments (id) where account_id is not null and account_hash is null;
create index leads_without_hashes on leads (id) where number_hash is null;
