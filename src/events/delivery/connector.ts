import { readFileSync } from 'node:fs'
import { isIP, type LookupFunction } from 'node:net'
import { createSecureContext, getCACertificates } from 'node:tls'
import { Agent, buildConnector } from 'undici'
import type { Guard } from './guard.ts'

const CONNECT_TIMEOUT_MS = 5_000
const NEXT_ADDRESS_AFTER_MS = 2_000 // distant receivers take a while; giving up sooner would lose them
const KEEP_ALIVE_MS = 4_000
const LARGEST_HEADERS_BYTES = 256 * 1024

/** A failure before the connection was made: the receiver has not seen the event. */
export class NoConnection extends Error {}

/**
 * An agent whose sockets connect only to addresses vetted at that moment: the guard resolves the name, and the socket
 * can choose only from what it lets through. Certificates are always verified.
 */
export function guardedAgent(guard: Guard, caFile: string | null): Agent {
  const lookup: LookupFunction = (host, _options, done) => {
    guard.vetted(host).then(
      (addresses) =>
        done(
          null,
          addresses.map((address) => ({ address, family: isIP(address) })),
        ),
      () => done(new Error('refused'), ''),
    )
  }
  const connect = buildConnector({
    // Made once: loading all certificate authorities for every connection would take longer than the connection.
    secureContext: createSecureContext(
      caFile === null ? {} : { ca: [...getCACertificates('default'), readFileSync(caFile, 'utf8')] },
    ),
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    rejectUnauthorized: true,
    allowH2: false,
    maxCachedSessions: 0,
    timeout: CONNECT_TIMEOUT_MS,
  })
  return new Agent({
    connect: (options, done) => {
      const host = options.hostname.replace(/^\[(.*)\]$/, '$1')
      const go = () =>
        connect({ ...options, hostname: host }, (...[error, socket]) => {
          if (error) done(new NoConnection(), null)
          else done(null, socket)
        })
      // A literal address skips the lookup, so it is vetted here.
      if (isIP(host) === 0) go()
      else guard.vetted(host).then(go, () => done(new NoConnection(), null))
    },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: LARGEST_HEADERS_BYTES,
    pipelining: 1,
  })
}
