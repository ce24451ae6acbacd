import pg from 'pg'
import { fillAnswers, fillSessions } from '../test/world/many-sessions.ts'

const LANES = 4

type Place = { accountId: string; configurationId: string }

/** Loads this many sessions with their answers and audit entries, over several connections. Returns how long it took, and the size of the database. */
export async function filled(url: string, place: Place, sessions: number): Promise<{ seconds: number; bytes: number }> {
  const lanes = Array.from({ length: LANES }, () => new pg.Client({ connectionString: url }))
  try {
    await Promise.all(lanes.map((lane) => lane.connect()))
    const inLanes = (work: (lane: pg.Client, at: number) => Promise<unknown>) => Promise.all(lanes.map(work))
    const begunMs = performance.now()
    await inLanes((lane) => lane.query('set synchronous_commit = off'))
    await inLanes((lane, at) => fillSessions(sqlOf(lane), place, sessions, { at, of: LANES }))
    await inLanes((lane, at) => fillAnswers(sqlOf(lane), place, { at, of: LANES }))
    const seconds = (performance.now() - begunMs) / 1_000
    const [first] = lanes
    await first?.query('vacuum analyze')
    const size = await first?.query('select pg_database_size(current_database())::float8 as bytes')
    return { seconds, bytes: size?.rows[0].bytes }
  } finally {
    await Promise.all(lanes.map((lane) => lane.end()))
  }
}

const sqlOf = (lane: pg.Client) => (text: string, values?: unknown[]) => lane.query(text, values)
