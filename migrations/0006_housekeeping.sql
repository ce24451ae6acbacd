-- What housekeeping looks for, so that finding it stays cheap however much has been kept and erased.

create index idempotency_keys_created on idempotency_keys (account_id, created_at);
create index link_tokens_expires on link_tokens (account_id, expires_at);
