import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configurationOf } from '../../src/account/provision.ts'
import { setWebhook } from '../../src/account/webhook.ts'
import { startDeliverer } from '../../src/events/delivery/deliverer.ts'
import { AddressRefused, Guard } from '../../src/events/delivery/guard.ts'
import { isPublicAddress } from '../../src/events/delivery/ranges.ts'
import { newLogger } from '../../src/log.ts'
import { startReceiver } from '../world/receiver.ts'
import {
  attempted,
  type ClinicWithWebhook,
  completedSession,
  newScene,
  passTheWait,
  type Scene,
} from '../world/webhook-scene.ts'
import { type NameServer, startNameServer } from './dns-server.ts'

const PUBLIC = '93.184.216.34'
const HOST = 'hooks.example.test'

let scene: Scene
let names: NameServer
beforeAll(async () => {
  names = await startNameServer()
  scene = await newScene({ WEBHOOK_CONCURRENCY: '0' })
})
afterAll(async () => {
  await scene.close()
  names.close()
})

const strict = (ports: number[] = [443]) =>
  new Guard({ WEBHOOK_PORTS: ports, WEBHOOK_ALLOW_LOOPBACK: false, WEBHOOK_DNS_SERVERS: [names.address] })

/** A clinic with its webhook set under these rules, and a node that delivers under them. */
async function under(rules: { loopback: boolean }, url: string) {
  const clinic = await scene.world.clinic()
  const configuration = await configurationOf(scene.world.app.core, clinic.slug)
  const settings = {
    WEBHOOK_PORTS: [443, scene.receiver.port],
    WEBHOOK_ALLOW_LOOPBACK: rules.loopback,
    WEBHOOK_DNS_SERVERS: [names.address],
    WEBHOOK_CONCURRENCY: 10,
    WEBHOOK_CA_FILE: scene.authority.caFile,
    DRAIN_SECONDS: 1,
  }
  const { secret } = await setWebhook(scene.world.app.core, new Guard(settings), configuration, { url })
  const withWebhook: ClinicWithWebhook = { ...clinic, configuration, secret: secret ?? '', url }
  const start = () =>
    startDeliverer(scene.world.app.core, settings, newLogger({ LOG_LEVEL: 'silent' }), { registry: new Registry() })
  return { clinic: withWebhook, start }
}

describe('what may be saved', () => {
  test.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '169.254.169.254',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.127.255.255',
    '192.0.0.8',
    '192.0.2.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    'fc00::1',
    'fdff::1',
    'fe80::1',
    'fec0::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    '100::1',
    '5f00::1',
    '3fff::1',
  ])('A20: %s is refused when saved and when connected to', async (address) => {
    expect(isPublicAddress(address)).toBe(false)
    const written = address.includes(':') ? `[${new URL(`https://[${address}]/`).hostname.slice(1, -1)}]` : address
    await expect(strict().check(`https://${written}/hook`)).rejects.toThrow('not public')
    await expect(strict().vetted(address)).rejects.toThrow(AddressRefused)
    if (!address.includes(':')) {
      names.set('inside.example.test', address)
      await expect(strict().check('https://inside.example.test/')).rejects.toThrow('not public')
    }
  })

  test.each([
    'https://2130706433/',
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://127.1/',
    'https://0x7f000001/',
    'https://134744072/',
    'https://8.8.8.8./',
    'https://example.com./',
    'https://localhost./',
    'https://localhost/',
    'https://sub.localhost/',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    'https://127。0。0。1/',
    'https://ｅxample.com/',
    'https://example.com#part/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://example.com\\@127.0.0.1/',
    'https:///127.0.0.1',
    'https:127.0.0.1',
    'https://[::1]:443/',
    'https://exa mple.com/',
  ])('A21: the disguised address %s is refused', async (address) => {
    names.set('example.com', PUBLIC)
    await expect(strict().check(address)).rejects.toThrow(AddressRefused)
  })

  test.each([
    'http://example.com/',
    'http://127.0.0.1/',
    'ftp://example.com/',
    'file:///etc/passwd',
    'gopher://example.com/',
    'javascript:alert(1)',
    'example.com/hook',
    '',
    'https://example.com:22/',
    'https://example.com:25/',
    'https://example.com:6379/',
    'https://example.com:8443/',
  ])('A24, B27: %s is refused with a pointer to the address', async (url) => {
    names.set('example.com', PUBLIC)
    const { configuration } = await scene.clinic('unused')
    await expect(setWebhook(scene.world.app.core, strict(), configuration, { url })).rejects.toMatchObject({
      status: 400,
      extra: { errors: [{ pointer: '/url', message: expect.stringMatching(/\w/) }] },
    })
  })

  test('a public https address on port 443 or a configured port is taken', async () => {
    names.set('example.com', PUBLIC)
    await expect(strict().check('https://example.com/hook?code=1')).resolves.toMatchObject({ host: 'example.com' })
    await expect(strict().check('https://8.8.8.8/hook')).resolves.toBeInstanceOf(URL)
    await expect(strict([443, 8443]).check('https://example.com:8443/')).resolves.toBeInstanceOf(URL)
    await expect(strict().check(`https://example.com/${'x'.repeat(2_000)}`)).rejects.toThrow(AddressRefused)
    await expect(strict().check('https://nobody-has-this-name.example.test/')).rejects.toThrow('cannot be found')
  })

  test('http and this machine itself are for development only', async () => {
    expect(scene.guard.parse('http://localhost:9000/hook').port).toBe('9000')
    expect(() => scene.guard.parse('http://example.com/')).toThrow('https')
    expect(() => scene.guard.parse('https://example.com:9000/')).toThrow('port')
  })
})

describe('where a connection may go', () => {
  test('A22: a name that was public when saved and leads inside when sending is not connected to', async () => {
    names.set(HOST, PUBLIC)
    const { clinic, start } = await under({ loopback: false }, `https://${HOST}:${scene.receiver.port}/rebound`)
    names.set(HOST, '127.0.0.1')
    const before = scene.receiver.connections()
    const node = await start()
    await completedSession(scene, clinic)
    const { attempts } = await attempted(scene, clinic, 1)
    await node.stop()
    expect(attempts[0]).toMatchObject({ status: null, error: 'no-connection' })
    expect(scene.receiver.connections()).toBe(before)
  })

  test('A22: of mixed addresses only the vetted one is connected to, under the certificate of the name', async () => {
    names.set(HOST, '10.255.255.1', '169.254.169.254', '127.0.0.1')
    const { clinic, start } = await under({ loopback: true }, `https://${HOST}:${scene.receiver.port}/mixed`)
    await scene.receiver.expect('mixed', clinic.secret)
    const node = await start()
    await completedSession(scene, clinic)
    const { row } = await attempted(scene, clinic, 1)
    await node.stop()
    expect(row.state).toBe('delivered')
    expect(scene.receiver.arrived('mixed')[0]?.verifiedBy).toEqual([clinic.secret])
  })

  test('F39: a name that cannot be found is a failed attempt, and is looked up afresh for the next', async () => {
    names.set(HOST, '127.0.0.1')
    const { clinic, start } = await under({ loopback: true }, `https://${HOST}:${scene.receiver.port}/unfound`)
    names.set(HOST)
    const node = await start()
    await completedSession(scene, clinic)
    const { attempts } = await attempted(scene, clinic, 1)
    expect(attempts[0]).toMatchObject({ status: null, error: 'no-connection' })
    names.set(HOST, '127.0.0.1')
    await passTheWait(scene, clinic)
    const after = await attempted(scene, clinic, 2)
    await node.stop()
    expect(after.row.state).toBe('delivered')
  })

  test('A23: a redirect is a failure; where it points is never asked', async () => {
    const { clinic, start } = await under({ loopback: true }, `https://localhost:${scene.receiver.port}/redirecting`)
    await scene.receiver.behave('redirecting', `redirect https://localhost:${scene.receiver.port}/inside`)
    const node = await start()
    await completedSession(scene, clinic)
    const { row, attempts } = await attempted(scene, clinic, 1)
    await node.stop()
    expect(row.state).toBe('pending')
    expect(attempts[0]).toMatchObject({ status: 307, error: null })
    expect(scene.receiver.arrived('inside')).toEqual([])
  })

  test('A25, A26: bad certificates, a closed port and a forbidden address all look the same in the log', async () => {
    const yesterday = new Date(Date.now() - 86_400_000)
    const expired = { from: new Date(yesterday.getTime() - 86_400_000), to: yesterday }
    const bad = await Promise.all([
      startReceiver(scene.authority.issue(['localhost'], expired)),
      startReceiver(scene.authority.issue(['other.example.test'])),
      startReceiver(scene.authority.selfSigned),
    ])
    names.set('inside.example.test', '127.0.0.1')
    const urls = [
      ...bad.map(({ port }) => `https://localhost:${port}/x`),
      'https://localhost:1/x',
      'https://inside.example.test/x',
    ]
    const places = []
    for (const url of urls) places.push(await under({ loopback: true }, url))
    names.set('inside.example.test', '10.1.2.3')
    const node = await places[0]?.start()
    for (const { clinic } of places) {
      await completedSession(scene, clinic)
      const { attempts } = await attempted(scene, clinic, 1)
      expect(attempts[0]).toMatchObject({ status: null, error: 'no-connection', durationMs: null, answer: null })
    }
    await node?.stop()
    expect(bad.flatMap((receiver) => receiver.arrived())).toEqual([])
    await Promise.all(bad.map((receiver) => receiver.stop()))
  })
})
