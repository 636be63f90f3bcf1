-- Counted whenever somebody looks at the figures.
create index goodwill_stuck on goodwill (changed_at) where state = 'stuck';
