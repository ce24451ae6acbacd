-- The nodes that run: each renews its row every few seconds and removes it when it stops; others remove one that fell silent.
create table nodes (
  id uuid primary key,
  host text not null,
  pid integer not null,
  version text not null,
  started_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default clock_timestamp()
) with (fillfactor = 50);
