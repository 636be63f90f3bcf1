-- A search in the audit log names a day, an act or a subject.
create index audit_of_an_act on audit (act, number desc);
create index audit_about on audit (subject_id, number desc);
create index audit_by_time on audit (at);
