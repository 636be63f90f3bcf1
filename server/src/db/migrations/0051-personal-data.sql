-- From here on the portal encrypts numbers, emails and other personal data, in the same columns;
-- rows are found by keyed hashes. SQL has no keys, so existing rows are encrypted by the portal (reseal.ts).
do $$
begin
  -- A portal of before would take what is sealed for a number. From here on portals call themselves otherwise.
  if exists (select from payments) and exists (
    select from pg_stat_activity
    where datname = current_database() and application_name = 'portal' and pid <> pg_backend_pid())
  then
    raise exception 'portals of the version before are connected to this database; stop all of them, then start this one';
  end if;
end $$;

create table personal_data_keys (
  id text primary key,
  -- Encrypted with that key, so that another key of the same name is detected at the start.
  proof text not null,
  -- When a portal that writes with it was last active.
  written_at timestamptz not null
);
insert into personal_data_keys (id, proof, written_at)
select 'clear', '', now()
where exists (select from payments) or exists (select from leads) or exists (select from form_entries)
  or exists (select from codes) or exists (select from callbacks) or exists (select from pin_attempts)
  or exists (select from idempotency_keys) or exists (select from proofs);

alter table payments add column msisdn_hash text, add column payer_hash text, add column email_hash text,
  add column invoice_hash text;
alter table codes add column subject_hash text;

drop index payments_recent, payments_payer_lately, payments_recipient_lately, payments_email_lately, codes_open;
create index payments_of_number on payments (msisdn_hash, created_at);
create index payments_payer_lately on payments (payer_hash, submitted_at) where submitted_at is not null;
create index payments_recipient_lately on payments (msisdn_hash, submitted_at) where submitted_at is not null;
create index payments_email_lately on payments (email_hash, submitted_at)
  where submitted_at is not null and email_hash is not null;
create index codes_open on codes (subject_hash, purpose) where ended_at is null;

-- Rows that are never changed must not contain personal data; from here on the portal removes it before writing.
alter table payment_evidence disable trigger payment_evidence_is_append_only;
update payment_evidence set receipt = replace(receipt, ltrim(payer_msisdn, '0'), '#')
from payments
where payments.id = payment_id and gateway = 'mpesa' and payer_msisdn <> '' and strpos(receipt, ltrim(payer_msisdn, '0')) > 0;
alter table payment_evidence enable trigger payment_evidence_is_append_only;
alter table payment_history disable trigger payment_history_is_append_only;
update payment_history set note = regexp_replace(regexp_replace(note, '\S+@\S+', '#', 'g'), '[+]?\d([ .-]?\d){6,}', '#', 'g')
where note ~ '@|\d([ .-]?\d){6}';
alter table payment_history enable trigger payment_history_is_append_only;
