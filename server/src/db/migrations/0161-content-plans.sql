-- Which version somebody saw when they wrote this one.
alter table content_packages add column begun_from integer;

-- A version that is shown from a time on, decided beforehand.
create table content_plans (
  id text primary key,
  -- What was decided together is published together.
  proposal text not null,
  page text not null,
  version integer not null,
  -- What was shown when it was decided; where that is something else by then, nothing is published over it.
  shown integer not null,
  at timestamptz not null,
  planned_by text not null,
  planned_at timestamptz not null,
  state text not null default 'planned',
  ended_at timestamptz,
  check (state in ('planned', 'published', 'takenBack', 'overtaken')),
  check ((state = 'planned') = (ended_at is null))
);
create unique index content_plans_one_a_page on content_plans (page) where state = 'planned';
create index content_plans_due on content_plans (at) where state = 'planned';
create index content_plans_of_a_page on content_plans (page, planned_at desc);
