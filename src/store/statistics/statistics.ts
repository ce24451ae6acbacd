import { type Db, sql } from '../database/db.ts'

export const PERIODS = ['hour', 'day'] as const
export type Period = (typeof PERIODS)[number]

/** The middle and the long end of what sessions took: p50 and p90. */
type Spread = readonly [p50: number, p90: number] | null

/** A line of one of the tables that make up the statistics; what a table does not have is null. */
export type StatisticsRow = {
  part: 'total' | 'period' | 'urgency' | 'language' | 'complaint' | 'release' | 'judgement'
  /** Milliseconds of a period's beginning, a level, a language, or a complaint's mark in hex. */
  key: string | null
  release: string | null
  created: number | null
  started: number | null
  finished: number
  left_by_user: number | null
  erased: number | null
  seconds: Spread
  screens: Spread
  agreed: number | null
  under: number | null
  over: number | null
}

const FUNNEL = `count(*)::int as created, count(*) filter (where is_started)::int as started, count(*) filter (where is_finished)::int as finished,
     count(*) filter (where is_left)::int as left_by_user, count(*) filter (where is_finished and is_erased)::int as erased`
const FINISHED = `null::int, null::int, count(*)::int, null::int, null::int`
const SPREADS = `percentile_cont(array[0.5, 0.9]) within group (order by seconds) filter (where is_finished) as seconds,
     percentile_cont(array[0.5, 0.9]) within group (order by screens) filter (where is_finished) as screens`
const NO_SPREADS = `null::float8[], null::float8[]`
const NO_JUDGEMENTS = `null::int as agreed, null::int as under, null::int as over`

/**
 * All tables from one look, so that they agree with each other. What is read are the sessions created in the range; the
 * contents of erased ones are gone, so they are in no table but the first two. The last judgement of a session counts.
 */
const STATISTICS = sql(
  'statistics',
  `with own as materialized (
     select id, case $5 when 'hour' then hour_of(created_at) else date_trunc('day', created_at, $6) end as period,
       started_at is not null as is_started, completed_at is not null as is_finished,
       started_at is not null and completed_at is null and active_until <= now() as is_left, erased_at is not null as is_erased,
       urgency, language, content_version, extract(epoch from completed_at - started_at)::float8 as seconds, version::float8 as screens
     from sessions where account_id = $1 and configuration_id = $2 and created_at >= $3 and created_at < $4 and not is_test and status <> ''),
   ended as materialized (select * from own where is_finished and not is_erased),
   about as (
     select ended.*, encode(m.mark, 'hex') as complaint from ended
     left join session_marks m on m.account_id = $1 and m.session_id = ended.id and m.mark <> $7),
   judged as (
     select complaint, content_version, sign(last.level - about.urgency) as later from about cross join lateral (
       select level from judgements where account_id = $1 and session_id = about.id order by at desc, id desc limit 1) last
     where about.urgency is not null)
   select 'total' as part, null::text as key, null::text as release, ${FUNNEL}, ${SPREADS}, ${NO_JUDGEMENTS} from own
   union all select 'period', (extract(epoch from period) * 1000)::bigint::text, null, ${FUNNEL}, ${SPREADS}, ${NO_JUDGEMENTS} from own group by period
   union all select 'urgency', urgency::text, null, ${FINISHED}, ${SPREADS}, ${NO_JUDGEMENTS} from ended group by urgency
   union all select 'language', language, null, ${FINISHED}, ${SPREADS}, ${NO_JUDGEMENTS} from ended group by language
   union all select 'complaint', complaint, null, ${FINISHED}, ${SPREADS}, ${NO_JUDGEMENTS} from about group by complaint
   union all select 'release', null, content_version, ${FINISHED}, ${NO_SPREADS}, ${NO_JUDGEMENTS} from ended group by content_version
   union all select 'judgement', complaint, content_version, ${FINISHED}, ${NO_SPREADS}, count(*) filter (where later = 0)::int,
     count(*) filter (where later < 0)::int, count(*) filter (where later > 0)::int from judged group by complaint, content_version`,
)

/** The figures of the sessions that were created in a range. It costs as much as there are such sessions. */
export const readStatistics = (
  db: Pick<Db, 'query'>,
  accountId: string,
  configurationId: string,
  { start, end, by, timeZone, judged }: { start: Date; end: Date; by: Period; timeZone: string; judged: Buffer },
): Promise<StatisticsRow[]> =>
  db.query<StatisticsRow>(STATISTICS, [accountId, configurationId, start, end, by, timeZone, judged])
