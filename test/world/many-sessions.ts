type Sql = (text: string, values?: unknown[]) => Promise<unknown>

/** The oldest tenth is erased, and the newest hundredth is ongoing; the rest ended, or was left before or after it had begun. */
const FILL = `insert into sessions (account_id, configuration_id, id, status, created_at, started_at, completed_at, enter_until, active_until,
    abandoned_at, erased_at, last_active_at, language, content_version, secret_hash, sealed_key, sealed_matter, sealed_outcome)
  select $1, $2, gen_random_uuid(), status, created_at,
    case when status in ('Ended', 'StartedChat') then created_at + interval '1 minute' end,
    case when status = 'Ended' then created_at + interval '10 minutes' end,
    created_at + interval '1 day', case when is_new then now() + interval '1 day' else created_at + interval '1 day' end,
    case when status <> 'Ended' and not is_new then created_at + interval '1 day' end,
    case when n > $3::int * 0.9 then now() end, created_at + interval '10 minutes', 'en', '1',
    sha256(n::text::bytea), '\\x01'::bytea || sha512(n::text::bytea), sha512(n::text::bytea),
    sha512(n::text::bytea) || sha512(n::text::bytea) || sha512(n::text::bytea)
  from generate_series($4::int, $5::int) n, lateral (select
    now() - n * (interval '100 days' / $3::int) - interval '1 minute' as created_at,
    n <= $3::int * 0.01 as is_new,
    case when n % 5000 = 7 then 'AiSessionNotCreated' when n % 100 < 60 then 'Ended' when n % 100 < 75 then 'StartedChat' else 'Created' end as status) s`

const AT_ONCE = 20_000

/**
 * Gives a configuration this many sessions of the last hundred days. Their sealed values are random bytes: they can be
 * listed and counted, not opened.
 */
export async function fillSessions(
  sql: Sql,
  { accountId, configurationId }: { accountId: string; configurationId: string },
  count: number,
): Promise<void> {
  for (let from = 1; from <= count; from += AT_ONCE)
    await sql(FILL, [accountId, configurationId, count, from, Math.min(count, from + AT_ONCE - 1)])
}
