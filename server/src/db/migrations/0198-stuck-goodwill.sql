-- Counted each time the figures are read.
create index goodwill_stuck on goodwill (changed_at) where state = 'stuck';
