import { verifyChain } from '../../src/events/verify.ts'
import { DEPLOYMENT } from '../../src/store/accounts.ts'
import type { World } from './world.ts'

type Ends = { id: string; n: number }

/** What must hold in a database whatever requests, nodes and kills did to it; each violation is a sentence. */
export async function brokenInvariants({ sql, app }: Pick<World, 'sql' | 'app'>): Promise<string[]> {
  const broken: string[] = []
  const ends = (await sql(
    `select s.id, (select count(*)::int from audit_entries e where e.account_id = s.account_id and e.subject = s.id::text
       and e.action in ('session.finished', 'session.stopped', 'session.left')) as n
     from sessions s where s.completed_at is not null`,
  )) as Ends[]
  for (const { id, n } of ends) if (n !== 1) broken.push(`I2: session ${id} is completed and ended ${n} times`)

  const told = await sql(
    `select d.id from webhook_deliveries d join webhook_endpoints e using (account_id, configuration_id, endpoint)
     left join sessions s on s.account_id = d.account_id and s.id = d.session_id
     where d.type = 'session.completed' and s.completed_at is null`,
  )
  for (const { id } of told) broken.push(`I3: event ${id} tells of a session that is not completed`)
  const untold = await sql(
    `select s.id from sessions s join webhook_endpoints e using (account_id, configuration_id)
     where s.completed_at is not null and s.erased_at is null and e.enabled and 'session.completed' = any(e.events)
       and not exists (select 1 from webhook_deliveries d where d.account_id = s.account_id and d.session_id = s.id and d.endpoint = e.endpoint
         and d.type = 'session.completed')`,
  )
  for (const { id } of untold) broken.push(`I3: session ${id} is completed and no event tells it`)

  const counted = await sql(
    `select configuration_id, sum(n)::int as off from (
       select configuration_id, sessions::int as n from completed_hours
       union all select configuration_id, -1 from sessions where completed_at is not null) all_of_them
     group by configuration_id having sum(n) <> 0`,
  )
  for (const { configuration_id, off } of counted) broken.push(`I4: the count of ${configuration_id} is off by ${off}`)

  for (const { id } of [{ id: DEPLOYMENT }, ...(await sql('select id from accounts'))]) {
    const verdict = await verifyChain(app.core, String(id), [])
    if (!verdict.ok) broken.push(`I5: the chain of ${id} does not verify`)
  }

  for (const [owned, owner] of [
    ['session_id', 'sessions'],
    ['configuration_id', 'configurations'],
  ] as const)
    for (const { table } of await sql(
      `select table_name as table from information_schema.columns where table_schema = 'public' and column_name in ('account_id', $1)
       group by table_name having count(*) = 2`,
      [owned],
    )) {
      const strays = await sql(
        `select 1 from ${table} t where t.${owned} is not null and t.account_id <> '${DEPLOYMENT}'
           and not exists (select 1 from ${owner} o where o.account_id = t.account_id and o.id = t.${owned})`,
      )
      if (strays.length > 0) broken.push(`I6: ${strays.length} rows of ${table} name ${owner} of another account`)
    }
  return broken
}
