import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWorld, type World } from '../world/world.ts'

const FILE = new URL('../../web/embed/decision-support.js', import.meta.url)
const source = readFileSync(FILE, 'utf8')

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

type Published = { version: string; url: string; integrity: string }
const published = async (): Promise<Published> => (await fetch(`${world.url}/embed/v1/integrity.json`)).json()

test('the script is the file of the repository, at an address that stays and at one of its exact version', async () => {
  const { version, url } = await published()
  expect(source).toContain(`const VERSION = '${version}'`)
  expect(new URL(url).pathname).toBe(`/embed/${version}/decision-support.js`)
  for (const path of ['/embed/v1/decision-support.js', new URL(url).pathname]) {
    const reply = await fetch(`${world.url}${path}`)
    expect(await reply.text()).toBe(source)
    expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  }
})

test('the published hash is the file’s, and the documentation says the same', async () => {
  const { integrity, version } = await published()
  expect(integrity).toBe(`sha384-${createHash('sha384').update(source).digest('base64')}`)
  const page = readFileSync(new URL('../../docs/decision-support.md', import.meta.url), 'utf8')
  expect(page).toContain(integrity)
  expect(page).toContain(`/embed/${version}/decision-support.js`)
})

test('A44: any origin may load the script and check it; nothing else is shared', async () => {
  for (const path of ['/embed/v1/decision-support.js', '/embed/v1/decision-support.d.ts', '/embed/v1/integrity.json']) {
    const { headers } = await fetch(`${world.url}${path}`, { headers: { origin: 'https://elsewhere.example' } })
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(headers.get('access-control-allow-credentials')).toBeNull()
    expect(headers.get('set-cookie')).toBeNull()
  }
  for (const path of ['/decision-support/x', '/api/decision-support/v1/picture']) {
    const { headers } = await fetch(`${world.url}${path}`, { headers: { origin: 'https://elsewhere.example' } })
    expect(headers.get('access-control-allow-origin')).toBeNull()
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  }
})

test('it is small, needs nothing, and holds no secret', () => {
  expect(gzipSync(source).length).toBeLessThanOrEqual(4_096)
  expect(source).not.toMatch(/\bimport\b|\brequire\(|\beval\b|innerHTML|localStorage|document\.cookie/)
})

test('its types fit how it is used, and refuse how it is not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-types-'))
  try {
    const types = new URL('../../web/embed/decision-support.d.ts', import.meta.url).pathname
    const use = `import type { DecisionSupportHandle } from '${types.replace(/\.d\.ts$/, '')}'
      const on = { error: ({ code }: { code: string }) => void code.length }
      const ds: DecisionSupportHandle = await DecisionSupport.open({ link: 'x', container: document.body, lang: 'fi', on })
      ds.on('copied', () => ds.destroy())
      // @ts-expect-error neither link nor token
      await DecisionSupport.open({ container: '#x' })
      // @ts-expect-error no such language
      await DecisionSupport.open({ link: 'x', container: '#x', lang: 'de' })
      // @ts-expect-error no such event
      ds.on('done', () => {})`
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      types: [],
      target: 'esnext',
      module: 'esnext',
      moduleResolution: 'bundler',
    }
    writeFileSync(join(folder, 'use.ts'), use)
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }))
    expect(spawnSync('tsc', ['-p', folder], { encoding: 'utf8' }).stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
