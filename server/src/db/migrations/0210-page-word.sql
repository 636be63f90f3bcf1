-- The status with which the browser of this visit returned from the gateway's page. It proves nothing about the money. Without it,
-- a status page that is opened again by its link would wait for a bank page that the customer has left.
alter table payments add column page_word text check (page_word in ('left', 'declined', 'done'));
