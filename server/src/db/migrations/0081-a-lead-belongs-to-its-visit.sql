-- Which visit sent a lead: only it may pay for it, since paying shows whom it is for.
alter table leads add column visit text;
