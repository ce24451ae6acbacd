import { afterEach, expect, test, vi } from 'vitest'
import { greet } from './greeting.ts'

const SETTINGS = { PUBLIC_URL: null, DATA_DIR: './data' }
const STARTED = { url: 'http://127.0.0.1:8080', demoKey: null, hasContent: true }

const said = vi.spyOn(console, 'log').mockImplementation(() => {})
afterEach(() => said.mockClear())
const greeting = () => said.mock.calls.join('\n')

test('the first start tells where to try it, with the key', () => {
  greet(SETTINGS, { ...STARTED, demoKey: 'fyr_key' })
  expect(greeting()).toMatch(/Fyr is ready/)
  expect(greeting()).toMatch(/http:\/\/localhost:8080\/t\/demo[\s\S]*fyr_key/)
  expect(greeting()).not.toMatch(/Nobody can be interviewed/)
})

test('a later start says where it answers', () => {
  greet(SETTINGS, STARTED)
  expect(greeting()).toMatch(/^Fyr answers at http:\/\/127\.0\.0\.1:8080 \(data in .*data\)\.$/)
})

test('a service that has no content to interview with does not call itself ready, and still tells its key', () => {
  greet(SETTINGS, { ...STARTED, demoKey: 'fyr_key', hasContent: false })
  expect(greeting()).not.toMatch(/ready/)
  expect(greeting()).toMatch(/fyr_key[\s\S]*Nobody can be interviewed yet[\s\S]*fyr content publish/)
})
