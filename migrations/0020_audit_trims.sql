-- Old audit entries can be removed by retention: always the beginning of a chain, after an entry that says so.

-- The last entry that was removed, or is about to be, and its hash: the chain goes on from there. Believed only as far as an
-- entry of the chain says the same.
alter table audit_heads
  add column trimmed_seq bigint not null default 0,
  add column trimmed_hash bytea,
  add check ((trimmed_seq = 0) = (trimmed_hash is null));

drop trigger audit_entries_stay on audit_entries;
create trigger audit_entries_stay before update or truncate on audit_entries
  for each statement execute function audit_entries_stay();

create function audit_entries_stay_until_trimmed() returns trigger language plpgsql as $$
begin
  if exists (
    select from gone g left join audit_heads h on h.account_id = g.account_id where g.seq > coalesce(h.trimmed_seq, 0)
  ) then
    raise exception 'audit entries are only ever added, and removed by retention alone';
  end if;
  return null;
end $$;
create trigger audit_entries_stay_until_trimmed after delete on audit_entries referencing old table as gone
  for each statement execute function audit_entries_stay_until_trimmed();
