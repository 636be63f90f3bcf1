-- How far customer care is with a request for home broadband, which of them works on it, and what they noted.
alter table leads
  add column stage text not null default 'new' check (stage in ('new', 'contacted', 'installed', 'lost')),
  -- Counts every change, so that of two people who act at once the second is told.
  add column version integer not null default 0,
  add column assigned_to text references console_people (id);

update leads set stage = case status when 'SCHEDULED' then 'contacted' when 'INSTALLED' then 'installed' else 'lost' end
  where status in ('SCHEDULED', 'INSTALLED', 'CLOSED');

create index leads_in_stage on leads (stage, created_at, id);
create index leads_of_person on leads (stage, assigned_to, created_at, id);

-- What the CRM says moves a lead along, whichever version of the portal heard it; customer care may move it again.
create function follow_lead_status() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.stage := case
    when new.status = 'INSTALLED' then 'installed'
    when new.status = 'CLOSED' and new.stage <> 'installed' then 'lost'
    when new.status = 'SCHEDULED' and new.stage = 'new' then 'contacted'
    else new.stage end;
  return new;
end $$;
create trigger leads_follow_status before update of status on leads
  for each row when (new.status is distinct from old.status) execute function follow_lead_status();

create table lead_notes (
  id text primary key,
  lead_id text not null references leads (id) on delete cascade,
  -- The lead's version that it made.
  version integer not null,
  at timestamptz not null,
  person text not null,
  text text not null,
  unique (lead_id, version)
);
