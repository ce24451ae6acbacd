-- What lists filter by beyond status and moments. Every index here follows the order of creation.

-- Hashes keyed for the account: of each complaint of a session that has ended, and of having been judged. Equal complaints of an account have
-- equal marks; which complaint that is, the table does not tell.
create table session_marks (
  account_id uuid not null,
  session_id uuid not null,
  mark bytea not null,
  configuration_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (account_id, session_id, mark)
);
create index session_marks_by_creation on session_marks (account_id, configuration_id, mark, created_at, session_id);

-- The condition on the status is always true. A list by status does not imply it, so its planner keeps to the index with the status.
create index sessions_by_creation on sessions (account_id, configuration_id, created_at, id) where erased_at is null and status <> '';
-- Level1 to Level4: a red or a warning flag.
create index sessions_flagged on sessions (account_id, configuration_id, created_at, id) where urgency <= 4 and erased_at is null;
create index sessions_with_contact on sessions (account_id, configuration_id, created_at, id)
  where sealed_contact is not null and erased_at is null;

-- A list that was read names its sessions in one entry: who saw a session is found by it too.
create index audit_entries_lists on audit_entries using gin ((detail -> 'sessions')) where action = 'sessions.read';
