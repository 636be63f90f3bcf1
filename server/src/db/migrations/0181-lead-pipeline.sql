-- The stage of a request for home broadband in customer care, who works on it, and their notes.
alter table leads
  add column stage text not null default 'new' check (stage in ('new', 'contacted', 'installed', 'lost')),
  -- Increases with each change, so that the second of two concurrent changes is refused.
  add column version integer not null default 0,
  add column assigned_to text references console_people (id);

update leads set stage = case status when 'SCHEDULED' then 'contacted' when 'INSTALLED' then 'installed' else 'lost' end
  where status in ('SCHEDULED', 'INSTALLED', 'CLOSED');

create index leads_in_stage on leads (stage, created_at, id);
create index leads_of_person on leads (stage, assigned_to, created_at, id);

-- The state in the CRM moves a lead to its stage, whichever version of the portal received it; customer care may move it again.
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
  -- The version of the lead after this change.
  version integer not null,
  at timestamptz not null,
  person text not null,
  text text not null,
  unique (lead_id, version)
);
