import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyPlan, planFile } from '../../src/account/file/apply.ts'
import { asFile } from '../../src/account/file/as-file.ts'
import type { AccountPart, ConfigurationPart, DOCUMENT_FIELDS } from '../../src/account/file/clinic-file.ts'
import { readClinicFile } from '../../src/account/file/read-file.ts'
import { DAYS } from '../../src/account/hours.ts'
import { HOLIDAY_COUNTRIES } from '../../src/account/opening/holidays.ts'
import { fileText } from '../../src/cli/file/export-config.ts'
import { LANGUAGES } from '../../src/engine/content.ts'
import { listAccounts } from '../../src/store/accounts.ts'
import { CHOOSABLE_EVENTS } from '../../src/store/webhooks/events.ts'
import { guardWith } from '../world/guard.ts'
import { newWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(() => world.close())

/** Names with what YAML reads as something else, and with what it must quote. */
const name = fc.constantFrom(
  'Clinic',
  'no',
  '112',
  '# not a comment',
  'a: b',
  '"quoted"',
  'Ålesund\u00a0øst',
  '~',
  '1e3',
)
const phone = fc.constantFrom('112', '0800 147 111', '+358 9 123', '022')
const byLanguage = <T>(one: fc.Arbitrary<T>) =>
  fc.record(Object.fromEntries(LANGUAGES.map((code) => [code, one])), { requiredKeys: [] })
const line = fc.oneof(
  phone,
  fc.tuple(phone, byLanguage(phone)).map(([first, rest]) => ({ default: first, ...rest })),
  fc.constant(null),
)
const address = fc.constantFrom('https://clinic.example/a', 'https://clinic.example', null)
const hours = fc.integer({ min: 1, max: 720 })

/** Every field of a configuration that a file can set: the compiler names one that is forgotten here. */
const FIELDS: { [field in (typeof DOCUMENT_FIELDS)[number]]: fc.Arbitrary<unknown> } = {
  name,
  type: fc.constantFrom('OPEN', 'INVITED'),
  languages: fc.constant([...LANGUAGES]),
  defaultLanguage: fc.constantFrom(...LANGUAGES),
  emergencyNumber: phone,
  clinicPhone: fc.option(phone),
  adviceNumber: fc.option(phone),
  crisisLine: line,
  poisonLine: line,
  closedMessage: fc.option(byLanguage(fc.constantFrom('Closed.\nTwo lines.', 'null', '- a list?'))),
  privacyUrl: address,
  accessibilityUrl: address,
  contact: fc.constantFrom('none', 'optional', 'required'),
  theme: fc.record({ accent: fc.constantFrom('#123456', '#000000', null), logoUrl: address }),
  allowedOrigins: fc.subarray(['https://a.example', 'http://b.example:8080']),
  returnUrls: fc.subarray(['https://a.example/x', 'https://b.example/']),
  entryLifetimeHours: hours,
  sessionLifetimeHours: hours,
  userCookieHours: hours,
  standingAlarmMinutes: fc.integer({ min: 1, max: 1440 }),
  retentionDays: fc.integer({ min: 1, max: 3650 }),
  refuseFlaggedPdfs: fc.boolean(),
}

const spans = fc.subarray([
  { from: '00:00', to: '06:30' },
  { from: '08:00', to: '12:00' },
  { from: '13:00', to: '24:00' },
])
const monitoredHours = fc.record(
  {
    week: fc.record(Object.fromEntries(DAYS.map((day) => [day, spans]))),
    exceptions: fc
      .subarray(['2026-12-24', '2027-02-28', '2028-02-29'])
      .chain((dates) => fc.tuple(...dates.map((date) => spans.map((list) => ({ date, spans: list }))))),
    holidays: fc.record(
      {
        country: fc.constantFrom(...HOLIDAY_COUNTRIES),
        hours: fc.constantFrom('closed', 'sunday'),
        eves: fc.boolean(),
      },
      { requiredKeys: ['country', 'hours'] },
    ),
  },
  { requiredKeys: ['week', 'exceptions'] },
)

let slugs = 0
const webhook = (endpoint: string) =>
  fc.record({
    endpoint: fc.constant(endpoint),
    url: fc.constantFrom('http://localhost:9/a', 'http://localhost:9/b?c=d'),
    events: fc.subarray([...CHOOSABLE_EVENTS], { minLength: 1 }),
    enabled: fc.boolean(),
  })
const configuration = fc.record({
  slug: fc.integer().map(() => `round-${++slugs}`),
  enabled: fc.boolean(),
  ...FIELDS,
  webhooks: fc.subarray(['main', 'night']).chain((names) => fc.tuple(...names.map(webhook))),
  keys: fc.subarray([
    { note: '', sandbox: false },
    { note: 'yes', sandbox: true },
  ]),
}) as fc.Arbitrary<ConfigurationPart>
const account = fc.record({
  name,
  timeZone: fc.constantFrom('Europe/Helsinki', 'Europe/Oslo', 'UTC'),
  active: fc.boolean(),
  monitoredHours: fc.option(monitoredHours),
  cap: fc.option(
    fc.record({ kind: fc.constantFrom('daily', 'ongoing'), most: fc.integer({ min: 1, max: 1_000_000 }) }),
  ),
  configurations: fc.array(configuration, { maxLength: 2 }),
}) as fc.Arbitrary<AccountPart>

test('what a file makes is exported as that file, and applying the export changes nothing', async () => {
  const { core } = world.app
  const guard = guardWith({ DATABASE_URL: world.databaseUrl })
  const known = new Set<string>()
  await fc.assert(
    fc.asyncProperty(account, async (given) => {
      const read = readClinicFile(fileText({ accounts: [given] }))
      expect(read.file).toEqual({ accounts: [given] })
      await applyPlan(core, read, await planFile(core, guard, read))
      const rows = await listAccounts(core.db)
      const text = fileText(
        await asFile(
          core,
          rows.filter(({ name: one }) => one === given.name),
        ),
      )
      const again = readClinicFile(text)
      if (!known.has(given.name)) expect(withoutOrder(again.file.accounts[0])).toEqual(withoutOrder(given))
      known.add(given.name)
      expect((await planFile(core, guard, again)).accounts).toEqual([])
      expect((await planFile(core, guard, read)).accounts).toEqual([])
    }),
    { numRuns: 12 },
  )
}, 120_000)

/** Configurations, webhooks and keys are known by their names: their order in a file says nothing. */
const withoutOrder = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withoutOrder).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    : value !== null && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, withoutOrder(inner)]))
      : value
