import { spawn, spawnSync } from 'node:child_process'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test as testAnywhere } from 'vitest'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { sliceOf } from '../../world/sweep.ts'
import { Visitor } from '../../world/visitor.ts'
import { type Clinic, newWorld, type World } from '../../world/world.ts'

let world: World
let clinic: Clinic
let page: string
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  page = await fetch(`${world.url}/api/docs`).then((reply) => reply.text())
})
afterAll(() => world?.close())

const unescaped = (html: string): string =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** The code on the page under a name, as a reader would copy it. */
const codeNamed = (name: string, html = page): string[] =>
  [...html.matchAll(/<(?:summary|figcaption)>([^<]*)<\/(?:summary|figcaption)><pre><code>([\s\S]*?)<\/code><\/pre>/g)]
    .filter(([, caption]) => caption === name)
    .map(([, , code = '']) => unescaped(code))

testAnywhere('every operation and every event is on the page, with curl, TypeScript and what is answered', async () => {
  const document = await fetch(`${world.url}/api/openapi.json`).then((reply) => reply.json())
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((methods) =>
    Object.values(methods),
  )
  expect(operations.length).toBeGreaterThan(40)
  for (const { operationId } of operations) {
    const [part = ''] =
      page.match(new RegExp(`<section class="operation" id="op-${operationId}"[\\s\\S]*?</section>`)) ?? []
    expect({ operationId, curl: codeNamed('curl', part).length, ts: codeNamed('TypeScript', part).length }).toEqual({
      operationId,
      curl: 1,
      ts: 1,
    })
  }
  for (const event of Object.keys(document.webhooks)) expect(page).toContain(`id="event-${event}"`)
})

testAnywhere('every link within the page leads somewhere, and no id is there twice', () => {
  const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
  expect(ids.length).toBe(new Set(ids).size)
  const targets = new Set([...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id))
  expect([...targets].filter((target) => !ids.includes(target))).toEqual([])
})

testAnywhere('the examples can be copied: the shell and the compiler can read each of them', () => {
  const commands = codeNamed('curl')
  expect(commands.length).toBeGreaterThan(40)
  const shell = spawnSync('bash', ['-n'], { input: commands.join('\n'), encoding: 'utf8' })
  expect({ status: shell.status, error: shell.stderr }).toEqual({ status: 0, error: '' })
  const faults = codeNamed('TypeScript').flatMap((code) => {
    const { diagnostics = [] } = ts.transpileModule(code, {
      reportDiagnostics: true,
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext },
    })
    return diagnostics.map(({ messageText }) => `${code}\n${messageText}`)
  })
  expect(faults).toEqual([])
})

testAnywhere('the three steps work as they stand, in the shell and in TypeScript', async () => {
  const [part = ''] = page.match(/<section id="quick-start"[\s\S]*?<\/section>/) ?? []
  const [create = '', read = ''] = codeNamed('curl', part)
  // Not in sync: the service that is asked runs in this process.
  const run = (command: string, more: Record<string, string> = {}) =>
    new Promise<string>((ended) => {
      const env = { ...process.env, URL: world.url, KEY: clinic.key, ...more }
      const child = spawn('bash', ['-c', command.replaceAll('curl ', 'curl -s ')], { env })
      let out = ''
      child.stdout.on('data', (chunk) => {
        out += String(chunk)
      })
      child.on('close', () => ended(out))
    })
  const session = JSON.parse(await run(create))
  expect(session).toMatchObject({ sessionStatus: 'Created', url: expect.stringContaining('/s/') })
  const told = await run(read, { SESSION: session.sessionId })
  expect(told).toContain('"sessionStatus":"Created"')
  expect(told).toContain('Sore throat since yesterday')

  const steps = codeNamed('TypeScript', part).join('\n')
  const AsyncFunction: new (...parts: string[]) => (url: string, key: string) => Promise<unknown> =
    Object.getPrototypeOf(async () => {}).constructor
  const inTypeScript = new AsyncFunction('url', 'key', `${steps}\nreturn { sessionStatus, data }`)
  expect(await inTypeScript(world.url, clinic.key)).toMatchObject({
    sessionStatus: 'Created',
    data: expect.stringContaining('Sore throat since yesterday'),
  })
})

testAnywhere('it is one page under our own policy, without a script, and small on the line', async () => {
  expect(page).not.toContain('<script')
  const reply = await fetch(`${world.url}/api/docs`)
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(reply.headers.get('content-security-policy')).not.toContain('unsafe')
  const packed = await fetch(`${world.url}/api/docs`, { headers: { 'accept-encoding': 'gzip' } })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(await packed.text()).toBe(page)
})

test.each(
  sliceOf([
    ['dark', 360],
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
  ] as const),
)(
  'it reads well in %s at %d px: no fault of contrast or structure, nothing wider than the screen',
  { tags: 'thorough' },
  async (colorScheme, width) => {
    const chromium: Chromium = await launchChromium()
    const visitor = await Visitor.arrives(chromium, world, { dark: colorScheme === 'dark', width, height: 800 })
    await visitor.page.goto(`${world.url}/api/docs`)
    const wide = await visitor.page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(wide).toBeLessThanOrEqual(0)
    // One operation of each method and a few shapes: all are made alike, and to look at each takes minutes.
    await visitor.page.evaluate(() => {
      const seen = new Set<string>()
      for (const part of document.querySelectorAll('.operation')) {
        const kind = part.querySelector('.method')?.className ?? 'event'
        if (seen.has(kind)) part.remove()
        seen.add(kind)
      }
      for (const part of [...document.querySelectorAll('.shape')].slice(2)) part.remove()
      for (const part of document.querySelectorAll('details')) part.open = true
    })
    await visitor.isAccessible()
    await visitor.leaves()
    await chromium.close()
  },
)
