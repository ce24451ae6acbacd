import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Value } from '../../src/engine/content.ts'
import { answerScreen } from '../../src/engine/screens.ts'
import { type Node, spawnNode } from '../world/nodes.ts'
import { Patient, type Reply } from '../world/patient.ts'

type Request = 'enter' | 'answer' | 'announce' | 'part' | 'last part' | 'finish' | 'stop'

/** When to kill: around the request of this number and kind. */
export type ShouldKill = (step: number, request: Request) => boolean

/**
 * Two interviews during which the node is killed around chosen requests: somewhere between the request's arrival and its answer. One has a picture
 * and is sent, the other stops at the emergency card. Each killed request is sent again, with the same id, to a node that was started anew.
 */
export async function interviewsUnderKills(
  environment: Record<string, string>,
  slug: string,
  shouldKill: ShouldKill,
): Promise<{ node: Node; kills: number }> {
  let node: Node = await spawnNode(environment)
  const urls = [node.url]
  let step = 0
  let kills = 0

  /** Sends until an answer comes; the first time perhaps with a kill. */
  async function surely(request: Request, send: () => Promise<Reply>): Promise<void> {
    if (shouldKill(step++, request)) {
      kills++
      const sent = send().catch(() => null)
      await wait(Math.random() * 25)
      await node.stop('SIGKILL')
      await sent
      node = await spawnNode(environment)
      urls[0] = node.url
    }
    const reply = await send()
    expect(reply.status, `${request} ${JSON.stringify(reply.body).slice(0, 200)}`).toBeLessThan(300)
  }

  async function entered(): Promise<Patient> {
    const patient = new Patient(urls)
    const id = `${randomUUID()}${randomUUID()}`.replaceAll('-', '').slice(0, 43)
    await surely('enter', () => patient.enterOpen(slug, { id }))
    return patient
  }

  /** Answers what is asked until nothing is, or the emergency card stands. */
  async function answered(patient: Patient, story: Record<string, Value>): Promise<void> {
    const told: string[] = []
    let screens = 0
    for (;;) {
      await patient.look()
      const { step: now, version, alarm } = patient.now
      if (now.kind !== 'ask' || alarm) break
      const id = randomUUID()
      const answers = answerScreen(now.questions, (question) => answerTo(question, story))
      // The signs of a screen are one row of what was answered, under the first of them.
      const isOfSigns = now.questions.every(({ kind }) => kind === 'sign')
      told.push(...(isOfSigns ? answers.slice(0, 1) : answers).map(({ question }) => question))
      screens++
      await surely('answer', () => patient.give(answers, { id, version }))
    }
    expect(patient.now.ledger.map(({ question }) => question).sort()).toEqual([...told].sort())
    expect(patient.now.version).toBe(screens) // every screen once: none lost, none doubled
  }

  async function uploaded(patient: Patient): Promise<void> {
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
    const bytes = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'red', noise } })
      .jpeg()
      .toBuffer()
    const id = randomUUID()
    const middle = Math.floor(bytes.length / 2)
    await surely('announce', () => patient.call('POST', '/session/files', { id, name: 'a.jpg', size: bytes.length }))
    const send = async (from: number, to: number): Promise<Reply> => {
      const headers = { 'upload-offset': String(from) }
      const reply = await patient.call('PATCH', `/session/files/${id}`, bytes.subarray(from, to), headers)
      // It had arrived before the node died: the app goes on from there.
      return reply.status === 409 && reply.body.received === to ? { ...reply, status: 200 } : reply
    }
    await surely('part', () => send(0, middle))
    await surely('last part', () => send(middle, bytes.length))
    await patient.look()
    expect(patient.now.files).toMatchObject([{ id, ready: true, received: bytes.length }])
  }

  const sender = await entered()
  await answered(sender, { complaints: ['sore-throat'] })
  await uploaded(sender)
  await surely('finish', () => sender.finish())
  const stopper = await entered()
  await answered(stopper, { stroke_signs_last_day: true })
  await surely('stop', () => stopper.stop())
  for (const patient of [sender, stopper]) {
    await patient.look()
    expect(patient.now).toMatchObject({ status: 'Ended', step: { kind: 'outcome' } })
  }
  expect(sender.now.files).toHaveLength(1)
  expect(stopper.now.step).toMatchObject({ outcome: { level: 'Level1' } })
  return { node, kills }
}

function answerTo({ id, kind }: { id: string; kind: string }, story: Record<string, Value>): Value {
  const fixed: Record<string, Value> = {
    for_whom: 'self',
    age: 40,
    sex: 'male',
    issue_type: 'regular',
    complaints: ['general'],
    fever: 'no',
    ...story,
  }
  if (id in fixed) return fixed[id] ?? null
  return kind === 'yesno' || kind === 'sign' ? false : kind === 'many' ? ['none'] : null
}
