-- What customers are told, and what is closed to them: a way to pay that is switched off, a banner, planned maintenance.
create table announcements (
  -- banner, maintenance, or way:<gateway>
  subject text primary key,
  is_on boolean not null,
  -- By language; what was said last stays when it is taken back, to be said again.
  texts jsonb not null,
  starts_at timestamptz,
  ends_at timestamptz,
  -- Of two people who change it at once, the second is told.
  version integer not null,
  changed_at timestamptz not null,
  changed_by text not null
);
