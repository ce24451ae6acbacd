-- When a backup was last made and when one last failed, for the schedule, for monitoring and for whoever asks: two rows at most.
create table last_backups (
  outcome text primary key check (outcome in ('made', 'failed')),
  -- Of one that was made: the moment that it holds. Of one that failed: when it did.
  at timestamptz(3) not null,
  place text,
  bytes bigint,
  reason text
);
