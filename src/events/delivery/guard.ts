import { promises as dns } from 'node:dns'
import { isIP } from 'node:net'
import { databaseServers } from '../../setting-values.ts'
import type { Settings } from '../../settings.ts'
import { isLoopbackAddress, isPrivateAddress, isPublicAddress, networksOf } from './ranges.ts'

export type GuardSettings = Pick<
  Settings,
  'WEBHOOK_PORTS' | 'WEBHOOK_ALLOW_LOOPBACK' | 'WEBHOOK_ALLOWED_TARGETS' | 'WEBHOOK_DNS_SERVERS' | 'DATABASE_URL'
>

const DNS_TIMEOUT_MS = 1_500
const DNS_TRIES = 2
const MOST_ADDRESSES = 8
const LONGEST_URL = 2_000

/** The address leads, or could be made to lead, somewhere webhooks must not go. */
export class AddressRefused extends Error {}

/**
 * Keeps webhooks from reaching internal systems (SSRF). The form of an address is checked when it is saved; where its
 * host leads is checked then and again at every connection, which may only go to an address vetted at that moment.
 */
export class Guard {
  readonly #settings: GuardSettings
  readonly #isListed: (address: string) => boolean

  constructor(settings: GuardSettings) {
    this.#settings = settings
    this.#isListed = networksOf(settings.WEBHOOK_ALLOWED_TARGETS.filter(isNetwork))
  }

  /** The address in its plain form, or AddressRefused with a sentence for whoever typed it. */
  parse(text: string): URL {
    const url = text.length <= LONGEST_URL && URL.canParse(text) ? new URL(text) : null
    if (!url) throw new AddressRefused('is not an https address such as https://example.org/fyr')
    const mayBeLocal = this.#settings.WEBHOOK_ALLOW_LOOPBACK && isLocalName(hostOf(url))
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayBeLocal))
      throw new AddressRefused('must begin with https://')
    if (url.username || url.password) throw new AddressRefused('must not hold a user name or password')
    if (url.hash || text.includes('#')) throw new AddressRefused('must not have a part after #')
    if (!isWrittenPlainly(text, url))
      throw new AddressRefused(`must name its host in plain form (${url.host} is what it comes to)`)
    if (url.hostname.endsWith('.')) throw new AddressRefused('must name its host without a dot at the end')
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    if (!mayBeLocal && !this.#settings.WEBHOOK_PORTS.includes(port))
      throw new AddressRefused(`must use port ${this.#settings.WEBHOOK_PORTS.join(' or ')}`)
    return url
  }

  /** Checks form and destination when an address is saved. */
  async check(text: string): Promise<URL> {
    const url = this.parse(text)
    await this.vetted(hostOf(url))
    return url
  }

  /** The addresses of a host that may be connected to right now; AddressRefused if there are none. Never cached. */
  async vetted(host: string): Promise<string[]> {
    const found = isIP(host) ? [host] : isLocalName(host) ? ['127.0.0.1', '::1'] : await this.#resolve(host)
    const database = await this.#databaseAddresses()
    const allowed = found
      .filter((address) => this.#isAllowed(address, host) && !isDatabase(address, database))
      .slice(0, MOST_ADDRESSES)
    if (allowed.length === 0) {
      throw new AddressRefused(
        found.length === 0 ? 'names a host that cannot be found' : 'leads to an address that is not public',
      )
    }
    return allowed
  }

  #isAllowed(address: string, host: string): boolean {
    if (isPublicAddress(address)) return true
    if (isLoopbackAddress(address)) return this.#settings.WEBHOOK_ALLOW_LOOPBACK
    const isNamed = this.#settings.WEBHOOK_ALLOWED_TARGETS.includes(host.toLowerCase())
    return isPrivateAddress(address) && (isNamed || this.#isListed(address))
  }

  /**
   * The addresses of our own database, if it is remote: never a target, whatever the operator allowed. A name that DNS
   * does not know is looked up as the driver does, with hosts file and search list. Null when one cannot be found.
   */
  async #databaseAddresses(): Promise<string[] | null> {
    const { DATABASE_URL: url } = this.#settings
    const hosts = url === null ? [] : databaseServers(url).map((server) => databaseHost(new URL(server)))
    const found = await Promise.all(hosts.map((host) => this.#databaseAddressesOf(host)))
    return found.some((addresses) => addresses === null) ? null : found.flatMap((addresses) => addresses ?? [])
  }

  async #databaseAddressesOf(host: string): Promise<string[] | null> {
    if (host === '' || isLocalName(host)) return []
    if (isIP(host)) return [host]
    const found = await this.#resolve(host)
    if (found.length > 0) return found
    const known = await dns.lookup(host, { all: true }).catch(() => null)
    return known?.map(({ address }) => address) ?? null
  }

  /** Asks DNS and nothing else: no hosts file, no search list, and no shared thread that a dead server could block. */
  async #resolve(host: string): Promise<string[]> {
    const resolver = new dns.Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
    if (this.#settings.WEBHOOK_DNS_SERVERS.length > 0) resolver.setServers([...this.#settings.WEBHOOK_DNS_SERVERS])
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}

/** The host without the brackets of an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1')

const isNetwork = (target: string): boolean => isIP(target.split('/')[0] ?? '') !== 0

/** While nobody knows where the database is, it may be at any address that is not public. */
const isDatabase = (address: string, database: readonly string[] | null): boolean =>
  database === null ? !isPublicAddress(address) : database.includes(address)

/** As the driver reads it: the parameter before the address. A path is a socket of this machine. */
function databaseHost(url: URL): string {
  const host = url.searchParams.get('host') || decodeURIComponent(hostOf(url))
  return host.startsWith('/') ? '' : host
}

const isLocalName = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || isLoopbackAddress(host)

/** 0x7f.1, 2130706433, dots of other scripts and the like parse to something other than they look: refused. */
function isWrittenPlainly(text: string, url: URL): boolean {
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text)) return false // visible ASCII without backslash
  const [, authority = ''] = /^[a-z]+:\/\/([^/?#\\]*)/i.exec(text) ?? []
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '')
  return host.toLowerCase() === url.hostname
}
