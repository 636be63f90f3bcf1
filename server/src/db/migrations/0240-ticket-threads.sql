-- Strangers who ask about one payment share one ticket, so that customer care has one to read. Each reads only their own messages
-- and later answers: this names the writer. Null in the payer's own ticket, and in older messages.
alter table ticket_messages add column thread text;
