import { accessSync, constants } from 'node:fs'
import { BlockList, isIP, isIPv4 } from 'node:net'

/** How settings are read from text; what does not fit is refused with the end of a sentence that the setting's name begins. */
export const wholeNumber =
  (least: number, most: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new Error(`is not a whole number from ${least} to ${most}`)
    return value
  }

export const oneOf =
  <const T extends readonly string[]>(values: T) =>
  (text: string): T[number] => {
    const found = values.find((value) => value === text)
    if (found === undefined) throw new Error(`is none of ${values.join(', ')}`)
    return found
  }

export const asIs = (text: string): string => text

/** An address to listen on, or the name of one. */
export function host(text: string): string {
  const isName = /^(?=.*[a-z])[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text)
  if (isIP(text) === 0 && !isName) throw new Error('is no address such as 127.0.0.1, 0.0.0.0 or ::')
  return text
}

/** The groups of addresses that have names. */
const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

/** Whoever may be believed about addresses; not everybody: the server refuses /0. */
export function networks(text: string): readonly string[] {
  const all = list(text)
  if (!all.every((one) => NAMED_NETWORKS.includes(one) || networkOf(withBits(one))))
    throw new Error('has an entry that is no address and no network such as 10.0.0.0/8 (everybody, /0, is none)')
  return all
}

/** A network of IPv4 that is written with its mask (10.0.0.0/255.0.0.0), with bits; other text as it is. */
function withBits(text: string): string {
  const [address = '', mask = '', ...rest] = text.split('/')
  if (!isIPv4(address) || !isIPv4(mask) || rest.length > 0) return text
  const bits = mask.split('.').map((part) => Number(part).toString(2).padStart(8, '0'))
  const [, ones] = /^(1*)0*$/.exec(bits.join('')) ?? []
  return ones === undefined ? text : `${address}/${ones.length}`
}

type Network = { address: string; bits: number; family: 'ipv4' | 'ipv6' }

/** An address, or a network with its bits; null for any other text. */
function networkOf(text: string): Network | null {
  const [address = '', written, ...rest] = text.split('/')
  const [family, most] = isIPv4(address) ? (['ipv4', 32] as const) : (['ipv6', 128] as const)
  const bits = written === undefined ? most : /^\d{1,3}$/.test(written) ? Number(written) : 0
  const isNetwork = isIP(address) !== 0 && bits >= 1 && bits <= most && rest.length === 0
  return isNetwork ? { address, bits, family } : null
}

export function readableFile(text: string): string {
  try {
    accessSync(text, constants.R_OK)
    return text
  } catch {
    throw new Error('names a file that is not there or cannot be read')
  }
}

export function httpAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new Error('is not an http(s) address such as https://triage.example.org')
  }
  return text.replace(/(?<!\/)\/+$/, '')
}

/** The bucket stands in the path, or first in the name of the host, before that of the store. */
export function bucketAddress(text: string): string {
  const address = httpAddress(text)
  const { pathname, hostname } = new URL(address)
  if (pathname === '/' && !/[^.]\.s3[.-]/.test(hostname))
    throw new Error('names no bucket: write it as https://host/bucket, or https://bucket.s3.region.host')
  return address
}

const WRITABLE_SERVERS = ['read-write', 'primary']

export function databaseAddress(text: string): string {
  for (const server of databaseServers(text)) {
    const url = URL.canParse(server) ? new URL(server) : null
    if (!url || !/^postgres(ql)?:$/.test(url.protocol))
      throw new Error(
        'is not an address such as postgres://user:password@host:5432/database (write special characters of the password as %XX; several servers as host1:5432,host2:5432)',
      )
    const wanted = url.searchParams.get('target_session_attrs')
    if (wanted !== null && !WRITABLE_SERVERS.includes(wanted))
      throw new Error(
        'asks for other servers than those that take writes: leave target_session_attrs out, or set it to read-write',
      )
  }
  return text
}

/** The servers that a database address names (host1:5432,host2:5432), each as an address of its own. */
export function databaseServers(text: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^@/?#]*@)?)([^@/?#]*)(.*)$/s.exec(text) ?? ['', text]
  return hosts.split(',').map((host) => `${before}${host}${after}`)
}

export function masterKey(text: string): Buffer {
  const key = Buffer.from(text, 'base64')
  if (key.length !== 32) throw new Error('is not 32 bytes in base64 (make one with: openssl rand -base64 32)')
  return key
}

export const yesOrNo = (text: string): boolean => oneOf(['true', 'false'])(text) === 'true'

export const ports = (text: string): readonly number[] => list(text).map(wholeNumber(1, 65_535))

const list = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** Addresses of DNS servers; an IPv6 address with a port stands in brackets. Names would have to be looked up themselves. */
export function dnsServers(text: string): readonly string[] {
  const servers = list(text)
  const isServer = (server: string) => {
    const [, bracketed, bare, port = '53'] = /^(?:\[(.*)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(server) ?? []
    const isPort = Number(port) >= 1 && Number(port) <= 65_535
    return isIP(server) !== 0 || (isPort && isIP(bracketed ?? bare ?? '') !== 0)
  }
  if (!servers.every(isServer))
    throw new Error('has an entry that is no address such as 10.0.0.53, 10.0.0.53:5353 or [fd00::53]:53')
  return servers
}

/** Private networks: the only ones that an operator may open for webhooks. */
export const PRIVATE_NETWORKS = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']
const HOST_NAME = /^(?!localhost$)(?!.*\.localhost$)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/

export function webhookTargets(text: string): readonly string[] {
  const targets = list(text.toLowerCase())
  if (!targets.every((target) => HOST_NAME.test(target) || isPrivateNetwork(target)))
    throw new Error('is not a list of host names, and of networks or addresses inside a private network')
  return targets
}

function isPrivateNetwork(target: string): boolean {
  const wanted = networkOf(target)
  return wanted !== null && PRIVATE_NETWORKS.some((network) => holds(network, wanted))
}

function holds(network: string, { address, bits, family }: Network): boolean {
  const [first = '', least = ''] = network.split('/')
  if (isIPv4(first) !== (family === 'ipv4') || bits < Number(least)) return false
  const known = new BlockList()
  known.addSubnet(first, Number(least), family)
  return known.check(address, family)
}
