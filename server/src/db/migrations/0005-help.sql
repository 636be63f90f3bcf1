create table help_votes (
  question_id text not null,
  voter text not null,
  liked boolean not null,
  at timestamptz not null,
  primary key (question_id, voter)
);
create index help_votes_at on help_votes (at);

-- The sums, so that reading them does not become slower with every vote.
create table help_scores (
  question_id text primary key,
  likes integer not null,
  votes integer not null
);
