-- The callbacks of a payment are read with the enquiry that states that it was paid.
create index callbacks_signed_payment on callbacks (payment_id) where verdict = 'signed';
