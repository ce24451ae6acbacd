-- Sessions. Columns that hold what the patient said are sealed (bytea); erasing a session deletes its sealed_key.

create table sessions (
  account_id uuid not null,
  id uuid not null,
  configuration_id uuid not null,
  status text not null check (status in ('Created', 'StartedChat', 'Ended', 'AiSessionNotCreated')),
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  completed_at timestamptz(3),
  enter_until timestamptz(3) not null,
  active_until timestamptz(3) not null,
  abandoned_at timestamptz(3),
  erased_at timestamptz(3),
  flow text not null default 'Standard',
  language text not null,
  patient_age double precision,
  patient_sex text,
  user_is_patient boolean,
  issue_type text not null default 'None',
  urgency smallint,
  override_demand_management boolean not null default false,
  return_url text,
  content_version text,
  given jsonb not null default '{}',
  version integer not null default 0,
  secret_hash bytea not null,
  sealed_key bytea,
  sealed_matter bytea,
  -- What create said, for when the user takes back what they said instead.
  sealed_given_matter bytea,
  sealed_given_signs bytea,
  sealed_extended_data bytea,
  sealed_outcome bytea,
  -- A hash, keyed with the session's own key, over what stands in this row: one that was written past the program is not opened.
  state_seal bytea,
  -- How the patient can be reached, and what the integrating system knows them by.
  sealed_contact bytea,
  sealed_reference bytea,
  primary key (account_id, id)
) with (fillfactor = 85);

-- Lists read the rows they show and hardly more: by status and creation, or by completion. Erased sessions are in no list.
create index sessions_by_status on sessions (account_id, configuration_id, status, created_at, id) where erased_at is null;
create index sessions_by_completion on sessions (account_id, configuration_id, completed_at, id)
  where completed_at is not null and erased_at is null;
-- Counts keep the erased ones.
create index sessions_completed on sessions (account_id, configuration_id, completed_at) where completed_at is not null;
-- Small however many sessions there are: what can still be ongoing.
create index sessions_ongoing on sessions (account_id, configuration_id, created_at)
  where completed_at is null and abandoned_at is null and erased_at is null;
create index sessions_secret on sessions (secret_hash);

-- How many sessions were completed in each hour, so that counting them costs the same however many there are. Kept by the sessions themselves,
-- in the transaction that completes one and at its very end: nothing else is waited for while an hour's row is held.
create table completed_hours (
  account_id uuid not null,
  configuration_id uuid not null,
  hour timestamptz not null,
  sessions bigint not null,
  primary key (account_id, configuration_id, hour)
) with (fillfactor = 50);

create function hour_of(at timestamptz) returns timestamptz language sql immutable parallel safe
  return date_bin('1 hour', at, timestamptz '2000-01-01 00:00:00Z');

create function count_completed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.completed_at is not null then
    update completed_hours set sessions = sessions - 1
    where account_id = old.account_id and configuration_id = old.configuration_id and hour = hour_of(old.completed_at);
  end if;
  if tg_op <> 'DELETE' and new.completed_at is not null then
    insert into completed_hours as h (account_id, configuration_id, hour, sessions)
    values (new.account_id, new.configuration_id, hour_of(new.completed_at), 1)
    on conflict (account_id, configuration_id, hour) do update set sessions = h.sessions + 1;
  end if;
  return null;
end $$;
create constraint trigger completed_added after insert on sessions deferrable initially deferred
  for each row when (new.completed_at is not null) execute function count_completed();
create constraint trigger completed_moved after update of completed_at on sessions deferrable initially deferred
  for each row when (old.completed_at is distinct from new.completed_at) execute function count_completed();
create constraint trigger completed_gone after delete on sessions deferrable initially deferred
  for each row when (old.completed_at is not null) execute function count_completed();

create table idempotency_keys (
  account_id uuid not null,
  configuration_id uuid not null,
  key_hash bytea not null,
  request_hash bytea not null,
  sealed_response bytea not null,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, configuration_id, key_hash)
);

create table link_tokens (
  account_id uuid not null,
  hash bytea not null,
  session_id uuid not null,
  configuration_id uuid not null,
  audit_user_identifier text not null,
  -- Revoking the key that issued it ends the link and its visits.
  key_id uuid not null,
  issued_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  -- One of its visits was ended by the clinician: it opens no other.
  ended_at timestamptz(3),
  primary key (account_id, hash)
);
create index link_tokens_hash on link_tokens (hash);
