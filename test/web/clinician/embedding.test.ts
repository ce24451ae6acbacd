// @module-tag thorough
import { spawn } from 'node:child_process'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { changeConfiguration, configurationOf } from '../../../src/account/provision.ts'
import { type Chromium, launchChromium, test } from '../../world/browser.ts'
import { answered, CHEST_PAIN, linkTo } from '../../world/clinician.ts'
import { addFile, Desk, originOf, photo } from '../../world/desk.ts'
import { type Host, newHost } from '../../world/host.ts'
import { Patient } from '../../world/patient.ts'
import { freePort } from '../../world/ports.ts'
import { eventually } from '../../world/visitor.ts'
import { type Clinic, newWorld, type World } from '../../world/world.ts'

let world: World
let clinic: Clinic
let chromium: Chromium
let host: Host
let session: string
beforeAll(async () => {
  ;[world, chromium, host] = await Promise.all([newWorld(), launchChromium(), newHost()])
  clinic = await world.clinic({ allowedOrigins: [host.origin(), host.origin('127.0.0.1')] })
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug)
  await addFile(patient, 'arm.jpg', await photo(90))
  await patient.answerThrough(CHEST_PAIN)
  await patient.finish()
  session = patient.now.sessionId
})
afterAll(async () => {
  await host.close()
  await chromium.close()
  await world.close()
})

const script = () => `${originOf(world)}/embed/v1/decision-support.js`
const hostPage = (extra = '', body = '') =>
  `<!doctype html><title>Host</title>${extra}<script src="${script()}"></script><body><h1>Record</h1><div id="place"></div>${body}</body>`

type Told = { events: string[]; failed: string | null }
type Wishes = {
  link?: string
  token?: string
  lang?: string
  showFileViewerDownloadButton?: boolean
  container?: string
}

/** Opens decision support as a host page does, and notes everything it hears. */
const openIn = (page: Page, wishes: Wishes) =>
  page.evaluate(async (given) => {
    const told: Told = { events: [], failed: null }
    const note = (name: string) => (detail: { code?: string }) =>
      void told.events.push(detail.code ? `${name}:${detail.code}` : name)
    const on = Object.fromEntries(['ready', 'expired', 'copied', 'closed', 'error'].map((name) => [name, note(name)]))
    const options = { container: '#place', ...given, on }
    Object.assign(window, { told })
    try {
      Object.assign(window, { ds: await window.DecisionSupport.open(options as never) })
    } catch (error) {
      told.failed = (error as { code?: string }).code ?? String(error)
    }
  }, wishes)

const told = (page: Page): Promise<Told> => page.evaluate(() => (window as unknown as { told: Told }).told)
const inner = async (page: Page): Promise<Frame> => {
  const found = () => page.frames().find((one) => one.url().includes('/decision-support/'))
  await expect.poll(() => found() !== undefined, { timeout: 15_000 }).toBe(true)
  const frame = found()
  if (!frame) throw new Error('There is no frame of decision support.')
  await frame.locator('main.bench').waitFor()
  return frame
}

async function openedAt(origin: string, wishes: Wishes = {}): Promise<{ desk: Desk; frame: Frame }> {
  host.serve('/', { html: hostPage() })
  const desk = await Desk.at(chromium)
  await desk.page.goto(`${origin}/`)
  const { link } = await linkTo(world.url, clinic, session, 'dr.framed')
  await openIn(desk.page, 'token' in wishes ? wishes : { link, ...wishes })
  return { desk, frame: await inner(desk.page) }
}

describe('the manager script', () => {
  test('shows decision support in a page of the same site, as tall as it is, in the language that was asked for', async () => {
    const { desk, frame } = await openedAt(host.origin(), { lang: 'sv' })
    await frame.getByRole('heading', { name: 'Varför denna brådskegrad' }).waitFor()
    await expect.poll(async () => (await told(desk.page)).events).toEqual(['ready'])
    const heights = async () => [
      await desk.page.evaluate(() => document.querySelector('iframe')?.offsetHeight ?? 0),
      await frame.evaluate(() => document.documentElement.scrollHeight),
    ]
    await expect.poll(async () => (await heights())[0]).toBeGreaterThan(1_200)
    const [outer = 0, content = 0] = await heights()
    expect(Math.abs(outer - content)).toBeLessThanOrEqual(1)
    await frame.locator('.interview summary').click()
    await expect.poll(async () => (await heights())[0]).toBeGreaterThan(outer + 300)
    expect(frame.url()).not.toContain('token')
    await desk.leave()
  })

  test('works with the token alone, and hides the download when told so', async () => {
    const { token } = await linkTo(world.url, clinic, session)
    const { desk, frame } = await openedAt(host.origin(), { token, showFileViewerDownloadButton: false })
    await frame.locator('.thumb').first().click()
    await frame.locator('.viewer img').waitFor()
    await eventually(() => frame.getByRole('button', { name: 'Rotate' }).count()).toBe(1)
    expect(await frame.getByRole('button', { name: 'Download' }).count()).toBe(0)
    await desk.leave()
  })

  test('on another site, where the cookie is not kept, the visit’s secret stays in memory and goes as bearer', async () => {
    const requests: string[] = []
    host.serve('/', { html: hostPage() })
    const desk = await Desk.at(chromium)
    desk.page.on('request', async (request) => {
      if (request.url().includes('/picture')) requests.push((await request.allHeaders()).authorization ?? 'cookie')
    })
    await desk.page.goto(`${host.origin('127.0.0.1')}/`)
    const { link } = await linkTo(world.url, clinic, session)
    await openIn(desk.page, { link })
    const frame = await inner(desk.page)
    await expect.poll(() => requests).toEqual([expect.stringMatching(/^Bearer /)])
    const secret = requests[0]?.replace('Bearer ', '') ?? ''
    const kept = await frame.evaluate(() => {
      try {
        return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])
      } catch {
        return 'storage is closed here'
      }
    })
    expect(kept).not.toContain(secret)
    await desk.leave()
  })

  test('the file viewer lies over the whole host page and leaves it as it was', async () => {
    const { desk, frame } = await openedAt(host.origin())
    const { page } = desk
    await expect.poll(() => page.evaluate(() => document.body.scrollHeight)).toBeGreaterThan(1_500)
    await frame.locator('.thumb').first().scrollIntoViewIfNeeded()
    const before = await page.evaluate(() => [document.body.scrollHeight, Math.round(scrollY)])
    await frame.locator('.thumb').first().click()
    await frame.locator('.viewer img').waitFor()
    const box = await page.locator('iframe').boundingBox()
    expect(box).toMatchObject({ x: 0, y: 0, width: 1400, height: 900 })
    await page.keyboard.press('Escape')
    await frame.locator('.viewer').waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => [document.body.scrollHeight, Math.round(scrollY)])).toEqual(before)
    expect(await page.evaluate(() => document.querySelector('iframe')?.hasAttribute('popover'))).toBe(false)
    await desk.leave()
  })

  test('tells of copying, of an ended visit, and of the clinician’s own ending', async () => {
    const { desk, frame } = await openedAt(host.origin())
    await desk.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await frame.locator('h1').click()
    await desk.page.keyboard.press('c')
    await expect.poll(async () => (await told(desk.page)).events).toEqual(['ready', 'copied'])
    await frame.getByRole('button', { name: 'End visit' }).click()
    await expect.poll(async () => (await told(desk.page)).events).toEqual(['ready', 'copied', 'closed'])
    await desk.leave()
  })

  test('an expired link is an event, and a clear page in the frame', async () => {
    host.serve('/', { html: hostPage() })
    const desk = await Desk.at(chromium)
    await desk.page.goto(`${host.origin()}/`)
    const { link } = await linkTo(world.url, clinic, session)
    await world.sql('update link_tokens set expires_at = now() where session_id = $1', [session])
    await openIn(desk.page, { link })
    await expect.poll(async () => (await told(desk.page)).events).toEqual(['expired'])
    await desk.page.frameLocator('iframe').getByText('This link has expired').waitFor()
    await desk.leave()
  })

  test('destroy takes everything away, twice without harm, and the visit ends', async () => {
    const { desk } = await openedAt(host.origin())
    const living = () =>
      world.sql(
        `select count(*)::int as n from visits where audit_user_identifier = 'dr.framed' and alive_until > now()`,
      )
    const before = Number((await living())[0]?.n)
    await desk.page.evaluate(() => {
      const { ds } = window as unknown as { ds: { destroy: () => void } }
      ds.destroy()
      ds.destroy()
    })
    expect(await desk.page.evaluate(() => document.getElementById('place')?.childElementCount)).toBe(0)
    await expect.poll(async () => Number((await living())[0]?.n)).toBeLessThan(before)
    await desk.leave()
  })

  test('the example host page runs, under its strict policy and with the script pinned by its hash', async () => {
    const port = await freePort()
    await changeConfiguration(world.app.core, await configurationOf(world.app.core, clinic.slug), {
      document: { allowedOrigins: [host.origin(), host.origin('127.0.0.1'), `http://localhost:${port}`] },
    })
    const example = spawn('node', ['examples/host-page/server.mjs'], {
      env: { ...process.env, FYR_URL: originOf(world), FYR_KEY: clinic.key, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      await new Promise((done) => example.stdout.once('data', done))
      const desk = await Desk.at(chromium)
      await desk.page.goto(`http://localhost:${port}/`)
      await desk.page.locator('nav button').first().click()
      await inner(desk.page)
      await desk.page.getByText('Decision support is open.').waitFor()
      await eventually(() => desk.page.locator('script[integrity^="sha384-"]').count()).toBe(1)
      await desk.leave()
    } finally {
      example.kill()
    }
  })
})

describe('A41: framed by whom the configuration names, and by nobody else', () => {
  const blocked = async (html: string, origin = host.origin()) => {
    host.serve('/framing', { html })
    const desk = await Desk.at(chromium)
    await desk.page.goto(`${origin}/framing`)
    await expect.poll(() => desk.complaints.join('\n'), { timeout: 15_000 }).toMatch(/frame-ancestors/)
    for (const frame of desk.page.frames())
      expect(
        await frame
          .locator('#app')
          .count()
          .catch(() => 0),
      ).toBe(0)
    await desk.context.close()
  }
  const address = (slug: string) => `${originOf(world)}/decision-support/${slug}`

  test('an origin that is not listed', { tags: 'slice' }, async () => {
    const other = await world.clinic()
    await blocked(`<iframe src="${address(other.slug)}"></iframe>`)
  })

  test('a sandboxed frame without an origin of its own around it', async () => {
    const framing = `<iframe src=&quot;${address(clinic.slug)}&quot;></iframe>`
    await blocked(`<iframe sandbox="allow-scripts" srcdoc="${framing}"></iframe>`)
  })

  test('a listed origin inside one that is not', { tags: 'slice' }, async () => {
    const narrow = await world.clinic({ allowedOrigins: [host.origin()] })
    host.serve('/listed', { html: `<iframe src="${address(narrow.slug)}"></iframe>` })
    await blocked(`<iframe src="${host.origin()}/listed"></iframe>`, host.origin('127.0.0.1'))
  })

  test('every answer says by whom it may be framed, refusals too', async () => {
    const paths = [
      `/decision-support/${clinic.slug}`,
      '/decision-support/nowhere',
      '/api/decision-support/v1/picture',
      '/api/decision-support/v1/nothing',
      '/embed/v1/decision-support.js',
      '/embed/v1/integrity.json',
      '/embed/v1/nothing.js',
    ]
    for (const path of paths) {
      const policy = (await fetch(`${world.url}${path}`)).headers.get('content-security-policy') ?? ''
      expect(policy, path).toMatch(/frame-ancestors ('none'|http:\/\/localhost:\d+ )/)
      expect(policy, path).not.toMatch(/frame-ancestors [^;]*\*/)
    }
  })
})

describe('A42: only host and page speak with each other', () => {
  test('messages from elsewhere, from the right place with the wrong source, or of no sense change nothing', async () => {
    const { desk, frame } = await openedAt(host.origin())
    const { page } = desk
    await expect
      .poll(() => page.evaluate(() => document.querySelector('iframe')?.offsetHeight ?? 0))
      .toBeGreaterThan(1_200)
    const before = await page.evaluate(() => document.querySelector('iframe')?.style.cssText)
    const junk = `
      const hello = { fyr: 'decision-support', type: 'hello', lang: 'fi', download: false }
      const messages = [{ type: 'size', height: 9 }, { type: 'closed' }, { type: 'overlay', open: true }, { type: 'expired' }, 'x', null, { type: '__proto__' }]
      for (const one of messages) parent.postMessage(one, '*')
      const target = parent.frames[0]
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }) => (document.title = JSON.stringify(data))
      target.postMessage(hello, '*', [port2])
      for (const one of messages) target.postMessage(one, '*')`
    host.serve('/neighbour', { html: `<!doctype html><title>silent</title><script>${junk}</script>` })
    for (const origin of [host.origin(), host.origin('127.0.0.1')])
      await page.evaluate((src) => {
        const neighbour = document.createElement('iframe')
        neighbour.src = src
        document.body.append(neighbour)
      }, `${origin}/neighbour`)
    // And from the right window, but of no sense.
    await frame.evaluate(() => {
      window.postMessage({ fyr: 'decision-support', type: 'hello' }, '*')
    })
    await page.evaluate(() => {
      const target = document.querySelector('iframe')?.contentWindow
      for (const one of [{ fyr: 'decision-support', type: 'hello' }, { fyr: 'other', type: 'hello' }, 7])
        target?.postMessage(one, '*')
    })
    await page.waitForTimeout(1_500)
    expect(await page.evaluate(() => document.querySelector('iframe')?.style.cssText)).toBe(before)
    expect((await told(page)).events).toEqual(['ready'])
    for (const neighbour of page.frames().filter((one) => one.url().endsWith('/neighbour')))
      expect(await neighbour.title()).toBe('silent')
    await frame.getByRole('heading', { name: 'Why this urgency' }).waitFor() // still in English
    await desk.leave()
  })
})

describe('A48: tampering with the script or the page around it', () => {
  const at = async (html: string, headers: Record<string, string> = {}) => {
    host.serve('/a48', { html, headers })
    const desk = await Desk.at(chromium)
    await desk.page.goto(`${host.origin()}/a48`)
    return desk
  }

  test('a script whose bytes are not the published ones is not run', async () => {
    const { integrity } = (await (await fetch(`${world.url}/embed/v1/integrity.json`)).json()) as { integrity: string }
    const page = (hash: string) =>
      `<!doctype html><script src="${script()}" integrity="${hash}" crossorigin="anonymous"></script><div id="place"></div>`
    const good = await at(page(integrity))
    expect(await good.page.evaluate(() => typeof window.DecisionSupport)).toBe('object')
    await good.leave()
    const bad = await at(page(integrity.replace(/sha384-.{4}/, 'sha384-AAAA')))
    expect(await bad.page.evaluate(() => typeof window.DecisionSupport)).toBe('undefined')
    await bad.context.close()
  })

  test('elements that bear the names of what it uses do not stand in its way', async () => {
    const clobber = ['currentScript', 'createElement', 'querySelector', 'DecisionSupport', 'body', 'MessageChannel']
      .map((name) => `<form name="${name}" id="${name}"><input name="append"></form>`)
      .join('')
    const desk = await at(
      `<!doctype html>${clobber}<script src="${script()}"></script><form id="place"><input name="appendChild"></form>`,
    )
    const { token } = await linkTo(world.url, clinic, session)
    await openIn(desk.page, { token })
    await inner(desk.page)
    expect((await told(desk.page)).failed).toBeNull()
    await desk.leave()
  })

  test('a polluted prototype is not taken for a wish', async () => {
    const pollute = `<script>for (const name of ['link', 'token', 'lang', 'type', 'height', 'code']) Object.prototype[name] = 'https://elsewhere.example/decision-support/x#token=x'</script>`
    const desk = await at(hostPage(pollute))
    await openIn(desk.page, {})
    expect((await told(desk.page)).failed).toBe('invalid')
    const { link } = await linkTo(world.url, clinic, session)
    await openIn(desk.page, { link })
    await inner(desk.page)
    expect((await told(desk.page)).failed).toBeNull()
    await desk.context.close()
  })

  test('links to anywhere else are refused before anything is loaded', async () => {
    const desk = await at(hostPage())
    const { link, token } = await linkTo(world.url, clinic, session)
    const wrong = [
      `https://elsewhere.example/decision-support/${clinic.slug}#token=${token}`,
      link.replace('localhost', 'localhost.elsewhere.example'),
      `javascript:alert(1)//decision-support/x#token=${token}`,
      `data:text/html,<script>1</script>#token=${token}`,
      link.replace('/decision-support/', '/t/'),
      link.replace(/#.*/, ''),
      'nonsense',
    ]
    for (const one of wrong) {
      await openIn(desk.page, { link: one })
      expect((await told(desk.page)).failed, one).toBe('invalid')
    }
    await openIn(desk.page, { link, container: '#nowhere' })
    expect((await told(desk.page)).failed).toBe('invalid')
    expect(await desk.page.locator('iframe').count()).toBe(0)
    await desk.leave()
  })

  test('a host page that is not on the list is told so, and nothing is left behind', async () => {
    const narrow = await world.clinic()
    const own = await answered(world.url, narrow, CHEST_PAIN)
    const desk = await at(hostPage())
    await openIn(desk.page, { link: (await linkTo(world.url, narrow, own.sessionId)).link })
    expect(await told(desk.page)).toEqual({ events: ['error:unavailable'], failed: 'unavailable' })
    expect(await desk.page.locator('iframe').count()).toBe(0)
    await desk.context.close()
  })
})
