-- A manual closing can end by itself.
alter table access_events add column until timestamptz(3);
