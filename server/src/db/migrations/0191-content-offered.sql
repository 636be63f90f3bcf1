-- A version from a release that waits for review, because the page shows an edited version.
alter table content_packages add column offered boolean not null default false;
