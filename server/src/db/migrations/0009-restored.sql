-- Set on what was open when a backup is restored: providers may know more about such a payment than we do.
alter table payments add column restored_at timestamptz;
