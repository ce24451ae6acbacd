-- What statistics are made from, and the sessions that are only tests.

alter table api_keys
  -- What it creates is a test.
  add column is_sandbox boolean not null default false;

alter table sessions
  -- Created with a sandbox key: in no count and in no statistics.
  add column is_test boolean not null default false;

-- Statistics read the sessions created in their range, erased ones too, and no others. The condition on the status is always true: counts of
-- what goes on do not imply it and keep to their own index.
create index sessions_counted on sessions (account_id, configuration_id, created_at) where not is_test and status <> '';

-- As before, without tests. A session never becomes a test, nor stops being one.
create or replace function count_completed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.completed_at is not null and not old.is_test then
    update completed_hours set sessions = sessions - 1
    where account_id = old.account_id and configuration_id = old.configuration_id and hour = hour_of(old.completed_at);
  end if;
  if tg_op <> 'DELETE' and new.completed_at is not null and not new.is_test then
    insert into completed_hours as h (account_id, configuration_id, hour, sessions)
    values (new.account_id, new.configuration_id, hour_of(new.completed_at), 1)
    on conflict (account_id, configuration_id, hour) do update set sessions = h.sessions + 1;
  end if;
  return null;
end $$;
