// @module-tag thorough
import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newLogger } from '../../src/log.ts'
import { BackupMeasures, makeDueBackup } from '../../src/session/backups/schedule.ts'
import { readSettings } from '../../src/settings.ts'
import { findLastBackups } from '../../src/store/backup/last-backups.ts'
import { send } from '../world/call.ts'
import { answered, SORE_THROAT } from '../world/clinician.ts'
import { commandLine } from '../world/command.ts'
import { spawnNode } from '../world/nodes.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

const backupKey = randomBytes(32).toString('base64')
let world: World
let clinic: Clinic
let sessionId: string
let folder: string

beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  sessionId = (await answered(world.url, clinic, SORE_THROAT)).sessionId
  folder = mkdtempSync(join(tmpdir(), 'fyr-backup-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})

test('from a running service to another host: created, listed, verified, restored, started', async () => {
  const [backups, data] = [join(folder, 'backups'), join(folder, 'data')]
  const here = commandLine(
    () => world,
    () => ({ BACKUP_KEY: backupKey, BACKUP_DIR: backups }),
  )
  for (const place of [[], ['--to', `${backups}/a.backup`], ['--to', `${backups}/`]])
    expect(await here.fyr('backup', 'create', ...place)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`There is no folder ${backups} for backups`),
    })
  expect(await here.fyr('backup', 'create', '--to', 'null/')).toMatchObject({
    code: 1,
    err: expect.stringContaining(`There is no folder ${resolve('null')} for backups`),
  })
  for (const place of [[], ['--in', backups]])
    expect(await here.fyr('backup', 'list', ...place)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`There is no folder ${backups} for backups`),
    })
  expect([backups, 'null'].map(existsSync)).toEqual([false, false])
  mkdirSync(backups)
  const made = await here.fyr('backup', 'create', '--json', '--as', 'ann')
  expect(made).toMatchObject({ code: 0, err: expect.stringContaining('The master key is not in it') })
  const { place, takenAt } = JSON.parse(made.out)
  expect(statSync(place).mode & 0o077).toBe(0)
  const listed = await here.json<object[]>('backup', 'list')
  expect(listed).toEqual([{ path: place, bytes: statSync(place).size, takenAt, version: expect.any(String) }])
  expect(await here.json('audit', 'list', '--deployment')).toContainEqual(
    expect.objectContaining({ actor: 'operator:ann', action: 'backup.made', subject: place }),
  )

  const [scratch, verified] = [join(folder, 'scratch'), ['backup', 'verify', place]]
  mkdirSync(scratch)
  const proof = await here.fyr(...verified, '--scratch', scratch)
  expect(proof).toMatchObject({
    code: 0,
    out: expect.stringMatching(/the same, value by value[\s\S]*whole[\s\S]*is good/),
  })
  expect(readdirSync(scratch)).toEqual([])

  const there = commandLine(
    () => world,
    () => ({ DATABASE_URL: '', MASTER_KEY: '', DATA_DIR: data }),
  )
  mkdirSync(data)
  expect((await there.fyr('restore', place)).err).toContain(`The backup key is missing: ${join(data, 'backup.key')}`)
  writeFileSync(join(data, 'backup.key'), backupKey)
  writeFileSync(join(data, 'master.key'), world.masterKey.toString('base64'))
  expect(await there.fyr('restore', place, '--as', 'bo')).toMatchObject({
    code: 0,
    out: expect.stringContaining('rows'),
  })
  expect((await there.fyr('backup', 'list')).out).toBe(`There is no backup in ${join(data, 'backups')}/.\n`)
  const ofItsOwn = await there.fyr('backup', 'create') // the only folder that is made
  expect(ofItsOwn).toMatchObject({ code: 0, out: expect.stringContaining(join(data, 'backups', 'fyr-')) })
  const node = await spawnNode({ DATA_DIR: data, DATABASE_URL: '', MASTER_KEY: '' })
  try {
    const { status, body } = await send(`${node.url}/api/v1/session/${sessionId}`, 'GET', { key: clinic.key })
    expect({ status, body }).toMatchObject({ status: 200, body: { urgency: 'Level6' } })
    expect((await there.fyr('restore', place)).err).toContain('A service is running on the data folder')
  } finally {
    await node.stop()
  }
  expect(await there.fyr('restore', place)).toMatchObject({ code: 1, err: expect.stringContaining('is not empty') })
})

test('a scheduled backup is made when it is due, by one node, and old ones go after it; failures are told', async () => {
  const backups = join(folder, 'scheduled')
  mkdirSync(backups)
  const settingsWith = (more: Record<string, string>) =>
    readSettings({
      DATABASE_URL: world.databaseUrl,
      MASTER_KEY: world.masterKey.toString('base64'),
      BACKUP_KEY_FILE: join(folder, 'scheduled.key'),
      BACKUP_DIR: backups,
      BACKUP_KEEP: '2',
      ...more,
    })
  const lines: string[] = []
  const logger = newLogger({ LOG_LEVEL: 'info' }, { write: (line: string) => void lines.push(line) })
  const { core } = world.app
  const registry = new Registry()
  const measures = new BackupMeasures(registry, core.db)
  const round = (more: Record<string, string> = {}, stopping = new AbortController().signal) =>
    makeDueBackup({ core, settings: settingsWith(more), logger, measures, stopping })
  const measured = async (name: string) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value
  const files = () => readdirSync(backups).sort()
  const anHourLater = () => world.sql(`update last_backups set at = at - interval '1 hour'`)

  await world.sql('delete from last_backups')
  expect(await round()).toBeNull() // the database is younger than an hour
  expect(await measured('fyr_backup_last_success_timestamp_seconds')).toBe(0)
  await world.sql(`update migrations set applied_at = applied_at - interval '1 hour'`)
  expect(await round({ BACKUP_EVERY_HOURS: '0' })).toBeNull()
  expect(await round({ BACKUP_DIR: '' })).toBeNull() // none was asked for on a server

  const stopped = new AbortController()
  stopped.abort()
  expect(await round({}, stopped.signal)).toBeNull()
  expect(files()).toEqual([])
  const { place: oldest } = (await round()) ?? expect.fail('no backup was made')
  for (const day of ['01', '02', '03']) copyFileSync(oldest, join(backups, `fyr-202611${day}T000000Z.backup`))
  rmSync(oldest)
  await world.sql('delete from last_backups')
  const foreign = 'fyr-20261104T000000Z.backup'
  writeFileSync(join(backups, foreign), 'of another deployment that shares the folder')
  writeFileSync(join(backups, 'notes.txt'), 'somebody’s own')
  const rounds = await Promise.all([round(), round(), round()])
  expect(rounds.filter((made) => made !== null)).toHaveLength(1)
  expect(files()).toEqual([
    'fyr-20261103T000000Z.backup',
    foreign,
    expect.stringMatching(/^fyr-.*backup$/),
    'notes.txt',
  ])
  expect(readFileSync(join(folder, 'scheduled.key'), 'utf8')).toMatch(/^[\w+/]{43}=\n$/)
  const { made } = await findLastBackups(core.db)
  expect(made).toMatchObject({ place: join(backups, files()[2] ?? ''), bytes: expect.any(Number) })
  expect(await measured('fyr_backup_last_success_timestamp_seconds')).toBe((made?.at.getTime() ?? 0) / 1_000)
  expect(await round()).toBeNull()

  await anHourLater()
  const nowhere = { BACKUP_EVERY_HOURS: '1', BACKUP_DIR: join(folder, 'scheduled.key', 'inside') }
  expect(await round(nowhere)).toBeNull()
  expect(lines.join('')).toContain('the scheduled backup failed')
  expect(await measured('fyr_backup_failures_total')).toBe(1)
  expect((await findLastBackups(core.db)).failed).not.toBeNull()
  expect(files()).toHaveLength(4)
  expect(await round({ BACKUP_EVERY_HOURS: '1' })).toBeNull() // it waits a while before it tries again
  await anHourLater()
  expect(await round({ BACKUP_EVERY_HOURS: '1' })).not.toBeNull()
  expect(existsSync(join(backups, 'fyr-20261103T000000Z.backup'))).toBe(false)
  expect(existsSync(join(backups, foreign))).toBe(true)
})
