import type { Facts } from './facts.ts'

/** What the embedding page is told. Never anything about health. */
export type Message =
  | { type: 'ready' }
  | { type: 'resize'; height: number }
  | { type: 'completed'; sessionId: string }
  | { type: 'closed' }

export type Announce = (message: Message) => void

/**
 * Tells the embedding page, only if it may show us: each message names the origin it is for, and the browser delivers
 * it to nobody else. We take no messages at all.
 */
export function announcerTo({ isFramed, framedBy }: Pick<Facts, 'isFramed' | 'framedBy'>): Announce {
  if (!isFramed) return () => {}
  const origins = parentOrigins(framedBy)
  return (message) => {
    for (const origin of origins) window.parent.postMessage({ source: 'fyr', version: 1, ...message }, origin)
  }
}

/** The parent's origin where the browser reveals it; else all that are allowed: the browser delivers to one. */
function parentOrigins(allowed: readonly string[]): readonly string[] {
  const told = location.ancestorOrigins?.[0] ?? (document.referrer ? new URL(document.referrer).origin : null)
  const known = allowed.filter((origin) => origin === told)
  return known.length > 0 ? known : allowed
}

/** Keeps the embedding page told of our height. */
export function announceHeight(announce: Announce, element: Element): void {
  let last = 0
  new ResizeObserver(() => {
    const height = Math.ceil(element.getBoundingClientRect().height)
    if (height === last) return
    last = height
    announce({ type: 'resize', height })
  }).observe(element)
}

/** In a frame of another site cookies work only where the browser partitions them by site; else the secret is used. */
export function framedCredential(): 'cookie' | 'bearer' {
  if (location.protocol !== 'https:') return 'bearer'
  const name = '__Host-fyr-try'
  // biome-ignore-start lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${name}=1; Path=/; Secure; SameSite=None; Partitioned`
  const works = document.cookie.includes(`${name}=1`)
  document.cookie = `${name}=; Path=/; Secure; SameSite=None; Partitioned; Max-Age=0`
  // biome-ignore-end lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  return works ? 'cookie' : 'bearer'
}
