import type { Made } from '../../account/file/apply.ts'
import { isEmpty } from '../../account/file/apply.ts'
import type { AccountPlan, ConfigurationPlan, Difference, Plan, WebhookPlan } from '../../account/file/plan.ts'
import { printable } from '../print.ts'

/** What a file would change, for people: + is new, ~ becomes another. */
export function planText(plan: Plan): string {
  const changes = isEmpty(plan)
    ? ['Nothing to change: everything is as the file says.']
    : plan.accounts.flatMap(accountLines)
  const others = plan.unmentioned.map((what) => `  ${what}`)
  const left = others.length > 0 ? ['', 'There, but not in the file; it stays as it is:', ...others] : []
  return [...changes, ...left].map(printable).join('\n')
}

function accountLines({ id, name, differences, configurations }: AccountPlan): string[] {
  return [
    `${id === null ? '+' : '~'} account ${name}`,
    ...differences.filter(({ field }) => id !== null || field !== 'name').flatMap(indented(differenceLines)),
    ...configurations.flatMap(indented(configurationLines)),
  ]
}

function configurationLines({ slug, isNew, differences, webhooks, keys }: ConfigurationPlan): string[] {
  return [
    `${isNew ? '+' : '~'} configuration ${slug}`,
    ...differences.flatMap(indented(differenceLines)),
    ...webhooks.flatMap(indented(webhookLines)),
    ...keys.map(({ note, sandbox }) => `  + key ${JSON.stringify(note)}${sandbox ? ' for tests' : ''}`),
  ]
}

const webhookLines = ({ endpoint, isNew, differences }: WebhookPlan): string[] => [
  `${isNew ? '+' : '~'} webhook ${endpoint}`,
  ...differences.flatMap(indented(differenceLines)),
]

const indented =
  <T>(lines: (one: T) => string[]) =>
  (one: T): string[] =>
    lines(one).map((line) => `  ${line}`)

/** One line for each leaf that differs; of a list of things, what goes and what comes. */
function differenceLines({ field, before, after }: Difference): string[] {
  if (isPlain(before) || isPlain(after)) {
    const [old, fresh] = [isPlain(before) ? before : {}, isPlain(after) ? after : {}]
    return [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
      .filter((name) => textOf(old[name]) !== textOf(fresh[name]))
      .flatMap((name) => differenceLines({ field: `${field}.${name}`, before: old[name], after: fresh[name] }))
  }
  if (
    Array.isArray(before) &&
    Array.isArray(after) &&
    [...before, ...after].some((one) => isPlain(one) && !isSpan(one))
  ) {
    const [old, fresh] = [before.map(textOf), after.map(textOf)]
    return [
      ...old.filter((one) => !fresh.includes(one)).map((one) => `${field} - ${one}`),
      ...fresh.filter((one) => !old.includes(one)).map((one) => `${field} + ${one}`),
    ]
  }
  return [before === undefined ? `${field}: ${textOf(after)}` : `${field}: ${textOf(before)} → ${textOf(after)}`]
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSpan = (value: unknown): value is { from: string; to: string } =>
  isPlain(value) && Object.keys(value).join() === 'from,to'

/** Spans of hours as people write them, everything else as JSON. */
function textOf(value: unknown): string {
  if (value === undefined) return 'none'
  if (isSpan(value)) return `${value.from}–${value.to}`
  if (isPlain(value))
    return `{${Object.entries(value)
      .map(([name, inner]) => `${name}: ${textOf(inner)}`)
      .join(', ')}}`
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(textOf).join(', ')
  return value === null ? 'none' : String(value)
}

export const planJson = ({ accounts, unmentioned }: Plan) => ({
  changes: accounts.map(({ id, name, differences, configurations }) => ({
    account: name,
    isNew: id === null,
    differences,
    configurations: configurations.map(({ slug, isNew, differences: fields, webhooks, keys }) => ({
      slug,
      isNew,
      differences: fields,
      webhooks: webhooks.map(({ endpoint, isNew: isFirst, differences: inner }) => ({
        endpoint,
        isNew: isFirst,
        differences: inner,
      })),
      keys,
    })),
  })),
  unmentioned,
})

/** The secrets that came into being, shown this once. */
export function madeText(made: readonly Made[]): string {
  if (made.length === 0) return ''
  const lines = made.map((one) =>
    one.kind === 'key'
      ? `  key ${JSON.stringify(one.note)} of ${one.configuration}: ${one.key}`
      : `  secret of webhook ${one.endpoint} of ${one.configuration}: ${one.secret}`,
  )
  return ['', '', 'Shown this once, and kept nowhere:', '', ...lines].join('\n')
}
