-- Keys can be replaced while the service runs.

-- What every keyed hash is derived from, sealed with the master key: it stays when the master key changes. Null in a
-- database of before, where it is the master key itself; the next start fills it in.
alter table master_key_checks
  add column sealed_root bytea,
  add column since timestamptz(3) not null default clock_timestamp();

-- Master keys of before, by their check values, so that whoever comes with one is told when it was replaced.
create table master_keys_replaced (
  check_value bytea primary key,
  replaced_at timestamptz(3) not null default clock_timestamp()
);

-- Which master keys each running node holds, so that none is left behind by a rotation.
create table master_key_holders (
  node uuid primary key,
  host text not null,
  process integer not null,
  checks bytea[] not null,
  seen_at timestamptz(3) not null default clock_timestamp()
);

-- The numbers of the keys that an account has; the keys themselves are sealed in accounts.sealed_key.
create table account_keys (
  account_id uuid not null,
  number integer not null check (number between 1 and 65535),
  added_at timestamptz(3) not null default clock_timestamp(),
  -- Null: nodes are learning of it, and nothing is sealed with it yet.
  used_since timestamptz(3),
  -- Nothing new may be sealed with it from then on.
  closed_at timestamptz(3),
  -- How far what older keys sealed has been sealed anew with this one: the last session looked at, how many values there
  -- were at the beginning and how many are done, and whether the current look through them met one to do.
  reseal_after uuid,
  reseal_total bigint,
  resealed bigint not null default 0,
  reseal_met boolean not null default false,
  resealed_at timestamptz(3),
  primary key (account_id, number)
);

-- Until the trigger is there nobody makes an account: it would have no key here.
lock table accounts in share row exclusive mode;
insert into account_keys (account_id, number, used_since, resealed_at) select id, 1, created_at, created_at from accounts;

create function first_account_key() returns trigger language plpgsql as $$
begin
  insert into account_keys (account_id, number, used_since, resealed_at) values (new.id, 1, now(), now()) on conflict do nothing;
  return null;
end $$;
create trigger first_account_key after insert on accounts for each row execute function first_account_key();

-- Which of an account's keys sealed a value: told by its first bytes, the first key's as they always were.
create function account_key_number(sealed bytea) returns integer language sql immutable strict as $$
  select case when length(sealed) > 2 and get_byte(sealed, 0) = 2 then get_byte(sealed, 1) * 256 + get_byte(sealed, 2) else 1 end
$$;

-- Nothing may be sealed with a key that is about to go, however late its writer is. The lock lets the closing of a key
-- wait for those who are still writing.
create function expect_account_key(account uuid, sealed bytea) returns void language plpgsql as $$
begin
  perform 1 from account_keys
    where account_id = account and number = account_key_number(sealed) and closed_at is null for key share;
  if not found then
    raise exception 'sealed with a key of before' using errcode = 'FY004';
  end if;
end $$;

create function expect_account_key_of_session() returns trigger language plpgsql as $$
begin
  perform expect_account_key(new.account_id, new.sealed_key);
  return new;
end $$;
create trigger sealed_with_live_key before insert or update of sealed_key on sessions
  for each row when (new.sealed_key is not null) execute function expect_account_key_of_session();

create function expect_account_key_of_idempotency() returns trigger language plpgsql as $$
begin
  perform expect_account_key(new.account_id, new.sealed_response);
  return new;
end $$;
create trigger sealed_with_live_key before insert or update of sealed_response on idempotency_keys
  for each row execute function expect_account_key_of_idempotency();

create function expect_account_key_of_secret() returns trigger language plpgsql as $$
begin
  perform expect_account_key(new.account_id, new.sealed_secret);
  return new;
end $$;
create trigger sealed_with_live_key before insert or update of sealed_secret on webhook_secrets
  for each row execute function expect_account_key_of_secret();

create function expect_account_key_of_url() returns trigger language plpgsql as $$
begin
  perform expect_account_key(new.account_id, new.sealed_url);
  return new;
end $$;
create trigger sealed_with_live_key before insert or update of sealed_url on webhook_endpoints
  for each row execute function expect_account_key_of_url();

create function expect_account_key_of_token() returns trigger language plpgsql as $$
begin
  perform expect_account_key(new.account_id, new.sealed_token);
  return new;
end $$;
create trigger token_sealed_with_live_key before insert or update of sealed_token on webhook_endpoints
  for each row when (new.sealed_token is not null) execute function expect_account_key_of_token();
