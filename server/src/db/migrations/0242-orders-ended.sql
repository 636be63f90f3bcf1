-- Purchases of the day by how they ended: one that was tried again, or paid another way, counts once. Null where not counted yet.
alter table payment_ending_days add column orders integer;
