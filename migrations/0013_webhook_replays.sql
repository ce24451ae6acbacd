-- When a delivery was last sent again on request: from then on it waits anew, and is no first attempt any more.
alter table webhook_deliveries add column replayed_at timestamptz(3);
