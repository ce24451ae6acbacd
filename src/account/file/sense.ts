import { DEFAULT_DOCUMENT, readDocument } from '../configuration.ts'
import { hoursFaults } from '../hours.ts'
import { COUNTRIES, NUMBERS } from '../numbers.ts'
import { isTimeZone } from '../provision.ts'
import type { PlacedFault, Pointer } from '../shape-faults.ts'
import { MOST_ENDPOINTS } from '../webhook-endpoints.ts'
import { type AccountPart, type ConfigurationPart, DOCUMENT_FIELDS, type KeyPart } from './clinic-file.ts'
import { pointerOf } from './read-file.ts'

/** What stands in the file twice, and means one thing. */
export function repeated(accounts: readonly AccountPart[]): PlacedFault[] {
  const configurations = accounts.flatMap(({ configurations = [] }, account) =>
    configurations.map((part, index) => ({ part, at: ['accounts', account, 'configurations', index] })),
  )
  return [
    ...twice(accounts.map(({ name, id }, at) => [id ?? name.trim(), ['accounts', at, id ? 'id' : 'name']])),
    ...twice(configurations.map(({ part, at }) => [part.slug, [...at, 'slug']])),
    ...configurations.flatMap(({ part: { webhooks = [] }, at }) =>
      twice(webhooks.map(({ endpoint }, index) => [endpoint, [...at, 'webhooks', index, 'endpoint']])),
    ),
    ...configurations.flatMap(({ part: { keys = [] }, at }) =>
      twice(keys.map((key, index) => [keyName(key), [...at, 'keys', index, 'note']])),
    ),
    ...configurations
      .filter(({ part: { webhooks = [] } }) => webhooks.length > MOST_ENDPOINTS)
      .map(({ at }) => ({ at: [...at, 'webhooks'], message: `may be ${MOST_ENDPOINTS} at most` })),
  ]
}

const keyName = ({ note, sandbox = false }: KeyPart): string => `${sandbox} ${note}`

const twice = (named: readonly (readonly [name: string, at: Pointer])[]): PlacedFault[] =>
  named
    .filter(([name], index) => named.findIndex(([other]) => other === name) < index)
    .map(([, at]) => ({ at, message: 'stands in the file twice' }))

export function accountFaults(
  { name, timeZone, monitoredHours }: AccountPart,
  isNew: boolean,
  at: Pointer,
): PlacedFault[] {
  const faults: PlacedFault[] = []
  if (!name.trim()) faults.push({ at: [...at, 'name'], message: 'must not be blank' })
  if (isNew && timeZone === undefined)
    faults.push({ at: [...at, 'timeZone'], message: 'must be said for a new account, such as Europe/Helsinki' })
  if (timeZone !== undefined && !isTimeZone(timeZone))
    faults.push({ at: [...at, 'timeZone'], message: 'is not a time zone such as Europe/Helsinki' })
  if (monitoredHours)
    faults.push(...hoursFaults(monitoredHours).map(({ pointer, message }) => placed(at, pointer, message)))
  return faults
}

const placed = (at: Pointer, pointer: string, message: string): PlacedFault => ({
  at: [...at, ...pointerOf(pointer)],
  message,
})

/** The fields of the document that a part gives, with the numbers of its country where it gives none of its own. */
export function givenFields(part: ConfigurationPart): Partial<ConfigurationPart> {
  const own = Object.fromEntries(
    DOCUMENT_FIELDS.filter((name) => part[name] !== undefined).map((name) => [name, part[name]]),
  )
  return { ...(part.country && NUMBERS[part.country]), ...own }
}

/** Numbers to call are never assumed: each is given (null: there is none), or comes from the country. */
export function numberFaults(given: Partial<ConfigurationPart>, at: Pointer): PlacedFault[] {
  const needed = ['emergencyNumber', 'adviceNumber', 'crisisLine', 'poisonLine'] as const
  const missing = needed.filter((name) => given[name] === undefined)
  const message = `must say whom people call: give country (${COUNTRIES.join(', ')}), or ${missing.join(', ')} (null where there is none)`
  return missing.length > 0 ? [{ at, message }] : []
}

/** That there is none is told by numberFaults. */
const SOME_NUMBER = { emergencyNumber: '112' }

/** What is wrong with a configuration as it would be. */
export function configurationFaults(
  before: ConfigurationPart | null,
  fields: Partial<ConfigurationPart>,
  at: Pointer,
): PlacedFault[] {
  const present = before ? givenFields(before) : {}
  const read = readDocument({ ...DEFAULT_DOCUMENT, ...SOME_NUMBER, ...present, ...fields })
  return 'faults' in read ? read.faults.map(({ pointer, message }) => placed(at, pointer, message)) : []
}
