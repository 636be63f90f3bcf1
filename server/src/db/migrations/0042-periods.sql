-- When the retention period was over and personal data was removed; the ledger and the history stay.
alter table payments add column forgotten_at timestamptz;
create index payments_to_forget on payments (created_at) where forgotten_at is null;
create index pin_attempts_changed on pin_attempts (changed_at);
create index payment_cards_at on payment_cards (at);
