-- What housekeeping looks for, so that finding it stays cheap however much has been kept and erased.

create index sessions_kept on sessions (account_id, configuration_id, created_at) where erased_at is null;
create index idempotency_keys_created on idempotency_keys (account_id, created_at);
create index link_tokens_expires on link_tokens (account_id, expires_at);
