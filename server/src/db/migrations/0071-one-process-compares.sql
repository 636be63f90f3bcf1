-- One process compares a day: the one that claimed it. A day in progress has no report yet.
alter table reconciliations add column claimed_until timestamptz;
alter table reconciliations alter column done_at drop not null;
alter table reconciliations alter column unexplained drop not null;
alter table reconciliations alter column report drop not null;
