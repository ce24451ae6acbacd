import { afterAll, beforeAll, expect, test as testAnywhere } from 'vitest'
import { launchChromium, test } from '../../world/browser.ts'
import { sliceOf } from '../../world/sweep.ts'
import { Visitor } from '../../world/visitor.ts'
import { newWorld, type World } from '../../world/world.ts'

const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
const ABOUT_LOCAL = 'call the local emergency number now'

let one: World
let two: World
let none: World
beforeAll(async () => {
  ;[one, two, none] = [await newWorld(), await newWorld(), await newWorld()]
  await one.clinic({ emergencyNumber: '113' })
  await one.clinic({ emergencyNumber: '113' })
  await two.clinic({ emergencyNumber: '112' })
  await two.clinic({ emergencyNumber: '999' })
})
afterAll(() => Promise.all([one, two, none].map((world) => world?.close())))

const ask = async (world: World, path: string, headers: Record<string, string> = {}) => {
  const reply = await fetch(`${world.url}${path}`, { headers })
  return { status: reply.status, type: reply.headers.get('content-type') ?? '', text: await reply.text() }
}

testAnywhere.each([
  ['/', 200],
  ['/nowhere', 404],
  ['//', 404],
  ['/t/no-such-clinic', 404],
  ['/problems', 200],
  ['/problems/session-not-found', 200],
  ['/problems/nothing', 404],
])('%s is a page for people, with the emergency number of the deployment where there is one', async (path, status) => {
  const page = await ask(one, path, BROWSER)
  expect({ status: page.status, type: page.type }).toEqual({ status, type: 'text/html; charset=utf-8' })
  expect(page.text).toMatch(/tel:113|call 113 now/)
  for (const world of [two, none]) {
    const { text } = await ask(world, path, BROWSER)
    expect(text).toContain(ABOUT_LOCAL)
    expect(text).not.toMatch(/tel:/)
  }
})

testAnywhere('below the interfaces there is JSON, whatever a program says it would take', async () => {
  for (const path of ['/api/session', '/api/triage/v1/sesion', '/fhir/CodeSytem'])
    expect((await ask(one, path, { accept: 'text/html, image/gif, */*; q=.2' })).type).toMatch(
      /^application\/problem\+json/,
    )
})

testAnywhere('programs get JSON at the same addresses', async () => {
  for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
    const front = await ask(one, '/', { accept })
    expect(JSON.parse(front.text)).toMatchObject({ openapi: expect.stringMatching(/\/api\/openapi\.json$/) })
    const unknown = await ask(one, '/nowhere', { accept })
    expect(unknown).toMatchObject({ status: 404, type: 'application/problem+json; charset=utf-8' })
    const problem = await ask(one, '/problems/session-not-found', { accept })
    expect(JSON.parse(problem.text)).toMatchObject({ status: 404, title: 'There is no such session.' })
    expect(JSON.parse((await ask(one, '/problems', { accept })).text).problems.length).toBeGreaterThan(40)
    expect((await ask(one, '/problems/nothing', { accept })).type).toContain('application/problem+json')
  }
  const posted = await fetch(`${one.url}/nowhere`, { method: 'POST', headers: BROWSER })
  expect(posted.headers.get('content-type')).toContain('application/problem+json')
  const keyed = await ask(one, '/api/v1/nowhere', BROWSER)
  expect(keyed).toMatchObject({ status: 401, type: 'application/problem+json; charset=utf-8' })
})

testAnywhere.each([
  ['en', 'This address is not in use'],
  ['fi', 'Tämä osoite ei ole käytössä'],
  ['no', 'Denne adressen er ikke i bruk'],
  ['sv', 'Den här adressen används inte'],
])('a mistyped address is answered in the reader’s language (%s)', async (language, words) => {
  const page = await ask(one, '/t/harbour/x', { ...BROWSER, 'accept-language': language })
  expect(page.text).toContain(words)
  expect((await ask(one, `/nowhere?lang=${language}`, BROWSER)).text).toContain(words)
})

test.each(
  sliceOf(
    [
      ['light', '/', false],
      ['dark', '/problems', true],
      ['dark', '/', true],
      ['light', '/nowhere', false],
      ['dark', '/nowhere', true],
      ['light', '/problems/session-not-found', false],
    ] as const,
    2,
  ),
)('%s: %s has no fault of contrast or structure', async (_name, path, dark) => {
  const chromium = await launchChromium()
  const visitor = await Visitor.arrives(chromium, one, { width: 360, dark, language: 'sv' })
  await visitor.page.goto(`${one.url}${path}`)
  await visitor.isAccessible()
  await visitor.picture(`people-${path.replaceAll('/', '-')}-${dark}`)
  await chromium.close()
})
