-- Accounts, what they publish, and the keys of the programs that act for them.
-- Every table of an account leads its key with account_id, so that it can be spread over nodes without change.

create table accounts (
  id uuid primary key,
  name text not null,
  active boolean not null default true,
  time_zone text not null default 'Europe/Helsinki',
  sealed_key bytea not null,
  created_at timestamptz(3) not null default now()
);

-- Tells the master key that everything here is sealed with from any other; it is one row, and says nothing of the key itself.
create table master_key_checks (
  is_only boolean primary key default true check (is_only),
  check_value bytea not null
);

create table configurations (
  account_id uuid not null references accounts (id),
  id uuid not null,
  slug text not null,
  enabled boolean not null default true,
  document jsonb not null,
  -- Counts changes, so that a node can tell whether what it read is still so.
  revision integer not null default 1,
  created_at timestamptz(3) not null default now(),
  primary key (account_id, id)
);

-- Addresses are unique in the whole deployment: this one table finds the account behind an address.
create table slugs (
  slug text primary key,
  account_id uuid not null,
  configuration_id uuid not null
);

create table api_keys (
  account_id uuid not null,
  id uuid not null,
  configuration_id uuid not null,
  hash bytea not null,
  hint text not null,
  note text not null default '',
  issued_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (account_id, id)
);
create index api_keys_hash on api_keys (hash);

create table access_events (
  account_id uuid not null,
  id bigint generated always as identity,
  at timestamptz(3) not null default clock_timestamp(),
  kind text not null check (kind in ('opened', 'closed')),
  closed_reason text,
  -- Noticed by the service itself: hours or cap opened or closed. Such events are told and decide nothing.
  automatic boolean not null default false,
  -- Of a manual opening: fewer than the cap of ongoing sessions were once going on after it, so it holds against that cap no more.
  was_below boolean not null default false,
  primary key (account_id, id)
);
create index access_events_manual on access_events (account_id, id) where not automatic;

-- A statement of a batch that did not change the rows it was meant to undoes the batch.
create function expect_rows(actual bigint, expected bigint) returns boolean language plpgsql as $$
begin
  if actual is distinct from expected then
    raise exception 'rows: % instead of %', actual, expected using errcode = 'FY001';
  end if;
  return true;
end $$;

-- Whoever enters does so through an open gate, or the batch is undone.
create function expect_open(is_open boolean) returns boolean language plpgsql as $$
begin
  if is_open is not true then
    raise exception 'the gate is closed, or not as it was seen' using errcode = 'FY003';
  end if;
  return true;
end $$;

create function expect_head(moved bigint) returns boolean language plpgsql as $$
begin
  if moved <> 1 then
    raise exception 'the audit chain has moved on' using errcode = 'FY002';
  end if;
  return true;
end $$;
