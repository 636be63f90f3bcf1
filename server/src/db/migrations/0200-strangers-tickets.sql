-- A stranger's ticket does not prevent other tickets, because the payer may use another phone and is a stranger there. The
-- lock of the payment (tickets.store.ts) limits the payer to one open ticket.
drop index tickets_one_open_a_payment;
