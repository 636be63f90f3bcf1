-- Stored unsigned callbacks are counted for each payment and each hour.
create index callbacks_unsigned_payment on callbacks (payment_id) where verdict = 'unsigned';
create index callbacks_unsigned_received on callbacks (received_at) where verdict = 'unsigned';
