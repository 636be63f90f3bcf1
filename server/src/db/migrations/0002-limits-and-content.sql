create unlogged table rate_limits (
  key text not null,
  window_start timestamptz not null,
  count integer not null,
  primary key (key, window_start)
);

create table content_packages (
  page text not null,
  version integer not null,
  active boolean not null,
  body jsonb not null,
  digest text not null,
  imported_at timestamptz not null,
  primary key (page, version)
);
create unique index content_packages_active on content_packages (page) where active;
