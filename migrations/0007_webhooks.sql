-- The completion webhook: where an account wants to hear of ended sessions, what is on its way, and what came back.

create table webhook_endpoints (
  account_id uuid not null,
  configuration_id uuid not null,
  sealed_url bytea not null,
  sealed_token bytea,
  enabled boolean not null default true,
  -- While disabled: who or what stopped it ('operator', 'gone', 'failing') and when.
  disabled_reason text check (disabled_reason in ('operator', 'gone', 'failing')),
  disabled_at timestamptz(3),
  -- Nothing but failure from failing_since to failed_at; both go with the first success.
  failing_since timestamptz(3),
  failed_at timestamptz(3),
  warned_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (account_id, configuration_id),
  check (enabled = (disabled_reason is null))
);
create index webhook_endpoints_failing on webhook_endpoints (failing_since) where failing_since is not null;

-- The newest signs; during a rotation the one before it signs too, until it expires.
create table webhook_secrets (
  account_id uuid not null,
  configuration_id uuid not null,
  id uuid not null,
  sealed_secret bytea not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3),
  primary key (account_id, configuration_id, id)
);

-- The outbox: a reference to the session, never its content. `tries` counts the attempts of the current cycle,
-- `attempts` all there ever were; `claim` is held by the node that is sending, until next_at at the longest.
create table webhook_deliveries (
  account_id uuid not null,
  id text not null default 'evt_' || replace(gen_random_uuid()::text, '-', '') check (id ~ '^evt_[0-9a-f]{32}$'),
  configuration_id uuid not null,
  session_id uuid,
  -- Which there are is the program's to say.
  type text not null check (type ~ '^[a-z]+\.[a-z]+$'),
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  tries integer not null default 0,
  attempts integer not null default 0,
  claim uuid,
  created_at timestamptz(3) not null default clock_timestamp(),
  next_at timestamptz(3) not null default now(),
  settled_at timestamptz(3),
  primary key (account_id, id)
) with (fillfactor = 80);
create unique index webhook_deliveries_of_session on webhook_deliveries (account_id, session_id, type) where session_id is not null;
create index webhook_deliveries_due on webhook_deliveries (account_id, configuration_id, next_at) where state = 'pending';
create index webhook_deliveries_failed on webhook_deliveries (account_id, configuration_id) where state = 'failed';
-- Without the id: with it, an id could be looked for through the whole account instead of by the key.
create index webhook_deliveries_created on webhook_deliveries (account_id, configuration_id, created_at desc);

create table webhook_attempts (
  account_id uuid not null,
  delivery_id text not null,
  number integer not null,
  at timestamptz(3) not null,
  duration_ms integer,
  status smallint,
  error text,
  sealed_answer bytea,
  primary key (account_id, delivery_id, number)
);
