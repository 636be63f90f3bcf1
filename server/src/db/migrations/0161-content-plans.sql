-- The version that this one is based on.
alter table content_packages add column begun_from integer;

-- A version that is published at a scheduled time.
create table content_plans (
  id text primary key,
  -- Pages that were scheduled together are published together.
  proposal text not null,
  page text not null,
  version integer not null,
  -- The active version when it was scheduled. If another one is active by then, nothing is published.
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
