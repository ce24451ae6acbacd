-- When an account is open by itself: monitored hours, and the most sessions it takes.
alter table accounts add column monitored_hours jsonb, add column cap jsonb;
-- Entered sessions by the moment of entering, for caps.
create index sessions_entered on sessions (account_id, started_at) where started_at is not null;
