-- Who changed which content, and when, because the operator is responsible for its texts.
create table content_changes (
  page text not null,
  version integer not null,
  action text not null,
  by text not null,
  at timestamptz not null
);
create index content_changes_page on content_changes (page, at);

-- Messages from visitors to the operator, deleted after the configured period.
create table form_entries (
  id text primary key,
  form_type text not null,
  email text,
  data jsonb not null,
  language text not null,
  created_at timestamptz not null
);
create index form_entries_created on form_entries (created_at);
