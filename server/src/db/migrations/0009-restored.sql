-- Set on payments that were open when a backup was restored: their providers may have newer states.
alter table payments add column restored_at timestamptz;
