-- How somebody of the console likes to look at a list: which filters, under a name of their own. Never whom they look for.
create table console_views (
  id text primary key,
  person_id text not null references console_people (id) on delete cascade,
  page text not null,
  name text not null,
  filters jsonb not null,
  saved_at timestamptz not null,
  unique (person_id, page, name)
);
