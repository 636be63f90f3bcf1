-- What happened on a day, in a language. Counts and nothing else, as in event_counts, whose key has no room for a language.
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

-- Words that found no answer: each visit once a day, by a keyed hash that is another one tomorrow.
create table help_searches (
  day date not null,
  language text not null,
  text text not null,
  visitor text not null,
  at timestamptz not null,
  primary key (day, language, text, visitor)
);
create index help_searches_at on help_searches (at);
