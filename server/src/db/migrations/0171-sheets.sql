-- Tables that the operator's staff edit: what is on sale, and where things are. The pack has the first version of each.
create table sheets (
  name text primary key,
  -- Increases with each change. A change names the revision that it is based on.
  revision integer not null,
  -- Digest of the entries imported last, so that an unchanged pack is not imported again.
  pack_digest text
);

-- The values of an entry and their period; ended rows stay. No two rows of an entry overlap, because a writer locks the
-- row of the table above.
create table sheet_rows (
  sheet text not null references sheets (name),
  key text not null,
  starts_at timestamptz not null,
  ends_at timestamptz,
  entry jsonb not null,
  -- The order in which entries are listed and sold.
  position integer not null,
  -- Revision of the change that wrote it.
  revision integer not null,
  -- An entry that two people approved is not replaced by the next release.
  is_from_pack boolean not null,
  -- The searched text, in lower case without accents.
  search text not null,
  primary key (sheet, key, starts_at),
  check (ends_at > starts_at)
);
create index sheet_rows_listed on sheet_rows (sheet, position, key, starts_at);

-- The proposed changes exactly as they were shown. An approval names their digest.
create table sheet_changes (
  id text primary key,
  sheet text not null references sheets (name),
  -- Text, not JSON, because the digest is of these characters.
  changes text not null,
  digest text not null,
  made_at timestamptz not null
);
create trigger sheet_changes_are_frozen before update or delete on sheet_changes
  for each row execute function refuse_rewriting();
