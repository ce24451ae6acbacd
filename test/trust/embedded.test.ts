// @module-tag thorough
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FYR } from '../world/bundle.ts'
import { send } from '../world/call.ts'
import { spawnNode } from '../world/nodes.ts'
import { freePort } from '../world/ports.ts'
import { surviveKills } from './kills.ts'
import { databasesOn, fyrOn, noDatabaseOn, npmStart, printedKey, startRefused } from './started.ts'

const folder = mkdtempSync(join(tmpdir(), 'fyr-embedded-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the first minute, F37, and commands beside the service', async () => {
  const data = join(folder, 'data')
  const started = await npmStart({ folder: data })

  // What is printed can be pasted: a session is created and its status read.
  const [, printed = ''] = /^\s*(curl .*)$/m.exec(started.log()) ?? []
  const [, url = '', key = ''] = /curl -X POST (\S+) -H 'X-Service-API-Key: (\S+)'/.exec(printed) ?? []
  const made = await send(url.replace('localhost', '127.0.0.1'), 'POST', { key })
  expect(made.status).toBe(201)
  const { sessionId } = made.body as { sessionId: string }
  expect((await send(`${started.url}/api/v1/session/${sessionId}/status`, 'GET', { key })).body).toEqual({
    sessionStatus: 'Created',
  })

  const second = await startRefused({ DATA_DIR: data })
  expect(second.code).toBe(1)
  expect(second.words).toContain('Another Fyr is running on the data folder')
  expect((await send(`${started.url}/readyz`, 'GET')).status).toBe(200)

  const issued = fyrOn(data, 'key', 'issue', '--configuration', 'demo', '--json')
  expect(issued.code).toBe(0)
  const other = JSON.parse(issued.out).key
  expect((await send(`${started.url}/api/v1/session/${sessionId}`, 'GET', { key: other })).status).toBe(200)

  process.kill(started.servicePid(), 'SIGTERM')
  expect(await started.ended).toBe(0)
  expect(databasesOn(data)).toEqual([])

  // And when it does not run: several at once share a database that the last of them stops.
  const runs = await Promise.all(Array.from({ length: 4 }, () => command(data, 'audit', 'verify')))
  expect(runs).toEqual([0, 0, 0, 0])
  expect(await noDatabaseOn(data)).toBe(true)
})

test.each(['1', '2'])(
  'a first start that fails, as at a port that is taken, keeps no demo key to itself: the next one shows it (PROCESSES=%s)',
  async (processes) => {
    const environment = { DATA_DIR: join(folder, `taken-${processes}`), PROCESSES: processes }
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    const refused = await startRefused(environment, port)
    other.close()
    expect(refused).toMatchObject({ code: 1, words: expect.stringContaining(`Port ${port} is taken`) })

    const node = await spawnNode(environment)
    const key = await printedKey(node)
    expect((await send(`${node.url}/api/v1/session`, 'POST', { key })).status).toBe(201)
    expect(await node.stop()).toBe(0)
    const later = await spawnNode(environment)
    await expect.poll(later.log).toContain('Fyr answers at')
    expect(await later.stop()).toBe(0)
  },
)

test('a command in a folder without data says so and makes none', { tags: 'slice' }, () => {
  const empty = join(folder, 'empty')
  expect(fyrOn(empty, 'key', 'list')).toMatchObject({ code: 1, err: expect.stringContaining('There is no data in') })
  expect(databasesOn(empty)).toEqual([])
})

test(
  'F03 nothing acknowledged is lost when the service is killed under load, and the next start works',
  () => surviveKills(3),
  400_000,
)

function command(data: string, ...args: string[]): Promise<number | null> {
  return new Promise((done) => {
    const env = { ...process.env, DATA_DIR: data, DATABASE_URL: '' }
    spawn('node', [FYR, ...args], { env, stdio: 'ignore' }).once('exit', done)
  })
}
