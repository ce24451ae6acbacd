import { entered } from './chats.ts'
import type { Row } from './rows.ts'
import { setStage } from './stage.ts'

const INTERVIEWS = 1_000
const LONGEST_SECONDS = 300

/** Many interviews at once on one process, each on its own connection, answered to the end without pauses. */
export async function rows(): Promise<Row[]> {
  const stage = await setStage()
  try {
    const chats = await entered(stage, INTERVIEWS)
    const job = {
      port: stage.port,
      connections: INTERVIEWS,
      seconds: LONGEST_SECONDS,
      requests: [],
      chats,
      finishes: true,
    }
    const { perSecond, p50Ms, p99Ms, refused, ended } = await stage.load(job)
    const note = `median ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`
    return [
      { name: `${INTERVIEWS} interviews at once: sent to the end`, value: ended, unit: 'interviews', bar: INTERVIEWS },
      { name: 'of their requests: refused or failed', value: refused, unit: 'requests', bar: 0, atMost: true },
      { name: 'their answers', value: perSecond, unit: 'requests/s', note },
    ]
  } finally {
    await stage.strike()
  }
}
