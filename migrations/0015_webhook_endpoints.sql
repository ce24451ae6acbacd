-- A configuration may have several endpoints, told apart by name; the one there was is 'main'. The default lets nodes of
-- the version before go on queueing while this one starts beside them.
alter table webhook_endpoints
  add column endpoint text not null default 'main' check (endpoint ~ '^[a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?$'),
  drop constraint webhook_endpoints_pkey,
  add primary key (account_id, configuration_id, endpoint);
alter table webhook_secrets add column endpoint text not null default 'main';
alter table webhook_deliveries add column endpoint text not null default 'main';

drop index webhook_deliveries_of_session;
create unique index webhook_deliveries_of_session on webhook_deliveries (account_id, session_id, type, endpoint)
  where session_id is not null;
drop index webhook_deliveries_due;
create index webhook_deliveries_due on webhook_deliveries (account_id, configuration_id, endpoint, next_at) where state = 'pending';
