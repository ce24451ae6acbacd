import { LANGUAGES } from '../../src/engine/content.ts'
import type { DecisionSupportLanguage } from '../embed/decision-support.d.ts'

type Event = 'ready' | 'expired' | 'copied' | 'closed' | 'error'
/** A host page gets the languages from the types of the manager script, which stand alone and import nothing of ours. */
type Wishes = { lang: DecisionSupportLanguage | null; download: boolean }

export const isEmbedded = window.parent !== window

let port: MessagePort | null = null
let waiting: object[] = []
let isOverlaid = false
let wished: Wishes | null = null
let hear: ((wishes: Wishes) => void) | null = null

/** Calls back with the host page's wishes, whether it has sent them already or does later. */
export function onWishes(listener: (wishes: Wishes) => void): void {
  hear = listener
  if (wished) listener(wished)
}

/** Tells the host page what happens here; messages are queued until it has said hello. */
export function tellHost(type: Event, detail: { code?: string } = {}): void {
  if (!isEmbedded) return
  if (port) port.postMessage({ ...detail, type })
  else waiting.push({ ...detail, type })
}

/** Dialogs need the whole window, not only the frame's place in the host page. */
export function overlayHost(open: boolean): void {
  isOverlaid = open
  port?.postMessage({ type: 'overlay', open })
  if (!open) sendSize()
}

function sendSize(): void {
  const app = document.getElementById('app')
  if (app && !isOverlaid) port?.postMessage({ type: 'size', height: Math.ceil(app.getBoundingClientRect().height) })
}

/**
 * Waits for the manager script in the host page. It must be the parent window, on an origin that the configuration
 * lists; from then on both use a channel that nobody else holds. Called before the page has loaded, because that is
 * when the script speaks.
 */
export function listenForHost(hosts: readonly string[]): void {
  if (!isEmbedded) return
  document.documentElement.dataset.embedded = ''
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (event.source !== window.parent || !hosts.includes(event.origin)) return
    const wishes = wishesOf(event.data)
    const [channel] = event.ports
    if (!wishes || !channel) return
    port?.close()
    port = channel
    port.postMessage({ type: 'hello' })
    for (const message of waiting) port.postMessage(message)
    waiting = []
    sendSize()
    wished = wishes
    hear?.(wishes)
  })
  const app = document.getElementById('app')
  if (app) new ResizeObserver(sendSize).observe(app)
}

function wishesOf(data: unknown): Wishes | null {
  if (data === null || typeof data !== 'object') return null
  const { fyr, type, lang, download } = data as Record<string, unknown>
  if (fyr !== 'decision-support' || type !== 'hello') return null
  return { lang: LANGUAGES.find((language) => language === lang) ?? null, download: download !== false }
}
