-- With which word the browser of its own visit came back from the gateway's page. It proves nothing about the money; without it,
-- a page that is opened again by its bare link would wait for a bank that the customer has left.
alter table payments add column page_word text check (page_word in ('left', 'declined', 'done'));
