-- Which proposal of two people a link came from: one gives one link.
alter table console_invitations add column proposal text unique references approvals (id);
