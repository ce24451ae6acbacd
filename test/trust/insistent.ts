import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { Patient, type Reply, screenAnswers } from '../world/patient.ts'
import type { World } from '../world/world.ts'

/** People who go through interviews one after another, and send again, with the same id, whatever was not acknowledged. */
export type Insistent = {
  /** The ids of acknowledged screens, by session. */
  acknowledged: Map<string, string[]>
  /** Sessions whose end was acknowledged. */
  finished: Set<string>
  /** How often nothing came back, or a refusal to try again. */
  refusals: () => number
  /** What came back and is neither an acknowledgement nor a refusal to try again. */
  unforeseen: string[]
  /** Ends when everyone has had an answer to what they sent last. */
  stop: () => Promise<void>
}

class Unforeseen extends Error {}

export function insistentPatients(
  urls: readonly string[],
  slug: string,
  { people = 6, patienceMs = null as number | null } = {},
): Insistent {
  const acknowledged = new Map<string, string[]>()
  const finished = new Set<string>()
  const unforeseen: string[] = []
  let refusals = 0
  let isOver = false

  async function surely(send: () => Promise<Reply>): Promise<void> {
    for (;;) {
      const reply = await send().catch(() => null)
      if (reply && reply.status < 300) return
      refusals++
      if (reply && reply.status !== 503) throw new Unforeseen(`${reply.status} ${JSON.stringify(reply.body)}`)
      await wait(50)
    }
  }

  async function interview(): Promise<void> {
    const patient = new Patient(urls)
    patient.patienceMs = patienceMs
    const id = `${randomUUID()}${randomUUID()}`.replaceAll('-', '').slice(0, 43)
    await surely(() => patient.enterOpen(slug, { id }))
    const screens: string[] = []
    acknowledged.set(patient.now.sessionId, screens)
    while (!isOver) {
      const { step, version } = patient.now
      if (step.kind !== 'ask') break
      const screen = randomUUID()
      const answers = screenAnswers(step.questions, { issue_type: 'admin' })
      await surely(() => patient.give(answers, { id: screen, version }))
      screens.push(screen)
      await wait(20)
    }
    if (patient.now.step.kind === 'ask') return
    await surely(() => patient.finish())
    finished.add(patient.now.sessionId)
  }

  const everyone = Array.from({ length: people }, async () => {
    while (!isOver)
      await interview().catch((error) => {
        unforeseen.push(String(error))
        isOver ||= !(error instanceof Unforeseen)
      })
  })
  return {
    acknowledged,
    finished,
    unforeseen,
    refusals: () => refusals,
    stop: async () => {
      isOver = true
      await Promise.all(everyone)
    },
  }
}

/** Everyone's screens are stored, each once and no other; and so are their ends. */
export async function expectNothingLost({ sql }: Pick<World, 'sql'>, people: Insistent): Promise<void> {
  expect(people.unforeseen).toEqual([])
  const sessions = [...people.acknowledged.keys()]
  const rows = await sql('select session_id, id from answers where session_id = any($1)', [sessions])
  const stored = Map.groupBy(rows, ({ session_id }) => String(session_id))
  for (const [session, screens] of people.acknowledged)
    expect((stored.get(session) ?? []).map(({ id }) => id).sort(), session).toEqual([...screens].sort())
  const ended = await sql(`select id from sessions where status = 'Ended' and id = any($1)`, [sessions])
  expect(ended.map(({ id }) => id).sort()).toEqual([...people.finished].sort())
}
