-- Saved filters of console lists, per person. Never the customer that is searched for.
create table console_views (
  id text primary key,
  person_id text not null references console_people (id) on delete cascade,
  page text not null,
  name text not null,
  filters jsonb not null,
  saved_at timestamptz not null,
  unique (person_id, page, name)
);
