-- Announcements to customers: a payment method that is switched off, a banner, planned maintenance.
create table announcements (
  -- banner, maintenance, or way:<gateway>
  subject text primary key,
  is_on boolean not null,
  -- By language. The texts stay after an announcement ends, so that it can be repeated.
  texts jsonb not null,
  starts_at timestamptz,
  ends_at timestamptz,
  -- The second of two concurrent changes is refused.
  version integer not null,
  changed_at timestamptz not null,
  changed_by text not null
);
