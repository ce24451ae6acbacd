type Sql = (text: string, values?: unknown[]) => Promise<unknown>
type Rows = (text: string, values?: unknown[]) => Promise<{ rows: { id: string }[] }>

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

/** Which part of the work one of several connections does. */
export type Lane = { at: number; of: number }
const ALONE: Lane = { at: 0, of: 1 }

/**
 * Gives a configuration this many sessions of the last hundred days. Their sealed values are random bytes: they can be
 * listed and counted, not opened.
 */
export async function fillSessions(
  sql: Sql,
  { accountId, configurationId }: { accountId: string; configurationId: string },
  count: number,
  { at, of }: Lane = ALONE,
): Promise<void> {
  for (let from = 1 + at * AT_ONCE; from <= count; from += of * AT_ONCE)
    await sql(FILL, [accountId, configurationId, count, from, Math.min(count, from + AT_ONCE - 1)])
}

export const ANSWERS_PER_SESSION = 12
export const ENTRIES_PER_SESSION = 3

/** Far behind the entries of a real chain, which goes on from where it is. */
const FIRST_ENTRY = 1_000_000_000

/** Of the sessions after an id: answers as large as what a screen's are sealed into, and as random, and audit entries. */
const FILL_MORE = `with part as materialized (
    select account_id, id from sessions where account_id = $1 and id > $2 and id < $5 order by id limit $3),
  answered as (
    insert into answers (account_id, session_id, seq, id, sealed)
    select account_id, s.id, n, gen_random_uuid(), sha512(random()::text::bytea) || sha512(random()::text::bytea)
    from part s, generate_series(1, ${ANSWERS_PER_SESSION}) n),
  recorded as (
    insert into audit_entries (account_id, seq, at, actor, action, subject, detail, hash)
    select account_id, $4::bigint + row_number() over (), now(), 'user', 'session.started', s.id::text,
      '{"configuration": "bench", "contentVersion": "2026.11.1"}', sha256(random()::text::bytea)
    from part s, generate_series(1, ${ENTRIES_PER_SESSION}) n)
  select id from part order by id desc limit 1`

const LANE_ENTRIES = 100_000_000

/** Gives every session of an account its answers and audit entries. In the order of their ids, or most of the time would go into the indexes. */
export async function fillAnswers(
  sql: Rows,
  { accountId }: { accountId: string },
  { at, of }: Lane = ALONE,
): Promise<void> {
  const [first, end] = [idAt(at / of), idAt((at + 1) / of)]
  let last: string | undefined = first
  for (let filled = 0; last !== undefined; filled += AT_ONCE) {
    const entry = FIRST_ENTRY + at * LANE_ENTRIES + filled * ENTRIES_PER_SESSION
    const { rows } = await sql(FILL_MORE, [accountId, last, AT_ONCE, entry, end])
    last = rows[0]?.id
  }
}

/** The id at this share of all ids. */
const idAt = (share: number): string =>
  `${Math.min(0xffffffff, Math.floor(share * 2 ** 32))
    .toString(16)
    .padStart(8, '0')}-0000-0000-0000-000000000000`
