import type { Webhook } from '../../account/webhook.ts'
import type { Attempt, Delivery } from '../../account/webhook-deliveries.ts'
import { fields, momentText, table, yesNo } from '../print.ts'

const REASONS = {
  operator: 'stopped by the operator',
  gone: 'the receiver answered 410 Gone',
  failing: 'nothing but failure for five days',
} as const

const ERRORS: Record<string, string> = {
  'no-connection': 'no connection',
  timeout: 'no answer in 15 s',
  'connection-lost': 'connection lost before an answer',
  interrupted: 'this node stopped while sending',
  'session-erased': 'not sent: the session is erased',
  unreadable: 'not sent: its stored parts cannot be opened',
}

export function webhookText(webhook: Webhook): string {
  const { disabledReason, disabledAt, failingSince, secrets } = webhook
  const live = secrets.map(({ createdAt, expiresAt }) => {
    return `made ${momentText(createdAt)}${expiresAt ? `, signs until ${momentText(expiresAt)}` : ''}`
  })
  return fields([
    ['endpoint', webhook.endpoint],
    ['address', webhook.url],
    ['events', webhook.events.join(', ')],
    ['enabled', disabledReason ? `no, since ${momentText(disabledAt)}: ${REASONS[disabledReason]}` : 'yes'],
    ['works', failingSince ? `no, nothing but failure since ${momentText(failingSince)}` : 'yes, as far as known'],
    ['bearer token', yesNo(webhook.hasToken)],
    ['secrets', live.join('; ')],
    ['pending', String(webhook.pending)],
    ['failed', String(webhook.failed)],
  ])
}

const stateOf = ({ enabled, failingSince }: Webhook): string =>
  !enabled ? 'disabled' : failingSince ? 'failing' : 'enabled'

export const webhooksText = (webhooks: readonly Webhook[]): string =>
  table(
    webhooks,
    [
      ['endpoint', ({ endpoint }) => endpoint],
      ['address', ({ url }) => url],
      ['events', ({ events }) => events.join(', ')],
      ['state', stateOf],
      ['pending', ({ pending }) => String(pending)],
      ['failed', ({ failed }) => String(failed)],
    ],
    'There is no webhook.',
  )

export function deliveryJson({ row, attempts }: Delivery) {
  return {
    id: row.id,
    type: row.type,
    sessionId: row.session_id,
    state: row.state,
    createdAt: row.created_at,
    nextAttemptAt: row.state === 'pending' ? row.next_at : null,
    settledAt: row.settled_at,
    attempts,
  }
}

const outcomeText = ({ status, error }: Attempt): string =>
  status === null ? (ERRORS[error ?? ''] ?? error ?? '–') : String(status)

const stateText = ({ row }: Delivery): string =>
  row.state === 'pending' ? (row.is_sending ? 'being sent' : `pending, next ${momentText(row.next_at)}`) : row.state

export function listText(deliveries: readonly Delivery[]): string {
  const last = ({ attempts }: Delivery) => attempts.at(-1)
  return table(
    deliveries,
    [
      ['id', ({ row }) => row.id],
      ['event', ({ row }) => row.type],
      ['session', ({ row }) => row.session_id ?? '–'],
      ['created', ({ row }) => momentText(row.created_at)],
      ['state', stateText],
      ['attempts', ({ row }) => String(row.attempts)],
      ['last answer', (delivery) => outcomeOf(last(delivery))],
    ],
    'There is no such delivery.',
  )
}

const outcomeOf = (attempt: Attempt | undefined): string => (attempt ? outcomeText(attempt) : '–')

export function deliveryText(delivery: Delivery): string {
  const { row, attempts } = delivery
  const facts = fields([
    ['id', row.id],
    ['type', row.type],
    ['session', row.session_id ?? '–'],
    ['created', momentText(row.created_at)],
    ['state', stateText(delivery)],
  ])
  const tried = table(
    attempts,
    [
      ['attempt', ({ number }) => String(number)],
      ['at', ({ at }) => momentText(at)],
      ['took', ({ durationMs }) => (durationMs === null ? '–' : `${durationMs} ms`)],
      ['answer', outcomeText],
      ['body', ({ answer }) => answer ?? ''],
    ],
    'It has not been sent yet.',
  )
  return `${facts}\n\n${tried}`
}
