// @module-tag thorough
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, newScene, type Scene } from '../world/webhook-scene.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const EXAMPLE = join(ROOT, 'examples/first-integration')
const LARGEST_CODE_BYTES = 15_000

/** Of the search path what belongs to the machine, not to this checkout or to the npm that runs us. */
const machinePath = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !/node_modules|node-gyp-bin/.test(folder) && !isOwnNode(join(folder, 'node')))
const othersNode = machinePath.map((folder) => join(folder, 'node')).find((path) => existsSync(path))
if (!othersNode)
  console.warn('\nTHE CLIENT WAS TRIED ON OUR OWN NODE ONLY: there is no other (20 or newer) on this machine.\n')
const node = othersNode ?? process.execPath
const env = { ...process.env, NODE_COMPILE_CACHE: '', ...(othersNode && { PATH: machinePath.join(delimiter) }) }

function isOwnNode(path: string): boolean {
  return existsSync(path) && realpathSync(path) === realpathSync(process.execPath)
}

const folder = mkdtempSync(join(tmpdir(), 'fyr-integrator-'))
const installed = join(folder, 'node_modules', 'fyr-client')
const started: ChildProcess[] = []
let scene: Scene

/** A project of an integrator: npm installs the tarball, without a network, and nothing else comes along. */
beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/pack-client.ts', folder], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  writeFileSync(
    join(folder, 'package.json'),
    '{ "type": "module", "scripts": { "which": "node -p process.execPath" } }',
  )
  execFileSync('npm', ['install', '--offline', '--silent', './fyr-client.tgz'], { cwd: folder, env })
  for (const name of ['receiver.mjs', 'session.mjs']) cpSync(join(EXAMPLE, name), join(folder, name))
  scene = await newScene()
})
afterAll(async () => {
  for (const child of started) child.kill()
  await scene?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A program of the integrator's, on the machine's own Node. */
function run(program: string, settings: Record<string, string>): ChildProcess & { lines: () => string[] } {
  const child = spawn(node, [program], { cwd: folder, env: { ...env, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (more) => (said += more))
  return Object.assign(child, { lines: () => said.split('\n') })
}

test('the package is the client, its types, its licence and a page to read; it depends on nothing and runs nothing', () => {
  expect(readdirSync(join(folder, 'node_modules')).sort()).toEqual(['.package-lock.json', 'fyr-client'])
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'fyr-client', version, license: 'Apache-2.0', type: 'module' })
  expect(Object.keys(manifest).filter((key) => /dependencies|scripts|bin/i.test(key))).toEqual([])
  const files = readdirSync(installed).filter((name) => !name.endsWith('.d.ts'))
  expect(files.sort()).toEqual(['LICENSE', 'README.md', 'index.js', 'package.json'])
  expect(existsSync(join(installed, 'index.d.ts'))).toBe(true)
})

test(`its code has at most ${LARGEST_CODE_BYTES} bytes and knows only what every runtime has`, () => {
  const code = readFileSync(join(installed, 'index.js'), 'utf8')
  expect(Buffer.byteLength(code)).toBeLessThanOrEqual(LARGEST_CODE_BYTES)
  expect(code.match(/\bimport\b|\brequire\b|\bnode:|\bprocess\b|\bBuffer\b/g)).toBe(null)
})

test('what the integrator runs stays on their own Node', () => {
  const said = execFileSync('npm', ['run', '--silent', 'which'], { cwd: folder, env, encoding: 'utf8' })
  expect(realpathSync(said.trim())).toBe(realpathSync(node))
})

test('with the packed client alone: a session is created, answered with a file, ended, heard of, and read', async () => {
  const clinic = await scene.clinic('for-the-package')
  const settings = { FYR_URL: scene.world.url, FYR_KEY: clinic.key, WEBHOOK_SECRET: clinic.secret, PORT: '0' }
  const receiver = run('receiver.mjs', settings)
  const session = run('session.mjs', settings)
  expect(await new Promise((done) => session.once('close', done)), session.lines().join('\n')).toBe(0)
  const [created = '', uploaded = '', finished] = session.lines()
  const sessionId = created.replace('created: ', '')
  expect([uploaded, finished]).toEqual([
    expect.stringMatching(/^uploaded: [0-9a-f-]{36} application\/pdf$/),
    expect.stringMatching(/^finished: ./),
  ])

  // The very bytes that Fyr sent, handed on to the integrator's own receiver; then the same with one letter changed.
  const [arrived] = await eventually(
    () => scene.receiver.arrived('for-the-package'),
    (list) => list.length > 0,
  )
  const body = arrived?.body ?? ''
  expect(JSON.parse(body)).toMatchObject({ type: 'session.completed', sessionId, extendedData: { booking: 17 } })
  const [listening = ''] = await eventually(receiver.lines, ([first]) => Boolean(first))
  const deliver = async (changed: string) => {
    const headers = Object.fromEntries(
      Object.entries(arrived?.headers ?? {}).filter(([name]) => /^webhook-/.test(name)),
    )
    const address = listening.replace('listening: ', 'http://127.0.0.1:')
    return (await fetch(address, { method: 'POST', headers, body: changed })).status
  }
  expect(await deliver(body.replace('Ended', 'ended'))).toBe(400)
  expect(receiver.lines()).toEqual([listening, 'refused: No signature fits.', ''])
  expect(await deliver(body)).toBe(204)
  expect(await deliver(body)).toBe(204)
  const summaryIn = (all: string[]) => all.slice(all.findIndex((line) => line.includes('"mimeType"')) + 1).join('\n')
  const lines = await eventually(receiver.lines, (all) => /mimeType/.test(all.join()) && summaryIn(all) !== '')
  expect(summaryIn(lines)).toContain('I need a copy of my vaccinations')
  expect(lines.filter((line) => line.startsWith('verified'))).toEqual(['verified: session.completed'])
  expect(lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))).toEqual([
    {
      sessionId,
      sessionStatus: 'Ended',
      urgency: 'No urgency set',
      descriptionOfMatter: 'I need a copy of my vaccinations',
    },
    { mimeType: 'application/pdf', bytes: expect.any(Number) },
  ])
})

/** Where the compiler finds fault with what an integrator might write. */
async function faultsIn(module: string, moduleResolution: string): Promise<string[]> {
  const options = {
    strict: true,
    skipLibCheck: true, // that of the DOM takes long
    noEmit: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    module,
    moduleResolution,
    types: [],
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: options, files: ['right.ts', 'wrong.ts'] }),
  )
  const compiler = spawn(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder])
  const said = await text(compiler.stdout)
  return [...said.matchAll(/^(.+?)\((\d+)/gm)].map(([, file, line]) => `${file?.split('/').at(-1)}:${line}`)
}

test('it is typed: right use compiles under strict, without the types of Node, and wrong use does not', async () => {
  const consumer = (lines: string) => `import { FyrClient, FyrTriage, verifyWebhook } from 'fyr-client'
import type { QuestionView, SessionInfo, WebhookEvent } from 'fyr-client'
const fyr = new FyrClient({ baseUrl: 'https://triage.example.org', apiKey: 'key' })
const user = await new FyrTriage({ baseUrl: 'https://triage.example.org' }).enterInvited('url')
${lines}
export {}
`
  writeFileSync(
    join(folder, 'right.ts'),
    consumer(`const info: SessionInfo = await fyr.getSession('id')
const urgency: 'No urgency set' | \`Level\${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}\` = info.urgency
const event: WebhookEvent = await verifyWebhook(new Uint8Array(), new Headers(), 'whsec_x')
if (event.type === 'session.completed') console.log(event.sessionId.length, event.data.sessionStatus, urgency)
for await (const session of fyr.eachSession({ status: 'Ended' })) console.log(session.sessionId)
const { step } = user.session
const asked: QuestionView[] = step.kind === 'ask' ? step.questions : []
await user.answerScreen(asked.map(({ id }) => ({ question: id, value: null })))
if ((await user.uploadFile(new Blob([]), { name: 'a.png' })).ready) console.log(user.session.alarm?.callNumber)`),
  )
  writeFileSync(
    join(folder, 'wrong.ts'),
    consumer(`await fyr.closeAccess('Because')
await verifyWebhook('{"a": "parsed text"}', {}, 'whsec_x')
await fyr.createSession({ patient: { sex: 'female' } })
const info: SessionInfo = await fyr.getSessionStatus('id')
await user.answerScreen([{ question: 'age', value: new Date() }])
await user.changeLanguage('de')
const { outcome } = user.session.step`),
  )
  const wrong = [5, 6, 7, 8, 9, 10, 11].map((line) => `wrong.ts:${line}`)
  expect(await faultsIn('nodenext', 'nodenext')).toEqual(wrong)
  expect(await faultsIn('esnext', 'bundler')).toEqual(wrong)
})

test('A54: the packed client holds no secret', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/check-secrets.ts'), installed], {
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
