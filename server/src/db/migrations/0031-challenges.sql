-- The networks whose challenge paid for a code, as keyed hashes; null if there was no challenge.
alter table codes add column asked_from text;
-- The network whose kept budget paid for it, likewise; null if another budget did.
alter table codes add column kept_for text;

-- A solved challenge can be used once. It is valid for minutes, so losing the table in a crash does little harm.
create unlogged table solved_challenges (
  id text primary key,
  expires_at timestamptz not null
);

-- A client with a proof gets no challenge.
create index proofs_visit on proofs (visit, expires_at);
