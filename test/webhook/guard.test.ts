import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { configurationOf } from '../../src/account/provision.ts'
import { setWebhook } from '../../src/account/webhook.ts'
import { startDeliverer } from '../../src/events/delivery/deliverer.ts'
import { AddressRefused, Guard, type GuardSettings } from '../../src/events/delivery/guard.ts'
import { isPublicAddress } from '../../src/events/delivery/ranges.ts'
import { newLogger } from '../../src/log.ts'
import { readSettings } from '../../src/settings.ts'
import { guardWith } from '../world/guard.ts'
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

const strict = (ports: number[] = [443], more: Partial<GuardSettings> = {}) =>
  guardWith({ WEBHOOK_PORTS: ports, WEBHOOK_ALLOW_LOOPBACK: false, WEBHOOK_DNS_SERVERS: [names.address], ...more })

/** A clinic with its webhook set under these rules, and a node that delivers under them. */
async function under(rules: { loopback: boolean }, url: string) {
  const clinic = await scene.world.clinic()
  const configuration = await configurationOf(scene.world.app.core, clinic.slug)
  const settings = {
    WEBHOOK_PORTS: [443, scene.receiver.port],
    WEBHOOK_ALLOW_LOOPBACK: rules.loopback,
    WEBHOOK_ALLOWED_TARGETS: [],
    DATABASE_URL: null,
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

  describe('what the operator lists', () => {
    const listed = (targets: string[], database: string | null = null) =>
      strict([443], { WEBHOOK_ALLOWED_TARGETS: targets, DATABASE_URL: database })

    test('A20: a private network that is listed may be reached, and no other', async () => {
      const guard = listed(['10.20.0.0/16', 'fd12:3456::/32', '192.168.7.7'])
      await expect(guard.vetted('10.20.255.1')).resolves.toEqual(['10.20.255.1'])
      await expect(guard.vetted('192.168.7.7')).resolves.toEqual(['192.168.7.7'])
      await expect(guard.check('https://[fd12:3456::1]/hook')).resolves.toBeInstanceOf(URL)
      for (const other of ['10.21.0.1', '192.168.7.8', 'fd12:3457::1', '::ffff:10.20.0.1', '::ffff:a14:1'])
        await expect(guard.vetted(other), other).rejects.toThrow('not public')
      names.set('inside.example.test', '10.20.1.1', '10.99.1.1')
      await expect(guard.vetted('inside.example.test')).resolves.toEqual(['10.20.1.1'])
    })

    test('A20: a host that is listed may lead into a private network; another name for the same place may not', async () => {
      names.set('hooks.clinic.test', '172.20.0.5')
      names.set('other.clinic.test', '172.20.0.5')
      const guard = listed(['hooks.clinic.test'])
      await expect(guard.check('https://hooks.clinic.test/fyr')).resolves.toBeInstanceOf(URL)
      await expect(guard.check('https://other.clinic.test/fyr')).rejects.toThrow('not public')
      expect(() => guard.parse('http://hooks.clinic.test/fyr')).toThrow('https')
      expect(() => guard.parse('https://hooks.clinic.test:5432/fyr')).toThrow('port')
    })

    test('A20: loopback, link-local and metadata addresses are never reached, whatever is listed', async () => {
      const all = ['10.0.0.0/8', '100.64.0.0/10', 'fc00::/7', 'hooks.clinic.test']
      for (const never of ['127.0.0.1', '169.254.169.254', '168.63.129.16', '100.100.100.200', '0.0.0.0']) {
        await expect(listed(all).vetted(never), never).rejects.toThrow('not public')
        names.set('hooks.clinic.test', never)
        await expect(listed(all).vetted('hooks.clinic.test'), never).rejects.toThrow('not public')
      }
      for (const never of ['::1', 'fe80::1', 'fd00:ec2::254', 'fd20:ce::254', '::ffff:127.0.0.1'])
        await expect(listed(all).vetted(never), never).rejects.toThrow('not public')
    })

    test('A20: the database is never reached, by its address, its name or another name', async () => {
      names.set('db.clinic.test', '10.0.0.9')
      names.set('hooks.clinic.test', '10.0.0.9')
      const targets = ['10.0.0.0/8', 'db.clinic.test', 'hooks.clinic.test']
      for (const url of [
        'postgres://u:p@db.clinic.test:5432/fyr',
        'postgres://u:p@10.0.0.9/fyr',
        'postgres://u:p@10.0.0.8:5432,db.clinic.test:5432/fyr',
      ]) {
        const guard = listed(targets, url)
        for (const host of ['10.0.0.9', 'db.clinic.test', 'hooks.clinic.test'])
          await expect(guard.vetted(host), host).rejects.toThrow('not public')
        await expect(guard.vetted('10.0.0.10')).resolves.toEqual(['10.0.0.10'])
      }
    })

    test('A20: while nobody knows where the database is, nothing that is not public is reached', async () => {
      const guard = listed(['10.0.0.0/8'], 'postgres://u:p@db.invalid:5432/fyr')
      await expect(guard.vetted('10.0.0.9')).rejects.toThrow('not public')
      await expect(guard.vetted(PUBLIC)).resolves.toEqual([PUBLIC])
    })

    test('a list that opens more than private networks is no setting', () => {
      for (const bad of [
        '0.0.0.0/0',
        '10.0.0.0/4',
        '127.0.0.0/8',
        '169.254.0.0/16',
        '8.8.8.8',
        '::/0',
        'fe80::/10',
        'https://x.test',
        '10.0.0.0/33',
        'localhost',
        '*',
      ])
        expect(() => readSettings({ WEBHOOK_ALLOWED_TARGETS: bad }), bad).toThrow(/^WEBHOOK_ALLOWED_TARGETS /)
      const good = 'hooks.clinic.internal, 10.0.0.0/8,172.16.5.4, fd00::/8'
      expect(readSettings({ WEBHOOK_ALLOWED_TARGETS: good }).WEBHOOK_ALLOWED_TARGETS).toHaveLength(4)
    })
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
