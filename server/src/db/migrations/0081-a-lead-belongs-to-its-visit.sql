-- The visit that sent a lead. Only it may pay, because paying shows whom the lead is for.
alter table leads add column visit text;
