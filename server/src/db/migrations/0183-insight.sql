-- Counts of a day by language. Separate from event_counts, whose key has no language.
create table event_days (
  day date not null,
  language text not null,
  event text not null,
  page_name text not null,
  flow text not null,
  outcome text not null,
  count bigint not null,
  primary key (day, language, event, page_name, flow, outcome)
);

create table help_vote_days (
  day date not null,
  language text not null,
  question_id text not null,
  likes integer not null,
  votes integer not null,
  primary key (day, language, question_id)
);

-- Searches without a result, once per visit and day. The keyed hash of the visit changes every day.
create table help_searches (
  day date not null,
  language text not null,
  text text not null,
  visitor text not null,
  at timestamptz not null,
  primary key (day, language, text, visitor)
);
create index help_searches_at on help_searches (at);
