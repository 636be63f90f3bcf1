-- A proof names its visit and, if it pays, its payment.
alter table codes add column payment jsonb;
alter table proofs add column visit text;
alter table proofs add column payment text;

-- The payer's proof at the time of the order; null if anybody may have entered the number.
alter table payments add column payer_proof text;
-- The wallet's proof for this payment: reserved during the call to the wallet, and stored once it paid.
alter table payments add column proof_digest text;
-- PINs that were sent to the wallet and have no response yet, with the time. Until then they count like wrong ones.
alter table pin_attempts add column unanswered integer not null default 0;
alter table pin_attempts add column unanswered_since timestamptz;
-- The networks that requested the payment, as keyed hashes. Once it is paid, their budgets are restored.
alter table payments add column asked_from text;
