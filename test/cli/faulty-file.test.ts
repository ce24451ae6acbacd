import { afterAll, beforeAll, expect, test } from 'vitest'
import { planFile } from '../../src/account/file/apply.ts'
import { FileFaults, readClinicFile } from '../../src/account/file/read-file.ts'
import { createAccount } from '../../src/account/provision.ts'
import type { Guard } from '../../src/events/delivery/guard.ts'
import { listAccounts } from '../../src/store/accounts.ts'
import { guardWith } from '../world/guard.ts'
import { newWorld, type World } from '../world/world.ts'

// What `fyr apply` says of a file that it does not apply: each fault with its line and path, and nothing changes.

let world: World
let guard: Guard

beforeAll(async () => {
  world = await newWorld()
  guard = guardWith({ WEBHOOK_ALLOW_LOOPBACK: false, DATABASE_URL: world.databaseUrl })
})
afterAll(() => world.close())

async function faultsOf(text: string): Promise<string[]> {
  try {
    await planFile(world.app.core, guard, readClinicFile(text))
    return []
  } catch (error) {
    if (!(error instanceof FileFaults)) throw error
    return error.faults.map(({ line, path, message }) => `${line} ${path}: ${message}`)
  }
}

test('fields that there are not, with the one that was meant', async () => {
  const text = ['accounts:', '  - name: Typo', '    timezone: Europe/Oslo', '    configurations:', '      - slug: typo']
  text.push('        country: NO', '        colour: red')
  expect(await faultsOf([...text, '        theme: { akcent: "#000000", logoUrl: null }'].join('\n'))).toEqual([
    expect.stringMatching(/^2 accounts\[0\]\.timeZone: must be said/),
    '3 accounts[0].timezone: is no field; did you mean timeZone?',
    expect.stringMatching(
      /^7 accounts\[0\]\.configurations\[0\]\.colour: is no field; there are slug, enabled, country/,
    ),
    '8 accounts[0].configurations[0].theme.accent: must be given',
    '8 accounts[0].configurations[0].theme.akcent: is no field; did you mean accent?',
  ])
})

test('values that do not fit', async () => {
  const text = `accounts:
- name: Unfit
  cap: { kind: weekly, most: 10 }
  configurations:
    - slug: fits
    - slug: unfit
      languages: [english]
      clinicPhone: hello
      retentionDays: 0`
  expect(await faultsOf(text)).toEqual([
    '2 accounts[0].timeZone: must be said for a new account, such as Europe/Helsinki',
    '3 accounts[0].cap.kind: must be one of daily, ongoing',
    expect.stringMatching(/^5 accounts\[0\]\.configurations\[0\]: must say whom people call/),
    expect.stringMatching(/^6 accounts\[0\]\.configurations\[1\]: must say whom people call/),
    '7 accounts[0].configurations[1].languages[0]: must be one of en, fi, no, sv',
    '8 accounts[0].configurations[1].clinicPhone: must look like 112 or 09 310 1001',
    '9 accounts[0].configurations[1].retentionDays: must be 1 or more',
  ])
})

test('no fault hides another, whatever is wrong: unknown fields, values, sense, addresses; and none is only the echo of another', async () => {
  const text = `accounts:
- name: Everything
  timezone: Europe/Oslo
  timeZone: Mars/Olympus
  active: perhaps
  monitoredHours: { week: { monday: [{ from: '8', to: '16:00' }] } }
  configurations:
    - slug: Not a slug
      type: open
    - slug: good
      country: DE
      languages: [fi]
      defaultLanguage: sv
      crisisLine: { sv: '022' }
      webhooks:
        - { endpoint: main, url: 'https://192.168.0.1/hook', events: [] }
        - { endpoint: '!', url: 'https://192.168.0.2/hook' }
        - { endpoint: none }
      keys: [{ note: one }, { note: one }, two]
    - { slug: good, constructor: 1 }
- [not, an, account]
- cap: null`
  const here = 'accounts[0].configurations'
  expect(await faultsOf(text)).toEqual([
    '3 accounts[0].timezone: is no field; did you mean timeZone?',
    '4 accounts[0].timeZone: is not a time zone such as Europe/Helsinki',
    '5 accounts[0].active: must be true or false',
    '6 accounts[0].monitoredHours.exceptions: must be given',
    ...['tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map(
      (day) => `6 accounts[0].monitoredHours.week.${day}: must be given`,
    ),
    '6 accounts[0].monitoredHours.week.monday[0].from: must look like 08:00',
    `8 ${here}[0].slug: must look like harbour-2`,
    `9 ${here}[0].type: must be one of OPEN, INVITED`,
    `11 ${here}[1].country: must be one of FI, NO, SE, DK, UK`,
    `13 ${here}[1].defaultLanguage: must be one of languages`,
    `14 ${here}[1].crisisLine.default: must be given`,
    `16 ${here}[1].webhooks[0].events: must have at least one entry`,
    `16 ${here}[1].webhooks[0].url: leads to an address that is not public`,
    `17 ${here}[1].webhooks[1].endpoint: must look like main`,
    `17 ${here}[1].webhooks[1].url: leads to an address that is not public`,
    `18 ${here}[1].webhooks[2].url: must be given`,
    `19 ${here}[1].keys[2]: must be a group of fields (note, sandbox)`,
    `19 ${here}[1].keys[1].note: stands in the file twice`,
    expect.stringContaining(`20 ${here}[2].constructor: is no field; there are slug`),
    `20 ${here}[2].slug: stands in the file twice`,
    expect.stringMatching(/^20 accounts\[0\]\.configurations\[2\]: must say whom people call/),
    '21 accounts[1]: must be a group of fields (name, id, timeZone …)',
    '22 accounts[2].name: must be given',
  ])
})

test('values that make no sense, all at once', async () => {
  await createAccount(world.app.core, 'Twin', 'Europe/Oslo')
  await createAccount(world.app.core, 'Twin', 'Europe/Oslo')
  const { slug } = await world.clinic()
  const text = `accounts:
- name: Senseless
  timeZone: Mars/Olympus
  configurations:
    - slug: nobody-to-call
    - slug: ${slug}
      country: FI
    - slug: nobody-to-call
      country: FI
      languages: [fi]
      defaultLanguage: sv
    - slug: with-webhook
      country: FI
      webhooks:
        - { endpoint: main, url: 'https://192.168.0.1/hook' }
- name: Twin
- name: Other
  id: 4b8c5f0e-0000-4000-8000-000000000000`
  expect(await faultsOf(text)).toEqual([
    '3 accounts[0].timeZone: is not a time zone such as Europe/Helsinki',
    expect.stringMatching(/^5 accounts\[0\]\.configurations\[0\]: must say whom people call: give country \(FI, NO/),
    '6 accounts[0].configurations[1].slug: is a configuration of another account',
    '8 accounts[0].configurations[2].slug: stands in the file twice',
    '11 accounts[0].configurations[2].defaultLanguage: must be one of languages',
    '15 accounts[0].configurations[3].webhooks[0].url: leads to an address that is not public',
    '16 accounts[1].name: is the name of several accounts; give the id of one',
    '18 accounts[2].id: is no account here; leave it out to make one',
  ])
  expect((await listAccounts(world.app.core.db)).map(({ name }) => name)).not.toContain('Senseless')
})

test('what is no YAML', async () => {
  expect(await faultsOf('accounts:\n  - name: "A\n')).toEqual([expect.stringContaining('2 : This is not valid YAML')])
})
