-- A request that is paid after customer care gave it up is new again, so that somebody sees that it is to be installed.
create or replace function follow_lead_status() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  new.stage := case
    when new.status = 'INSTALLED' then 'installed'
    when new.status = 'CLOSED' and new.stage <> 'installed' then 'lost'
    when new.status = 'PAID' and new.stage = 'lost' then 'new'
    when new.status = 'SCHEDULED' and new.stage = 'new' then 'contacted'
    else new.stage end;
  return new;
end $$;
