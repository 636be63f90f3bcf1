-- When a shop is open, as `Mo-Fr 08:00-17:00; Sa 08:00-12:00`; empty where nobody has said.
alter table shops add column hours text not null default '';
