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
  sealed_extended_data bytea,
  sealed_outcome bytea,
  primary key (account_id, id)
) with (fillfactor = 85);

create index sessions_created on sessions (account_id, configuration_id, created_at desc, id desc);
create index sessions_completed on sessions (account_id, configuration_id, completed_at) where completed_at is not null;
-- Small however many sessions there are: what can still be ongoing.
create index sessions_ongoing on sessions (account_id, configuration_id, created_at)
  where completed_at is null and abandoned_at is null and erased_at is null;
create index sessions_secret on sessions (secret_hash);

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
  issued_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (account_id, hash)
);
create index link_tokens_hash on link_tokens (hash);
