-- A version that a release brought while people showed words of their own: it waits to be looked at.
alter table content_packages add column offered boolean not null default false;
