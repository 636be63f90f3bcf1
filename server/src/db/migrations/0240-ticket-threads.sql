-- Strangers who ask about one payment write into one ticket, so that customer care has one to read. Each reads what they wrote
-- themselves and what was answered since: this says which of them wrote a text. Null in the payer's own, and in older ones.
alter table ticket_messages add column thread text;
