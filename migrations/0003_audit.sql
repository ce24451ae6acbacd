-- Who did or saw what, and when: one chain of keyed hashes for each account, append-only.

-- The chain of the deployment itself has zeros for the account.
create table audit_heads (
  account_id uuid primary key,
  seq bigint not null,
  hash bytea not null
);

create table audit_entries (
  account_id uuid not null,
  seq bigint not null,
  at timestamptz(3) not null,
  actor text not null,
  action text not null,
  subject text not null,
  detail jsonb not null,
  hash bytea not null,
  primary key (account_id, seq)
);
create index audit_entries_subject on audit_entries (account_id, subject, seq);

create function audit_entries_stay() returns trigger language plpgsql as $$
begin
  raise exception 'audit entries are only ever added';
end $$;
create trigger audit_entries_stay before update or delete or truncate on audit_entries
  for each statement execute function audit_entries_stay();
