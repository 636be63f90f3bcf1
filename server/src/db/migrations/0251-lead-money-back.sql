-- When finance recorded that the money of a request that was lost went back to its payer. Until then it is kept, because
-- without it nobody could tell to whom money is owed.
alter table leads add column money_back_at timestamptz;
create index leads_paid on leads (paid_by) where paid_by is not null and money_back_at is null and stage <> 'installed';
