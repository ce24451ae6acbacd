import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { readSettings } from '../../settings.ts'
import { StoreUnavailable } from '../database/db.ts'
import { readGivenKey } from './key-sources.ts'

const folder = mkdtempSync(join(tmpdir(), 'fyr-key-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const KEY = randomBytes(32)
const TEXT = KEY.toString('base64')
const printing = (command: string) => ({ kind: 'command', name: 'MASTER_KEY_COMMAND', command }) as const

/** The sentence of a refusal. */
async function refusalOf(command: string, timeoutMs?: number): Promise<string> {
  const error = await readGivenKey(printing(command), timeoutMs).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(StoreUnavailable)
  return String(error)
}

test('a key is read from a file and from a command, with or without a line end', async () => {
  const file = join(folder, 'key')
  writeFileSync(file, `${TEXT}\n`)
  expect(await readGivenKey({ kind: 'file', name: 'MASTER_KEY_FILE', file })).toEqual(KEY)
  expect(await readGivenKey(printing(`cat ${file}`))).toEqual(KEY)
  expect(await readGivenKey(printing(`printf %s ${TEXT}; echo noise >&2`))).toEqual(KEY)
})

test('a file that is missing or holds something else is refused with a sentence', async () => {
  const file = join(folder, 'other')
  const given = { kind: 'file', name: 'MASTER_KEY_FILE', file } as const
  await expect(readGivenKey(given)).rejects.toThrow('from the file of MASTER_KEY_FILE (ENOENT)')
  writeFileSync(file, 'aGFsZiBhIGtleQ==')
  await expect(readGivenKey(given)).rejects.toThrow('The file of MASTER_KEY_FILE is not 32 bytes in base64')
})

test('a command that fails, prints nothing, prints something else or hangs is refused, and nothing of its output is repeated', async () => {
  expect(await refusalOf(`echo ${TEXT}; exit 3`)).toContain('MASTER_KEY_COMMAND failed (exit code 3)')
  expect(await refusalOf('true')).toContain('What the command of MASTER_KEY_COMMAND printed is empty')
  expect(await refusalOf('echo canary')).toContain('is not 32 bytes in base64')
  expect(await refusalOf('yes canary')).toContain('printed more than a key')
  expect(await refusalOf(`echo ${TEXT}; sleep 60 & wait`, 300)).toContain('did not end within 0.3 seconds')
  expect(await refusalOf('no-such-command')).toContain('failed (exit code 127)')
  for (const command of [`echo ${TEXT}; exit 3`, 'echo canary', 'yes canary'])
    expect(await refusalOf(command)).not.toMatch(new RegExp(`canary|${TEXT.slice(0, 8).replace(/[+/]/g, '.')}`))
})

test('a command does not get the master keys of its environment', async () => {
  process.env.MASTER_KEY_PREVIOUS = TEXT
  try {
    expect(await refusalOf('printf %s "$MASTER_KEY_PREVIOUS"')).toContain('printed is empty')
  } finally {
    delete process.env.MASTER_KEY_PREVIOUS
  }
})

test('a key is given one way', () => {
  const url = 'postgres://db/fyr'
  expect(() => readSettings({ MASTER_KEY: TEXT, MASTER_KEY_FILE: '/key' })).toThrow(
    'MASTER_KEY and MASTER_KEY_FILE are set together',
  )
  expect(() =>
    readSettings({ MASTER_KEY: TEXT, MASTER_KEY_PREVIOUS_FILE: '/key', MASTER_KEY_PREVIOUS_COMMAND: 'true' }),
  ).toThrow('MASTER_KEY_PREVIOUS_FILE and MASTER_KEY_PREVIOUS_COMMAND are set together')
  expect(() => readSettings({ DATABASE_URL: url })).toThrow('MASTER_KEY is required with DATABASE_URL')
  expect(readSettings({ DATABASE_URL: url, MASTER_KEY_COMMAND: 'true' }).MASTER_KEY_COMMAND).toBe('true')
})
