import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Certificates made on the spot: an authority, and servers it signs. Written as DER by hand, so no tool is needed. */

type Pair = { cert: string; key: string }
export type Authority = {
  caFile: string
  issue: (hosts: readonly string[], validity?: Validity) => Pair
  selfSigned: Pair
}
type Validity = { from: Date; to: Date }

const DAY_MS = 86_400_000
const ECDSA_SHA256 = '2a8648ce3d040302'

const tagged = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const size: number[] = []
  for (let rest = body.length; rest > 0; rest >>= 8) size.unshift(rest & 0xff)
  const length = body.length < 128 ? [body.length] : [0x80 | size.length, ...size]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const sequence = (...parts: readonly Buffer[]) => tagged(0x30, ...parts)
const oid = (hex: string) => tagged(0x06, Buffer.from(hex, 'hex'))
const flag = (value: boolean) => tagged(0x01, Buffer.from([value ? 0xff : 0]))
const octets = (...parts: readonly Buffer[]) => tagged(0x04, ...parts)
const bits = (bytes: Buffer) => tagged(0x03, Buffer.from([0]), bytes)
const nameOf = (text: string) => sequence(tagged(0x31, sequence(oid('550403'), tagged(0x0c, Buffer.from(text)))))
const moment = (at: Date) => tagged(0x18, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))
const extension = (id: string, isCritical: boolean, value: Buffer) =>
  sequence(oid(id), ...(isCritical ? [flag(true)] : []), octets(value))

function hostNames(hosts: readonly string[]): Buffer {
  const names = hosts.map((host) =>
    isIP(host) === 4 ? tagged(0x87, Buffer.from(host.split('.').map(Number))) : tagged(0x82, Buffer.from(host)),
  )
  return extension('551d11', false, sequence(...names))
}

function certificate(
  subject: string,
  issuer: string,
  publicKey: KeyObject,
  signer: KeyObject,
  extensions: Buffer[],
  validity: Validity,
): string {
  const algorithm = sequence(oid(ECDSA_SHA256))
  const body = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(issuer),
    sequence(moment(validity.from), moment(validity.to)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions)),
  )
  const der = sequence(body, algorithm, bits(sign('sha256', body, signer)))
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`
}

const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()

export function newAuthority(): Authority {
  const ca = newPair()
  const now = { from: new Date(Date.now() - DAY_MS), to: new Date(Date.now() + 30 * DAY_MS) }
  const isAuthority = extension('551d13', true, sequence(flag(true)))
  const caCert = certificate('Test authority', 'Test authority', ca.publicKey, ca.privateKey, [isAuthority], now)
  const folder = mkdtempSync(join(tmpdir(), 'fyr-ca-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, caCert)
  const issue = (hosts: readonly string[], validity: Validity = now): Pair => {
    const own = newPair()
    const cert = certificate(
      'Test receiver',
      'Test authority',
      own.publicKey,
      ca.privateKey,
      [hostNames(hosts)],
      validity,
    )
    return { cert, key: pemOf(own.privateKey) }
  }
  const lone = newPair()
  const loneCert = certificate(
    'localhost',
    'localhost',
    lone.publicKey,
    lone.privateKey,
    [hostNames(['localhost'])],
    now,
  )
  return { caFile, issue, selfSigned: { cert: loneCert, key: pemOf(createPrivateKey(pemOf(lone.privateKey))) } }
}
