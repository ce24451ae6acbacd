-- What a user does in the triage UI: answers, the browser that gives them, and files.

alter table sessions
  add column last_active_at timestamptz(3) not null default now(),
  add column alarm_level smallint,
  add column takeover_tries smallint not null default 0;

-- Small: sessions where the emergency card stands. Without last_active_at: an index that moves with every answer would make every other index of the session move too.
create index sessions_alarmed on sessions (account_id, id) where alarm_level is not null and completed_at is null;

-- Append-only and numbered: the session's truth. Which question was answered is health data too, so it is sealed with the value.
create table answers (
  account_id uuid not null,
  session_id uuid not null,
  seq integer not null,
  id uuid not null,
  at timestamptz(3) not null default clock_timestamp(),
  sealed bytea not null,
  primary key (account_id, session_id, seq)
);

-- What users prove themselves with: a secret issued on entering, kept by a browser as a cookie or sent by a headless client as bearer.
create table user_cookies (
  account_id uuid not null,
  hash bytea not null,
  kind text not null check (kind in ('cookie', 'bearer')),
  session_id uuid not null,
  -- Of the id that the client gave to its entering, so that sending it again is the same entering.
  entry_hash bytea,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  signed_out_at timestamptz(3),
  primary key (account_id, hash)
);
create index user_cookies_hash on user_cookies (hash);
create index user_cookies_session on user_cookies (account_id, session_id);
