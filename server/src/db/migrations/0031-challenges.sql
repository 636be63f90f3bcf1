-- The networks whose challenge paid for a code, as keyed hashes; null for a code that was asked for none.
alter table codes add column asked_from text;
-- The network whose kept budget paid for it, likewise; null where it was not kept.
alter table codes add column kept_for text;

-- A solved challenge serves once. It lives for minutes, so what a crash empties was nearly over.
create unlogged table solved_challenges (
  id text primary key,
  expires_at timestamptz not null
);

-- Who has a proof already is asked for no challenge.
create index proofs_visit on proofs (visit, expires_at);
