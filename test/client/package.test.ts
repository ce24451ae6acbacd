import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newApiKey } from '../../src/account/key.ts'
import { newSecret } from '../../src/events/delivery/signing.ts'
import { newWorld, type World } from '../world/world.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'fyr-consumer-'))
let world: World

/**
 * Packs the project and puts the tarball into an empty folder as npm does. Nothing else is installed there, so this also
 * shows that the client needs nothing else.
 */
beforeAll(async () => {
  const packed = JSON.parse(run('npm', ['pack', '--json', '--silent', '--pack-destination', folder], root))
  const { filename } = Array.isArray(packed) ? packed[0] : Object.values(packed)[0]
  const target = join(folder, 'node_modules', 'fyr')
  mkdirSync(target, { recursive: true })
  run('tar', ['-xzf', join(folder, filename), '--strip-components=1', '-C', target], folder)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  world = await newWorld()
})
afterAll(async () => {
  await world?.close()
  rmSync(folder, { recursive: true, force: true })
})

function run(command: string, args: string[], cwd: string): string {
  // The project's own Node comes first, so that the compiler and npm's scripts run on it.
  const PATH = `${dirname(process.execPath)}:${join(root, 'node_modules', '.bin')}:${process.env.PATH}`
  return execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

test('the packed client works from JavaScript', async () => {
  const { key } = await world.clinic()
  writeFileSync(
    join(folder, 'use.js'),
    `import { FyrClient, FyrProblem, verifyWebhook, WebhookRefused } from 'fyr/client'
const fyr = new FyrClient({ baseUrl: process.env.FYR, apiKey: process.env.KEY })
const { sessionId } = await fyr.createSession({ text: 'From a tarball' })
const { descriptionOfMatter } = await fyr.getSession(sessionId)
const problem = await fyr.getSession('nobody').catch((error) => error instanceof FyrProblem && error.code)
let refused = false
try { verifyWebhook(new Uint8Array([1]), {}, process.env.SECRET) } catch (error) { refused = error instanceof WebhookRefused }
console.log(JSON.stringify({ descriptionOfMatter, problem, refused }))
`,
  )
  const env = { ...process.env, FYR: world.url, KEY: key, SECRET: newSecret() }
  // Not execFileSync: the service lives in this process and has to answer meanwhile.
  const { execFile } = await import('node:child_process')
  const out = await new Promise<string>((done, failed) => {
    execFile(process.execPath, ['use.js'], { cwd: folder, env }, (error, stdout) =>
      error ? failed(error) : done(stdout),
    )
  })
  expect(JSON.parse(out)).toEqual({
    descriptionOfMatter: 'From a tarball',
    problem: 'session-not-found',
    refused: true,
  })
})

test('the packed client is typed: right use compiles under strict, wrong use does not', () => {
  const consumer = (
    lines: string,
  ) => `import { FyrClient, verifyWebhook, type SessionInfo, type WebhookEvent } from 'fyr/client'
const fyr = new FyrClient({ baseUrl: 'https://triage.example.org', apiKey: 'key' })
${lines}
`
  writeFileSync(
    join(folder, 'right.ts'),
    consumer(`const info: SessionInfo = await fyr.getSession('id')
const urgency: 'No urgency set' | \`Level\${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}\` = info.urgency
const event: WebhookEvent = verifyWebhook(new Uint8Array(), new Headers(), 'whsec_x')
if (event.type === 'session.completed') console.log(event.sessionId.length, event.data.sessionStatus, urgency)
for await (const session of fyr.eachSession({ status: 'Ended' })) console.log(session.sessionId)`),
  )
  writeFileSync(
    join(folder, 'wrong.ts'),
    consumer(`await fyr.closeAccess('Because')
verifyWebhook('{"a": "parsed text"}', {}, 'whsec_x')
await fyr.createSession({ patient: { sex: 'female' } })
const info: SessionInfo = await fyr.getSessionStatus('id')`),
  )
  const options = {
    strict: true,
    noEmit: true,
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['right.ts', 'wrong.ts'] }),
  )
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8', cwd: folder })
  const faults = [...stdout.matchAll(/^(\w+\.ts)\((\d+)/gm)].map(([, file, line]) => `${file}:${line}`)
  expect(faults).toEqual(['wrong.ts:3', 'wrong.ts:4', 'wrong.ts:5', 'wrong.ts:6'])
})

test('what is published holds no TypeScript source, no test and no setting of this machine', () => {
  const list = run(
    'tar',
    ['-tzf', join(folder, `fyr-${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}.tgz`)],
    folder,
  )
  const files = list.trim().split('\n')
  expect(files).toEqual(
    expect.arrayContaining([
      'package/dist/client/index.js',
      'package/dist/client/index.d.ts',
      'package/bin/fyr.mjs',
      'package/dist/cli/main.js',
    ]),
  )
  expect(files.filter((file) => /(?<!\.d)\.ts$|\.test\.|\/data\/|\.env/.test(file))).toEqual([])
})

test('A54: what is published holds no secret', () => {
  const scan = () =>
    spawnSync('node', [join(root, 'scripts/check-secrets.ts'), join(folder, 'node_modules', 'fyr')], {
      encoding: 'utf8',
    })
  expect(scan()).toMatchObject({ status: 0, stderr: '' })
  const planted = join(folder, 'node_modules', 'fyr', 'dist', 'planted.js')
  writeFileSync(planted, `export const key = '${newApiKey()}'`)
  expect(scan()).toMatchObject({ status: 1, stderr: expect.stringContaining('planted.js:1: this looks like a key') })
  rmSync(planted)
})
