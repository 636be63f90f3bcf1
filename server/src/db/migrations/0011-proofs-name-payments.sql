-- A proof names what it proves: the visit that made it, and where it pays, the payment it pays.
alter table codes add column payment jsonb;
alter table proofs add column visit text;
alter table proofs add column payment text;

-- How the payer was proved when the order was made; null where anybody may have typed the number.
alter table payments add column payer_proof text;
-- The networks that asked for the money, as keyed hashes: what is paid gives their budgets back.
alter table payments add column asked_from text;
