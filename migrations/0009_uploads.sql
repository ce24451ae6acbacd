-- Files that users add. Bytes are sealed: in parts while they arrive, then as one, here or in an object store.
create table uploads (
  account_id uuid not null,
  session_id uuid not null,
  id uuid not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  sealed_name bytea not null,
  size integer not null,
  received integer not null default 0,
  mime_type text,
  flags text[] not null default '{}',
  stored_size integer,
  object_key text,
  sealed_bytes bytea,
  ready_at timestamptz(3),
  removed_at timestamptz(3),
  primary key (account_id, session_id, id)
);
-- Taken away or erased, with bytes still to be deleted in the object store.
create index uploads_left on uploads (account_id) where object_key is not null and removed_at is not null;

create table upload_parts (
  account_id uuid not null,
  session_id uuid not null,
  upload_id uuid not null,
  start integer not null,
  sealed bytea not null,
  primary key (account_id, session_id, upload_id, start)
);
