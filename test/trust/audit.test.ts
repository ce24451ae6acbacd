import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Checkpoint, Checkpoints, linesOf, readCheckpoints, takeCheckpoint } from '../../src/events/checkpoint.ts'
import { coreOf } from '../../src/events/core.ts'
import { verifyChain } from '../../src/events/verify.ts'
import { StaleChain, sql } from '../../src/store/database/db.ts'
import { openPostgres } from '../../src/store/database/postgres.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { send } from '../world/call.ts'
import { newWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

/** An account with a chain of a dozen entries and a checkpoint of its end. */
async function chain(): Promise<{ id: string; key: string; checkpoint: Checkpoint; last: number }> {
  const { accountId: id, key } = await world.clinic()
  for (let at = 0; at < 10; at++) await send(`${world.url}/api/v1/session`, 'POST', { key })
  const checkpoint = await takeCheckpoint(world.app.core, id, new Date())
  if (!checkpoint) throw new Error('no checkpoint')
  return { id, key, checkpoint, last: checkpoint.seq }
}

const verify = (id: string, checkpoints: Checkpoint[] = []) => verifyChain(world.app.core, id, checkpoints)

/** What somebody can do who writes to the database but has no master key: the guard against changes is switched off. */
async function tamper(...statements: [text: string, values?: unknown[]][]): Promise<void> {
  await world.sql('alter table audit_entries disable trigger user')
  for (const [text, values] of statements) await world.sql(text, values)
  await world.sql('alter table audit_entries enable trigger user')
}

const MOVE = 'update audit_entries set seq = $3 where account_id = $1 and seq = $2'

describe('A50 the audit chain', () => {
  test('is whole as it was written, with and without its checkpoint', async () => {
    const { id, checkpoint, last } = await chain()
    expect(await verify(id)).toEqual({
      ok: true,
      entries: last,
      checkpoints: 0,
      lastCheckpointSeq: null,
      trimmed: null,
    })
    expect(await verify(id, [checkpoint])).toMatchObject({ ok: true, entries: last, lastCheckpointSeq: last })
  })

  test('refuses to be changed by plain statements', async () => {
    const { id } = await chain()
    for (const text of [
      `update audit_entries set actor = 'x' where account_id = $1`,
      'delete from audit_entries where account_id = $1',
    ]) {
      await expect(world.sql(text, [id])).rejects.toThrow('only ever added')
    }
    await expect(world.sql('truncate audit_entries')).rejects.toThrow('only ever added')
  })

  const edits: [what: string, assignment: string][] = [
    ['who', `actor = 'key:somebody-else'`],
    ['what', `action = 'session.read'`],
    ['whom', `subject = '00000000-0000-0000-0000-000000000000'`],
    ['when', `at = at + interval '1 second'`],
    ['the detail', `detail = detail || '{"x": 1}'`],
    ['the hash', `hash = decode(repeat('00', 32), 'hex')`],
  ]
  for (const [what, assignment] of edits) {
    test(`shows an edit of ${what}`, async () => {
      const { id } = await chain()
      await tamper([`update audit_entries set ${assignment} where account_id = $1 and seq = 5`, [id]])
      expect(await verify(id)).toMatchObject({ ok: false, firstBadSeq: 5 })
    })
  }

  test('shows a deleted entry, also when the rest closes the gap', async () => {
    const gap = await chain()
    await tamper(['delete from audit_entries where account_id = $1 and seq = 6', [gap.id]])
    expect(await verify(gap.id)).toMatchObject({ ok: false, firstBadSeq: 6 })
    const closed = await chain()
    await tamper(
      ['delete from audit_entries where account_id = $1 and seq = 6', [closed.id]],
      ...Array.from({ length: closed.last - 6 }, (_, at): [string, unknown[]] => [MOVE, [closed.id, 7 + at, 6 + at]]),
      ['update audit_heads set seq = seq - 1 where account_id = $1', [closed.id]],
    )
    expect(await verify(closed.id)).toMatchObject({ ok: false, firstBadSeq: 6 })
  })

  test('shows an inserted entry', async () => {
    const { id, last } = await chain()
    const shifts = Array.from({ length: last - 4 }, (_, at): [string, unknown[]] => [
      MOVE,
      [id, last - at, last - at + 1],
    ])
    await tamper(
      ...shifts,
      [
        `insert into audit_entries select account_id, 5, at, actor, action, subject, detail, hash from audit_entries where account_id = $1 and seq = 4`,
        [id],
      ],
      ['update audit_heads set seq = seq + 1 where account_id = $1', [id]],
    )
    expect(await verify(id)).toMatchObject({ ok: false, firstBadSeq: 5 })
  })

  test('shows two entries that changed places', async () => {
    const { id } = await chain()
    await tamper([MOVE, [id, 5, 1_000]], [MOVE, [id, 6, 5]], [MOVE, [id, 1_000, 6]])
    expect(await verify(id)).toMatchObject({ ok: false, firstBadSeq: 5 })
  })

  test('shows a cut-off end: by the stored end, and when that was set back too, by the checkpoint', async () => {
    const { id, checkpoint, last } = await chain()
    await tamper(['delete from audit_entries where account_id = $1 and seq > 8', [id]])
    expect(await verify(id)).toMatchObject({ ok: false, firstBadSeq: 9 })
    await world.sql(
      `update audit_heads h set seq = 8, hash = e.hash from audit_entries e where h.account_id = $1 and e.account_id = $1 and e.seq = 8`,
      [id],
    )
    expect(await verify(id)).toMatchObject({ ok: true, entries: 8 }) // why checkpoints leave the database
    expect(await verify(id, [checkpoint])).toMatchObject({
      ok: false,
      firstBadSeq: 9,
      fault: expect.stringContaining(`${last}`),
    })
  })

  test('shows an end that was cut off and written on by the service itself', async () => {
    const { id, checkpoint, last } = await chain()
    await tamper(['delete from audit_entries where account_id = $1 and seq > 8', [id]])
    await world.sql(
      `update audit_heads h set seq = 8, hash = e.hash from audit_entries e where h.account_id = $1 and e.account_id = $1 and e.seq = 8`,
      [id],
    )
    const other = coreOf(world.app.core.db, new Keyring({ given: world.masterKey })) // a node that starts afterwards
    for (let at = 0; at < last; at++) {
      await other.recorder.record({ accountId: id, actor: 'operator', action: 'account.changed', subject: id })
    }
    expect(await verify(id)).toMatchObject({ ok: true })
    expect(await verify(id, [checkpoint])).toMatchObject({ ok: false, firstBadSeq: last })
  })

  test('shows entries that were stamped anew without the master key', async () => {
    const { id, checkpoint, last } = await chain()
    const forger = coreOf(world.app.core.db, new Keyring({ given: Buffer.alloc(32, 7) }))
    await tamper(['delete from audit_entries where account_id = $1 and seq > 8', [id]])
    await world.sql(
      `update audit_heads h set seq = 8, hash = e.hash from audit_entries e where h.account_id = $1 and e.account_id = $1 and e.seq = 8`,
      [id],
    )
    for (let at = 8; at < last; at++) {
      await forger.recorder.record({ accountId: id, actor: 'operator', action: 'account.changed', subject: id })
    }
    expect(await verify(id)).toMatchObject({ ok: false, firstBadSeq: 9 })
    expect(await verify(id, [checkpoint])).toMatchObject({ ok: false, firstBadSeq: 9 })
  })

  test('shows an end that was set back while the entries stayed, and a chain that is gone', async () => {
    const { id, checkpoint } = await chain()
    await world.sql(
      `update audit_heads h set seq = 8, hash = e.hash from audit_entries e where h.account_id = $1 and e.account_id = $1 and e.seq = 8`,
      [id],
    )
    expect(await verify(id)).toMatchObject({ ok: false, firstBadSeq: 9 })
    await tamper(['delete from audit_entries where account_id = $1', [id]])
    await world.sql('delete from audit_heads where account_id = $1', [id])
    expect(await verify(id, [checkpoint])).toMatchObject({ ok: false, firstBadSeq: 1 })
  })

  test('shows an end that is not the hash of its last entry', async () => {
    const { id, last } = await chain()
    await world.sql(`update audit_heads set hash = decode(repeat('00', 32), 'hex') where account_id = $1`, [id])
    expect(await verify(id)).toMatchObject({ ok: false, firstBadSeq: last })
  })

  test('believes only checkpoints that this master key signed', async () => {
    const { id, checkpoint } = await chain()
    const forged: Checkpoint[] = [
      { ...checkpoint, seq: checkpoint.seq - 1 },
      { ...checkpoint, hash: checkpoint.hash.replace(/^../, '00') },
      { ...checkpoint, at: '2020-01-01T00:00:00.000Z' },
      { ...checkpoint, signature: '' },
    ]
    for (const one of forged) expect(await verify(id, [one])).toMatchObject({ ok: false })
    const other = await chain()
    expect(await verify(id, [{ ...other.checkpoint, accountId: id }])).toMatchObject({ ok: false })
  })
})

test('checkpoints are written for chains that moved, and read back from the file or the log around them', async () => {
  const { id, checkpoint } = await chain()
  const told: Checkpoint[] = []
  const checkpoints = new Checkpoints(world.app.core, null, (one) => told.push(one))
  await checkpoints.write(new Date())
  expect(told.find(({ accountId }) => accountId === id)).toMatchObject({ seq: checkpoint.seq, hash: checkpoint.hash })
  expect(await checkpoints.write(new Date())).toEqual([])
  const log = `${told.map((one) => JSON.stringify({ level: 30, checkpoint: one, msg: 'audit checkpoint' })).join('\n')}\nnot json "signature"\n`
  expect(readCheckpoints(log)).toEqual(told)
  expect(readCheckpoints(linesOf(told))).toEqual(told)
})

test('F06 a line of the checkpoint file that was cut off, by a kill or a full disk, takes no other with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-checkpoints-'))
  const file = join(folder, 'checkpoints.jsonl')
  const { checkpoint } = await chain()
  writeFileSync(file, linesOf([checkpoint]).slice(0, 60))
  const written = await new Checkpoints(world.app.core, file, () => {}).write(new Date())
  const more = await new Checkpoints(world.app.core, file, () => {}).write(new Date())
  expect(readCheckpoints(readFileSync(file, 'utf8'))).toEqual([...written, ...more])
  rmSync(folder, { recursive: true })
})

test('every change of a batch has its entry, and entries of parallel writers on several nodes form one chain', async () => {
  const { accountId, key } = await world.clinic()
  const nodes = [
    world.app.core,
    coreOf(world.app.core.db, new Keyring({ given: world.masterKey })),
    coreOf(world.app.core.db, new Keyring({ given: world.masterKey })),
  ]
  const entry = { accountId, actor: 'operator', action: 'account.changed', subject: accountId }
  await Promise.all([
    ...Array.from({ length: 60 }, (_, at) => nodes[at % 3]?.recorder.record({ ...entry, detail: { at } })),
    ...Array.from({ length: 40 }, () => send(`${world.url}/api/v1/session`, 'POST', { key })),
  ])
  expect(await verify(accountId)).toMatchObject({ ok: true, entries: 3 + 60 + 40 })
  const [row] = await world.sql('select count(*)::int as n from sessions where account_id = $1', [accountId])
  expect(row?.n).toBe(40)
})

test('a batch behind one that was undone is tried again, not refused', async () => {
  const db = await openPostgres(world.databaseUrl, 2)
  const moved = sql('test_moved', 'select expect_head(0)')
  const plain = sql('test_plain', 'select 1 as one')
  // The second lands on the other connection; the third follows the first and relies on the statement it brought.
  const [first, , third] = await Promise.allSettled([
    db.batch([
      [moved, []],
      [plain, []],
    ]),
    db.batch([]),
    db.batch([[plain, []]]),
  ])
  expect(first.status === 'rejected' && first.reason).toBeInstanceOf(StaleChain)
  if (third.status === 'rejected') expect(third.reason).toBeInstanceOf(StaleChain)
  for (let at = 0; at < 4; at++) expect(await db.batch([[plain, []]])).toEqual([[{ one: 1 }]])
  await db.close()
})
