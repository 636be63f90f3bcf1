-- Only counts: no address, no number, no sequence of events of one visitor.
create table event_counts (
  day date not null,
  event text not null,
  page_name text not null,
  flow text not null,
  outcome text not null,
  count bigint not null,
  primary key (day, event, page_name, flow, outcome)
);
