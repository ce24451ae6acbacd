import { type SealContext, seal, unseal } from '../../store/seal.ts'
import { type AccountKey, sessionKeyPlace } from '../../store/sealing/account-key.ts'
import type { ClaimedDelivery } from '../../store/webhooks/deliveries.ts'
import { EVENTS, type EventData, type EventType } from '../../store/webhooks/events.ts'

/** Opens the sealed parts of one delivery: with the account's key, and the session's under it. */
export type DeliveryKeys = { accountId: string; accountKey: AccountKey }

/** When each event happened, and its data: minimal, without health data, and the same at every attempt. */
const TOLD: { readonly [Name in EventType]: (delivery: ClaimedDelivery) => { at: Date; data: EventData<Name> } } = {
  'session.completed': ({ completed_at: completedAt, created_at: createdAt }) => {
    const at = completedAt ?? createdAt
    return { at, data: { sessionStatus: 'Ended', sessionCompletedTimestamp: at.toISOString() } }
  },
  'session.started': ({ started_at: startedAt, created_at: at }) => ({
    at,
    data: { userStartedTimestamp: (startedAt ?? at).toISOString() },
  }),
  'session.alarm': ({ created_at: at }) => ({ at, data: {} }),
  'webhook.test': ({ created_at: at }) => ({ at, data: {} }),
}

/**
 * The body of an event, the same bytes at every attempt. Null when its session has been erased: nothing may be said of
 * it any more.
 */
export function bodyOf(keys: DeliveryKeys, delivery: ClaimedDelivery): Buffer | null {
  const { id, type, session_id: sessionId, sealed_extended_data: sealed } = delivery
  const { at, data } = TOLD[type](delivery)
  const event = { id, type, timestamp: at.toISOString() }
  if (EVENTS[type].about === null) return asBytes({ ...event, sessionId: null, extendedData: null, data })
  const sessionKey = sessionKeyOf(keys, sessionId, delivery.sealed_key)
  if (sessionId === null || sessionKey === null || !delivery.is_readable) return null
  const extendedData =
    sealed && JSON.parse(unseal(sessionKey, [keys.accountId, sessionId, 'extendedData'], sealed).toString('utf8'))
  return asBytes({ ...event, sessionId, extendedData, data })
}

const asBytes = (event: unknown): Buffer => Buffer.from(JSON.stringify(event))

function sessionKeyOf({ accountId, accountKey }: DeliveryKeys, sessionId: string | null, sealedKey: Buffer | null) {
  return sessionId && sealedKey ? accountKey.unseal(sessionKeyPlace(accountId, sessionId), sealedKey) : null
}

/** A receiver may echo anything, so its response is sealed like the session and erased with it. */
export function sealAnswer(keys: DeliveryKeys, delivery: AnswerOwner, answer: Buffer): Buffer {
  const [sessionKey, place] = [answerKey(keys, delivery), answerPlace(keys.accountId, delivery.id)]
  return sessionKey ? seal(sessionKey, place, answer) : keys.accountKey.seal(place, answer)
}

/** The stored start of a receiver's response; null when its session is erased. */
export function openAnswer(keys: DeliveryKeys, delivery: AnswerOwner, sealed: Buffer): string | null {
  const place = answerPlace(keys.accountId, delivery.id)
  if (delivery.session_id === null) return keys.accountKey.unseal(place, sealed).toString('utf8')
  const key = answerKey(keys, delivery)
  return key && unseal(key, place, sealed).toString('utf8')
}

type AnswerOwner = { id: string; session_id: string | null; sealed_key: Buffer | null }

const answerKey = (keys: DeliveryKeys, delivery: AnswerOwner): Buffer | null =>
  sessionKeyOf(keys, delivery.session_id, delivery.sealed_key)

export const answerPlace = (accountId: string, deliveryId: string): SealContext => [
  accountId,
  deliveryId,
  'webhook answer',
]
