-- Which events an endpoint wants to hear of; which there are is the program's to say.
alter table webhook_endpoints add column events text[] not null default '{session.completed}' check (cardinality(events) > 0);
