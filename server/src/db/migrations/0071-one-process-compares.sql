-- A day is compared by one process of many: the one that claimed it. A day that is being compared has no report yet.
alter table reconciliations add column claimed_until timestamptz;
alter table reconciliations alter column done_at drop not null;
alter table reconciliations alter column unexplained drop not null;
alter table reconciliations alter column report drop not null;
