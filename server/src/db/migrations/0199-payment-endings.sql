-- How the payments of a past day ended, counted once an hour or a day: millions are not counted whenever somebody looks.
create table payment_ending_days (
  day date not null,
  language text not null,
  way text not null,
  ended text not null,
  count integer not null,
  counted_at timestamptz not null,
  primary key (day, language, way, ended)
);
