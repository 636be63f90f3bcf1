-- What a provider stated about a payment in its callbacks is read with the enquiry that says that it was paid.
create index callbacks_signed_payment on callbacks (payment_id) where verdict = 'signed';
