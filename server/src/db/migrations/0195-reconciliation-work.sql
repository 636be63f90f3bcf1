-- Who works on a difference of the daily comparison, and what explains it. The difference itself is in the day's report.
create table reconciliation_work (
  day date not null references reconciliations (day) on delete cascade,
  what text not null,
  reference text not null,
  -- Increases with each change, so that the second of two concurrent changes is refused.
  version integer not null default 1,
  person text,
  explanation text check (explanation in ('timing', 'corrected', 'foreign', 'loss')),
  note text,
  changed_by text not null,
  changed_at timestamptz not null,
  primary key (day, what, reference),
  check ((explanation is null) = (note is null))
);
