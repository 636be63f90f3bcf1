-- When a shop is open, as `Mo-Fr 08:00-17:00; Sa 08:00-12:00`; empty if not known.
alter table shops add column hours text not null default '';
