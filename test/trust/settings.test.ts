import { spawn } from 'node:child_process'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { databaseServers } from '../../src/setting-values.ts'
import { BadSettings, readSettings, SETTINGS, withoutSecrets } from '../../src/settings.ts'
import { FYR, SERVICE } from '../world/bundle.ts'
import { commandLine } from '../world/command.ts'
import { spawnNode } from '../world/nodes.ts'
import { freePort } from '../world/ports.ts'
import { newWorld } from '../world/world.ts'

const CANARY = 'cAnArY0f5ecret5'
const KEY = Buffer.alloc(32, CANARY).toString('base64')

/** Runs a program of ours to its end and answers everything it printed. */
function printed(args: string[], environment: Record<string, string>): Promise<{ code: number | null; text: string }> {
  return new Promise((done) => {
    const env = { ...process.env, METRICS_PORT: '0', npm_lifecycle_event: '', ...environment }
    const child = spawn('node', args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        text += chunk
      })
    }
    child.on('close', (code) => done({ code, text }))
  })
}

test('A54 what sounds like a secret is marked as one', () => {
  const marked = Object.entries(SETTINGS).filter(([, setting]) => 'isSecret' in setting)
  expect(marked.map(([name]) => name)).toEqual([
    'DATABASE_URL',
    'MASTER_KEY',
    'MASTER_KEY_FILE',
    'MASTER_KEY_COMMAND',
    'MASTER_KEY_PREVIOUS',
    'MASTER_KEY_PREVIOUS_FILE',
    'MASTER_KEY_PREVIOUS_COMMAND',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'S3_SECRET_ACCESS_KEY',
    'BACKUP_KEY',
  ])
  const telling = Object.keys(SETTINGS).filter((name) => /SECRET|PASSWORD|TOKEN|MASTER|PRIVATE/.test(name))
  expect(telling.filter((name) => !marked.some(([own]) => own === name))).toEqual([])
})

test('A54 `fyr settings` shows that secrets are set and nothing of them', async () => {
  const secrets = {
    DATABASE_URL: `postgres://fyr:${CANARY}@db.example/fyr`,
    MASTER_KEY: KEY,
    MASTER_KEY_PREVIOUS_COMMAND: `print ${CANARY}`,
    S3_SECRET_ACCESS_KEY: CANARY,
    S3_ACCESS_KEY_ID: 'key-id',
  }
  for (const more of [[], ['--json']]) {
    const { code, text } = await printed([FYR, 'settings', ...more], secrets)
    expect(code).toBe(0)
    expect(text).not.toContain(CANARY)
    expect(text).not.toContain(KEY)
    expect(text.match(/\(hidden\)/g)).toHaveLength(4)
    expect(text).toContain('key-id')
  }
})

test('A54 settings that cannot be read are told without repeating them', () => {
  for (const name of Object.keys(SETTINGS)) {
    try {
      readSettings({ [name]: `${CANARY} ://` })
    } catch (error) {
      expect(error).toBeInstanceOf(BadSettings)
      expect(String(error)).toContain(name)
      expect(String(error)).not.toContain(CANARY)
    }
  }
  for (const url of [`postgres://u:${CANARY}#1@db/x`, `postgres://u:${CANARY}/@db/x`, `mysql://u:${CANARY}@db/x`])
    expect(() => readSettings({ DATABASE_URL: url, MASTER_KEY: KEY })).toThrow(/^DATABASE_URL is not an address/)
})

test('what would only fail later, in use, stops the start: no bucket, no keys for it, no DNS server, no receiver', () => {
  const keys = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }
  const unfit: [Record<string, string>, string][] = [
    [{ ...keys, S3_URL: 'storage.example.org/files' }, 'S3_URL is not an http(s) address'],
    ...[
      'https://storage.example.org/',
      'https://s3.amazonaws.com',
      'https://s3.eu-north-1.amazonaws.com',
      'https://s3-eu-west-1.amazonaws.com',
      'https://0a1b2c3d.r2.cloudflarestorage.com',
      'http://localhost:9000',
      'http://10.0.0.7:9000',
    ].map((address): [Record<string, string>, string] => [
      { ...keys, S3_URL: address },
      'S3_URL names no bucket: write it as https://host/bucket',
    ]),
    [
      { S3_URL: 'https://storage.example.org/files' },
      'S3_URL is set without S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
    ],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not an http(s) address'],
    ...['dns.example.org', '10.0.0.53:0', '10.0.0.53:99999', '10.0.0.0/8', '[10.0.0', ':53'].map(
      (servers): [Record<string, string>, string] => [
        { WEBHOOK_DNS_SERVERS: `10.0.0.1,${servers}` },
        'WEBHOOK_DNS_SERVERS has an entry that is no address such as 10.0.0.53',
      ],
    ),
  ]
  for (const [environment, words] of unfit) expect(() => readSettings(environment)).toThrow(words)
  const fit = {
    ...keys,
    S3_URL: 'https://storage.example.org/v1/files/',
    WEBHOOK_DNS_SERVERS: '::1, [fd00::53]:53,1.1.1.1:53',
  }
  expect(readSettings(fit)).toMatchObject({
    S3_URL: 'https://storage.example.org/v1/files',
    WEBHOOK_DNS_SERVERS: ['::1', '[fd00::53]:53', '1.1.1.1:53'],
  })
  for (const host of [
    'files.s3.eu-north-1.amazonaws.com',
    'my.files.s3-eu-west-1.amazonaws.com',
    'files.s3.fr-par.scw.cloud',
  ])
    expect(readSettings({ ...keys, S3_URL: `https://${host}/` }).S3_URL).toBe(`https://${host}`)
})

test('a proxy that is trusted by the settings is one that the server takes, and no other', () => {
  const takes = (proxy: string) => {
    try {
      return Fastify({ trustProxy: [proxy] }) !== null
    } catch {
      return false
    }
  }
  const good = ['10.0.0.1', 'fd00::1', '10.0.0.0/8', '10.0.0.0/255.0.0.0', '0.0.0.0/1', 'fd00::/8', '::/1', 'loopback']
  const bad = [
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0/8',
    '10.0.0.0/255.0.255.0',
    '10.0.0.0/0.0.0.0',
    'fd00::/255.0.0.0',
    'fd00::/129',
    'proxy',
    '*',
  ]
  for (const proxy of good)
    expect([proxy, readSettings({ TRUSTED_PROXIES: proxy }).TRUSTED_PROXIES]).toEqual([proxy, [proxy]])
  for (const proxy of bad)
    expect(() => readSettings({ TRUSTED_PROXIES: `127.0.0.1, ${proxy}` }), proxy).toThrow(
      /^TRUSTED_PROXIES has an entry/,
    )
  expect([...good, ...bad].filter(takes)).toEqual(good)
})

test('a folder for backups that is missing, or is none, is told at the start and keeps nobody from being served', async () => {
  const world = await newWorld()
  const database = { DATABASE_URL: world.databaseUrl, MASTER_KEY: world.masterKey.toString('base64') }
  const folders = ['/not-mounted', process.execPath]
  const [unused, ...nodes] = await Promise.all([
    spawnNode({ ...database, BACKUP_DIR: '/not-mounted', BACKUP_EVERY_HOURS: '0' }),
    ...folders.map((folder) => spawnNode({ ...database, BACKUP_DIR: folder })), // ready, all of them
  ])
  for (const [at, node] of nodes.entries()) {
    const told = `"why":"There is no folder ${folders[at]} for backups.*"msg":"no scheduled backup can be made`
    await expect.poll(node.log).toMatch(new RegExp(`"level":50,.*${told}`))
    const figures = await (await fetch(`http://127.0.0.1:${node.metricsPort}/metrics`)).text()
    expect(figures).toMatch(/^fyr_backup_failures_total 1$/m)
  }
  const status = await commandLine(() => world).fyr('status')
  expect(status).toMatchObject({ code: 1, out: expect.stringContaining('! the last try to make a backup failed: fyr') })
  expect(unused.log()).not.toContain('/not-mounted')
  await Promise.all([unused, ...nodes].map((node) => node.stop()))
  await world.close()
})

test('several servers of one database are an address each; one that may take no writes is not asked for', () => {
  const url = `postgres://u:p,w@db1:5432,[::1],db3:5433/fyr?target_session_attrs=read-write`
  expect(readSettings({ DATABASE_URL: url, MASTER_KEY: KEY }).DATABASE_URL).toBe(url)
  expect(databaseServers(url)).toEqual(
    ['db1:5432', '[::1]', 'db3:5433'].map((host) => `postgres://u:p,w@${host}/fyr?target_session_attrs=read-write`),
  )
  for (const [wrong, words] of [
    ['postgres://db1,db2:no/fyr', 'is not an address'],
    ['postgres://db1,db2/fyr?target_session_attrs=any', 'asks for other servers'],
  ] as const)
    expect(() => readSettings({ DATABASE_URL: wrong, MASTER_KEY: KEY })).toThrow(words)
  const several = { DATABASE_URL: `postgres://u:${CANARY}@db1,db2/x` }
  expect(withoutSecrets(`no ${CANARY} for u`, several)).toBe('no (hidden) for u')
})

test('A54 a password is taken out of what others say, as it is written and as it is meant', () => {
  const environment = { DATABASE_URL: `postgres://u:${CANARY}%2F%25@db/x`, S3_SECRET_ACCESS_KEY: `s3-${CANARY}` }
  const text = `no ${CANARY}/% at postgres://u:${CANARY}%2F%25@db/x, nor ${CANARY}%2F% or s3-${CANARY}`
  expect(withoutSecrets(text, environment)).not.toContain(`${CANARY}/%`)
  expect(withoutSecrets(text, environment)).not.toContain(`s3-${CANARY}`)
  expect(withoutSecrets('nothing to hide', environment)).toBe('nothing to hide')
})

test('A54 a start and a command that fail at their database tell why, and not the password', async () => {
  const port = await freePort()
  const environment = { DATABASE_URL: `postgres://fyr:${CANARY}@127.0.0.1:${port}/fyr`, MASTER_KEY: KEY, PORT: '0' }
  for (const args of [[SERVICE], [FYR, 'account', 'list'], [FYR, 'account', 'list', '--json']]) {
    const { code, text } = await printed(args, environment)
    expect(code).toBe(1)
    expect(text).toContain('ECONNREFUSED')
    expect(text).not.toContain(CANARY)
    expect(text).not.toContain(KEY)
  }
})

test('A54 a running service logs none of its secrets', async () => {
  const world = await newWorld({ LOG_LEVEL: 'trace', S3_SECRET_ACCESS_KEY: CANARY })
  const key = world.masterKey.toString('base64')
  await world.close()
  expect(world.log()).not.toContain(CANARY)
  expect(world.log()).not.toContain(key)
})
