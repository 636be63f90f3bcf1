-- Which entries a proposal changes, and from which revision of each, so that the list of proposals, which is asked for
-- every few seconds, need not read all changes of large files.
create function changed_keys(changes text) returns text[] language sql immutable as $$
  select coalesce(array_agg(change ->> 'key' order by place), '{}')
  from jsonb_array_elements(changes::jsonb -> 'changes') with ordinality as entry (change, place)
$$;
create function changed_revisions(changes text) returns integer[] language sql immutable as $$
  select coalesce(array_agg((change ->> 'revision')::integer order by place), '{}')
  from jsonb_array_elements(changes::jsonb -> 'changes') with ordinality as entry (change, place)
$$;
alter table sheet_changes
  add column keys text[] generated always as (changed_keys(changes)) stored,
  add column revisions integer[] generated always as (changed_revisions(changes)) stored;
