import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { Patient } from '../journeys/patient.ts'
import { type Node, spawnNode } from '../world/nodes.ts'

/**
 * A whole interview during which the node is killed around chosen requests: somewhere between the request's arrival and its answer. Each
 * killed request is sent again, with the same answer id, to a node that was started anew.
 */
export async function interviewUnderKills(
  environment: Record<string, string>,
  slug: string,
  shouldKill: (step: number) => boolean,
) {
  let node: Node = await spawnNode(environment)
  const urls = [node.url]
  const patient = new Patient(urls)
  let step = 0
  let kills = 0

  /** Sends until an answer comes; the first time perhaps with a kill. */
  async function surely(send: () => Promise<{ status: number; body: object }>): Promise<void> {
    if (shouldKill(step++)) {
      kills++
      const sent = send().catch(() => null)
      await wait(Math.random() * 25)
      await node.stop('SIGKILL')
      await sent
      node = await spawnNode(environment)
      urls[0] = node.url
    }
    const reply = await send()
    expect(reply.status, JSON.stringify(reply.body).slice(0, 200)).toBeLessThan(300)
  }

  await patient.enterOpen(slug)
  const told: string[] = []
  for (;;) {
    await patient.look()
    const { step: now, version } = patient.now
    if (now.kind !== 'ask') break
    const id = randomUUID()
    const value = answerTo(now.question)
    told.push(now.question.id)
    await surely(() => patient.answer(now.question.id, value, { id, version }))
  }
  expect(patient.now.ledger.map(({ question }) => question).sort()).toEqual([...told].sort())
  expect(patient.now.version).toBe(told.length) // every answer once: none lost, none doubled
  await surely(() => patient.finish())
  await patient.look()
  expect(patient.now.step.kind).toBe('outcome')
  return { node, patient, kills }
}

function answerTo({ id, kind }: { id: string; kind: string }) {
  const fixed: Record<string, unknown> = {
    for_whom: 'self',
    age: 40,
    sex: 'male',
    issue_type: 'regular',
    complaints: ['sore-throat'],
    fever: 'no',
  }
  if (id in fixed) return fixed[id] as string
  return kind === 'yesno' ? false : kind === 'many' ? ['none'] : null
}
