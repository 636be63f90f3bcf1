-- Tables that the operator's people keep: what is on sale, and where things are. The pack brings the first version of each.
create table sheets (
  name text primary key,
  -- Grows with each change; whoever changes an entry names the one they saw.
  revision integer not null,
  -- Of what the pack brought last, so that an unchanged one is not imported again.
  pack_digest text
);

-- How an entry stands, from when until when; what ended stays. No two rows of an entry overlap: whoever writes holds the
-- row of the table above.
create table sheet_rows (
  sheet text not null references sheets (name),
  key text not null,
  starts_at timestamptz not null,
  ends_at timestamptz,
  entry jsonb not null,
  -- In which order entries are listed and sold.
  position integer not null,
  -- Of the change that wrote it.
  revision integer not null,
  -- What two people approved is not undone by the next release.
  is_from_pack boolean not null,
  -- What it is found by, in small letters without accents.
  search text not null,
  primary key (sheet, key, starts_at),
  check (ends_at > starts_at)
);
create index sheet_rows_listed on sheet_rows (sheet, position, key, starts_at);

-- What was proposed, exactly as it was shown: what is approved names its digest.
create table sheet_changes (
  id text primary key,
  sheet text not null references sheets (name),
  -- Text, not JSON: the digest is of these very letters.
  changes text not null,
  digest text not null,
  made_at timestamptz not null
);
create trigger sheet_changes_are_frozen before update or delete on sheet_changes
  for each row execute function refuse_rewriting();
