-- Messages from visitors are read and marked as done.
alter table form_entries add column done_at timestamptz, add column done_by text;
create index form_entries_open on form_entries (created_at, id) where done_at is null;
create index form_entries_done on form_entries (created_at, id) where done_at is not null;
