// @module-tag thorough
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createAccount } from '../../src/account/provision.ts'
import { coreOf } from '../../src/events/core.ts'
import { verifyChain } from '../../src/events/verify.ts'
import { newLogger } from '../../src/log.ts'
import { readSettings, type Settings } from '../../src/settings.ts'
import { listAccounts } from '../../src/store/accounts.ts'
import { StoreUnavailable } from '../../src/store/database/db.ts'
import { openForCommand, openForService } from '../../src/store/database/open.ts'
import { SERVICE } from '../world/bundle.ts'
import { send } from '../world/call.ts'
import { administer, freshDatabase } from '../world/database.ts'
import { spawnNode } from '../world/nodes.ts'
import { fyrOn, noDatabaseOn, printedKey, startRefused } from './started.ts'

const folder = mkdtempSync(join(tmpdir(), 'fyr-folder-'))
const original = join(folder, 'original')
const logger = newLogger({ LOG_LEVEL: 'silent' })

beforeAll(async () => {
  const node = await spawnNode({ DATA_DIR: original })
  const made = await send(`${node.url}/api/v1/session`, 'POST', { key: await printedKey(node) })
  expect(made.status).toBe(201)
  expect(await node.stop()).toBe(0)
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

let copies = 0
/** The data of a clinic that has been stopped in order. */
function copied(): string {
  const copy = join(folder, `copy-${++copies}`)
  spawnSync('cp', ['-a', original, copy])
  return copy
}

const settingsOf = (data: string, masterKey = '') => readSettings({ DATA_DIR: data, MASTER_KEY: masterKey })

/** Opens the folder as a service does, sees that what was stored can be read and the chain is whole, and closes it. */
async function expectWhole(data: string, masterKey?: string): Promise<void> {
  const store = await openForService(settingsOf(data, masterKey), logger, () => {})
  try {
    const core = coreOf(store.db, store.keyring)
    const [account] = await listAccounts(store.db)
    expect(core.keyring.openAccountKey(account?.id ?? '', account?.sealed_key ?? Buffer.alloc(0)).numbers).toEqual([1])
    expect(await verifyChain(core, account?.id ?? '', [])).toMatchObject({ ok: true })
  } finally {
    await store.db.close()
    await store.close()
  }
}

/** What is there, but for what each start makes anew; of a database that could be started, not its own files, which come and go. */
function filesOf(data: string): string[] {
  const recursive = !existsSync(join(data, 'postgres', 'PG_VERSION'))
  return readdirSync(data, { recursive, encoding: 'utf8' })
    .filter((path) => !/\.lock$|^socket|^postgres\.log/.test(path))
    .sort()
}

/** Services and commands refuse with these words, make and remove no file, and leave no database running. */
async function expectRefused(data: string, words: readonly string[], masterKey?: string): Promise<void> {
  const before = filesOf(data)
  const opening = [
    () => openForService(settingsOf(data, masterKey), logger, () => {}),
    () => openForCommand(settingsOf(data, masterKey)),
  ]
  for (const open of opening) {
    const refusal = await open().then(
      () => 'It was opened.',
      (error: unknown) => (error instanceof StoreUnavailable ? error.message : String(error)),
    )
    for (const word of words) expect(refusal).toContain(word)
  }
  expect(filesOf(data)).toEqual(before)
  expect(await noDatabaseOn(data)).toBe(true)
}

/** The same as people see it: the sentence alone, and the exit code. */
async function expectEnded(data: string, sentence: string): Promise<void> {
  const service = await startRefused({ DATA_DIR: data })
  const command = fyrOn(data, 'key', 'list')
  for (const { code, words } of [service, { code: command.code, words: command.err }]) {
    expect({ code, words }).toEqual({ code: 1, words: expect.stringContaining(sentence) })
    expect(words.trim().split('\n')).toHaveLength(1)
  }
}

describe('a database folder that is not whole', () => {
  test('without PG_VERSION it is refused and left as it was; put back, everything is there', async () => {
    const data = copied()
    const file = join(data, 'postgres', 'PG_VERSION')
    const version = readFileSync(file)
    rmSync(file)
    await expectRefused(data, [join(data, 'postgres'), 'PG_VERSION', 'Nothing was changed', 'backup'])
    await expectEnded(data, 'PG_VERSION is missing')
    writeFileSync(file, version)
    await expectWhole(data)
  })

  test('an empty one, as of a disk that is not mounted, is refused', { tags: 'slice' }, async () => {
    const data = copied()
    rmSync(join(data, 'postgres'), { recursive: true })
    mkdirSync(join(data, 'postgres'), { mode: 0o700 })
    await expectRefused(data, ['PG_VERSION', 'Nothing was changed'])
    rmSync(join(data, 'postgres'), { recursive: true })
    await expectRefused(data, ['master.key', 'Nothing was changed'])
    await expectEnded(data, `There is a master key in ${data} but no database`)
  })

  test('one of another major version of PostgreSQL is refused by its name', { tags: 'slice' }, async () => {
    const data = copied()
    writeFileSync(join(data, 'postgres', 'PG_VERSION'), '17\n')
    await expectRefused(data, ['PostgreSQL 17'])
  })

  test('a very first start that is killed half-way strands nobody: the next one begins anew', async () => {
    const data = join(folder, 'newcomer')
    for (const sight of ['postgres', 'PG_VERSION', 'master.key']) {
      const cutOff = firstStart(data)
      await expect.poll(() => isThere(data, sight), { timeout: 60_000, interval: 5 }).toBe(true)
      process.kill(-(cutOff.pid ?? 0), 'SIGKILL')
      await wait(1_000)
      expect(await noDatabaseOn(data)).toBe(true) // one that lost its parent ends by itself
      if (sight !== 'master.key') rmSync(data, { recursive: true, force: true })
    }
    const node = await spawnNode({ DATA_DIR: data })
    expect(await node.stop()).toBe(0)
  })
})

function firstStart(data: string): ChildProcess {
  const env = { ...process.env, DATA_DIR: data, PROCESSES: '1', PORT: '0', METRICS_PORT: '0', npm_lifecycle_event: '' }
  return spawn('node', [SERVICE], { env, stdio: 'ignore', detached: true })
}

/** Something whose name begins so is somewhere in the folder. */
const isThere = (data: string, name: string): boolean =>
  existsSync(data) &&
  readdirSync(data, { recursive: true, encoding: 'utf8' }).some((path) => path.split('/').at(-1)?.startsWith(name))

describe('the master key', () => {
  test('a missing one is refused and no other is made; put back, everything is there and the chains are whole', async () => {
    const data = copied()
    const file = join(data, 'master.key')
    const kept = readFileSync(file)
    rmSync(file)
    await expectRefused(data, [file, 'missing'])
    await expectEnded(data, 'The master key of this database is missing')
    expect(existsSync(file)).toBe(false)
    writeFileSync(file, kept, { mode: 0o600 })
    await expectWhole(data)
  })

  test('another one is refused before anything is written with it', async () => {
    const data = copied()
    const file = join(data, 'master.key')
    const kept = readFileSync(file)
    writeFileSync(file, Buffer.alloc(32, 7).toString('base64'))
    await expectRefused(data, [file, 'another key'])
    writeFileSync(file, kept)
    await expectWhole(data)
  })

  test('one that cannot be read is refused', async () => {
    const data = copied()
    const file = join(data, 'master.key')
    writeFileSync(file, 'half a k')
    await expectRefused(data, [file, '32 bytes'])
    rmSync(file)
    mkdirSync(file)
    await expectRefused(data, [file, 'cannot be read'])
  })

  test('the file is its owner’s alone, also after a copy that was not', { tags: 'slice' }, async () => {
    const data = copied()
    const file = join(data, 'master.key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    spawnSync('chmod', ['644', file])
    await expectWhole(data)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('MASTER_KEY counts with the embedded database too: the right one is taken, another is refused', async () => {
    const data = copied()
    const right = readFileSync(join(data, 'master.key'), 'utf8').trim()
    rmSync(join(data, 'master.key'))
    await expectRefused(data, ['MASTER_KEY', 'another key'], Buffer.alloc(32, 7).toString('base64'))
    await expectWhole(data, right)
    expect(existsSync(join(data, 'master.key'))).toBe(false)
  })
})

describe('the master key of a PostgreSQL server', () => {
  test('the first one is remembered; with another one neither services nor commands are let in', async () => {
    const database = await freshDatabase(inject('serverUrl'), inject('template'))
    const [right, wrong] = [randomBytes(32), randomBytes(32)]
    const settings = (key: Buffer) => readSettings({ DATABASE_URL: database.url, MASTER_KEY: key.toString('base64') })
    try {
      for (const open of [openForCommand, (s: Settings) => openForService(s, logger, () => {})]) {
        const store = await open(settings(right))
        await createAccount(coreOf(store.db, store.keyring), 'Clinic', 'Europe/Oslo')
        await store.db.close()
        await expect(open(settings(wrong))).rejects.toThrow('another key than the one in MASTER_KEY')
      }
      // A database from before there was a check value is known by what is sealed in it.
      await administer(database.url, 'delete from master_key_checks')
      await expect(openForCommand(settings(wrong))).rejects.toThrow(StoreUnavailable)
      await (await openForCommand(settings(right))).db.close()
    } finally {
      await database.drop()
    }
  })
})

describe('locks on the data folder', () => {
  test.each([
    ['empty', ''],
    ['of a process that lives and is another', String(process.pid)],
  ])('what an earlier start left behind does not stop the next: a mark that is %s', async (_what, text) => {
    const data = copied()
    writeFileSync(join(data, 'starting.pid'), text)
    writeFileSync(join(data, 'starting.lock'), '')
    writeFileSync(join(data, 'service.lock'), '')
    await expectWhole(data)
  })

  test('a database’s own mark with the number of an unrelated process, as after a container was killed, does not stop it', async () => {
    const data = copied()
    const lines = [process.pid, join(data, 'postgres'), 1, 5432, join(data, 'socket'), '', '0 0', 'ready']
    writeFileSync(join(data, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`, { mode: 0o600 })
    await expectWhole(data)
  })

  test('whoever is killed while starting lets go in that moment', async () => {
    const data = copied()
    const script = `import { tryLock } from './src/store/database/file-lock.ts'
      for (const name of ['starting.lock', 'service.lock']) tryLock(process.argv[1] + '/' + name)
      console.log('held'); setInterval(() => {}, 1000)`
    const holder = spawn('node', ['--input-type=module', '-e', script, data], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise((done) => holder.stdout.once('data', done))
    await expect(openForService(settingsOf(data), logger, () => {})).rejects.toThrow('Another Fyr is running')
    holder.kill('SIGKILL')
    await expectWhole(data)
  })
})
