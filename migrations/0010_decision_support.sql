-- A clinician's time with one session after opening the link, and what clinicians judged differently.

create table visits (
  account_id uuid not null,
  id uuid not null,
  hash bytea not null,
  session_id uuid not null,
  configuration_id uuid not null,
  audit_user_identifier text not null,
  token_hash bytea not null,
  key_id uuid not null,
  opened_at timestamptz(3) not null default now(),
  -- Five minutes after the last sign of life of the open page; never past ends_at.
  alive_until timestamptz(3) not null,
  ends_at timestamptz(3) not null,
  primary key (account_id, id)
);
create index visits_hash on visits (hash);
create index visits_session on visits (account_id, session_id);
create index visits_ended on visits (account_id, ends_at);

-- session_level is what the session had when the clinician judged: null while it had no urgency.
create table judgements (
  account_id uuid not null,
  session_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null default clock_timestamp(),
  audit_user_identifier text,
  level smallint not null check (level between 1 and 8),
  session_level smallint check (session_level between 1 and 8),
  sealed_reason bytea,
  primary key (account_id, session_id, id)
);
