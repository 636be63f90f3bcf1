-- A stranger's ticket keeps nobody else from one: the payer may be on another phone by now, and is a stranger there. That the
-- payer has one open at a time is kept by the lock of the payment (tickets.store.ts).
drop index tickets_one_open_a_payment;
