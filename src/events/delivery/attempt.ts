import type { Logger } from 'pino'
import type { Agent } from 'undici'
import type { Keyring } from '../../store/sealing/keyring.ts'
import type { ClaimedDelivery, Settlement } from '../../store/webhooks/deliveries.ts'
import type { SendingEndpoint } from '../../store/webhooks/endpoints.ts'
import { EVENTS } from '../../store/webhooks/events.ts'
import { bodyOf, type DeliveryKeys, sealAnswer } from './body.ts'
import { openEndpoint } from './endpoint.ts'
import { AddressRefused, type Guard } from './guard.ts'
import type { DeliveryMeasures } from './measures.ts'
import { type Outgoing, type Sent, send } from './send.ts'
import { settlementOf, unsendable } from './settle.ts'
import { signedHeaders } from './signing.ts'
import { nameOf } from './watch.ts'

/** What an attempt is made with. */
export type Tools = {
  keyring: Keyring
  guard: Guard
  agent: Agent
  measures: DeliveryMeasures
  logger: Logger
  cut: AbortSignal
}

/** Sends one event once and returns what that means for its delivery. */
export async function attempt(
  tools: Tools,
  accountId: string,
  endpoint: SendingEndpoint,
  delivery: ClaimedDelivery,
): Promise<Settlement> {
  const { keyring, agent, measures, cut } = tools
  const keys = { accountId, accountKey: keyring.openAccountKey(accountId, endpoint.sealed_account_key) }
  const prepared = prepare(tools, keys, endpoint, delivery)
  if (prepared.kind === 'unsendable') return unsendable(delivery, prepared.why)
  if (delivery.is_first_attempt && !EVENTS[delivery.type].isTest)
    measures.firstAttemptAfter((delivery.claimed_at.getTime() - delivery.created_at.getTime()) / 1_000)
  const sent = prepared.kind === 'ready' ? await send(agent, prepared.outgoing, cut) : NOT_ALLOWED
  measures.attempted(sent, delivery.type)
  const answer = sent.kind === 'answered' && sent.answer.length > 0 ? sealAnswer(keys, delivery, sent.answer) : null
  return settlementOf(delivery, sent, answer, Math.random())
}

/** To the owner, an address that is no longer allowed looks like any other that cannot be reached. */
const NOT_ALLOWED: Sent = { kind: 'unanswered', error: 'no-connection', durationMs: null }

type Prepared =
  | { kind: 'ready'; outgoing: Outgoing }
  | { kind: 'not-allowed' }
  | { kind: 'unsendable'; why: 'session-erased' | 'unreadable' }

function prepare(
  { guard, logger }: Tools,
  keys: DeliveryKeys,
  endpoint: SendingEndpoint,
  delivery: ClaimedDelivery,
): Prepared {
  try {
    const body = bodyOf(keys, delivery)
    if (!body) return { kind: 'unsendable', why: 'session-erased' }
    const { url, token, secrets } = openEndpoint(keys, endpoint)
    const signed = signedHeaders(delivery.id, delivery.claimed_at, body, secrets)
    const headers = token ? { ...signed, authorization: `Bearer ${token}` } : signed
    return { kind: 'ready', outgoing: { url: guard.parse(url), body, headers } }
  } catch (error) {
    if (error instanceof AddressRefused) return { kind: 'not-allowed' }
    logger.error({ event: 'webhook-unreadable', delivery: delivery.id, name: nameOf(error) }, 'a seal is broken')
    return { kind: 'unsendable', why: 'unreadable' }
  }
}
