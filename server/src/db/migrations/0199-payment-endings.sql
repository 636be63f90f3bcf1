-- Final states of the payments of past days, counted once an hour or a day, because counting millions for each request is slow.
create table payment_ending_days (
  day date not null,
  language text not null,
  way text not null,
  ended text not null,
  count integer not null,
  counted_at timestamptz not null,
  primary key (day, language, way, ended)
);
