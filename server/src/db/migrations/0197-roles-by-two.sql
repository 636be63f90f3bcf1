-- The approved proposal that a link came from; each gives one link.
alter table console_invitations add column proposal text unique references approvals (id);
