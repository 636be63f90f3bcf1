-- A proof names what it proves: the visit that made it, and where it pays, the payment it pays.
alter table codes add column payment jsonb;
alter table proofs add column visit text;
alter table proofs add column payment text;

-- How the payer was proved when the order was made; null where anybody may have typed the number.
alter table payments add column payer_proof text;
-- The proof of a wallet that makes this payment: it is held while the wallet is asked, and kept once it paid.
alter table payments add column proof_digest text;
-- PINs that were sent to the wallet and not answered yet, and since when: they count like wrong ones until then.
alter table pin_attempts add column unanswered integer not null default 0;
alter table pin_attempts add column unanswered_since timestamptz;
-- The networks that asked for the money, as keyed hashes: what is paid gives their budgets back.
alter table payments add column asked_from text;
