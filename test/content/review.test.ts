// @module-tag thorough
import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addClinician, newSigningKeys } from '../../src/account/clinicians.ts'
import { configurationOf } from '../../src/account/provision.ts'
import { activate, activateBefore, placeOf } from '../../src/session/content/activate.ts'
import { signRelease } from '../../src/session/content/review.ts'
import { send } from '../world/call.ts'
import { visiting } from '../world/clinician.ts'
import { commandLine } from '../world/command.ts'
import { activeRelease, publishChanged } from '../world/content.ts'
import { Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

const LONG = 300_000

let world: World
let clinic: Clinic
let neighbour: Clinic
let version: string
let folder: string
let key: string
const { fyr, json } = commandLine(() => world)

beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  neighbour = await world.clinic()
  version = (await activeRelease(world)).version
  folder = mkdtempSync(join(tmpdir(), 'fyr-keys-'))
  key = join(folder, 'doctor.key')
}, LONG)
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await world.close()
})

const add = (file: string) =>
  json<{ id: string }>(
    ...['clinician', 'add', '--name', 'A doctor', '--role', 'general practice'],
    ...['--key', file, '--account', clinic.accountId],
  )

/** Every place that tells whether the content is reviewed, of a clinic and one finished session of it. */
async function toldReviewed(of: Clinic): Promise<Record<string, boolean>> {
  const patient = new Patient(world.url)
  await patient.enterOpen(of.slug)
  await patient.answerThrough({ issue_type: 'admin', matter: 'A letter' })
  const finished = await patient.finish()
  const { sessionId } = patient.now
  const get = async (path: string) =>
    (await fetch(`${world.url}${path}`, { headers: { 'x-service-api-key': of.key } })).json()
  const summary = (await get(`/api/v1/session/${sessionId}/summary`)) as { data: string }
  const fhir = JSON.stringify(await get(`/api/v1/session/${sessionId}/fhir`))
  const configuration = (await get(`/api/triage/v1/configurations/${of.slug}`)) as { reviewed: boolean }
  const picture = await (await visiting(world, of, sessionId)).picture()
  const { step } = finished.body as { step?: { outcome: { reviewNotice: string | null } } }
  return {
    welcome: configuration.reviewed,
    outcome: step?.outcome.reviewNotice === null,
    summary: !summary.data.includes('Not clinically reviewed'),
    fhir: !fhir.includes('have not been reviewed by clinicians'),
    picture: !picture.notReviewed,
  }
}

const ALL = { welcome: true, outcome: true, summary: true, fhir: true, picture: true }
const NONE = { welcome: false, outcome: false, summary: false, fhir: false, picture: false }

/** A registered clinician, who signs. */
async function clinician(of: Clinic): Promise<(version: string, complaints: string[] | null) => Promise<unknown>> {
  const { core } = world.app
  const { publicKey, privateKey } = newSigningKeys()
  await addClinician(core, of.accountId, { name: 'A doctor', role: 'general practice', publicKey }, 'test')
  return (version, complaints) => signRelease(core, of.accountId, { version, complaints, privateKey }, 'test')
}

/** Long enough for a notice to arrive, where nothing is to change by it. */
const noticed = () => new Promise((done) => setTimeout(done, 500))

const isReviewed = async (of: Clinic) =>
  ((await send(`${world.url}/api/triage/v1/configurations/${of.slug}`, 'GET')).body as { reviewed: boolean }).reviewed

describe('D33: a review is a registered clinician’s signature under the release’s hash, for one account', () => {
  test('keys are made for their owner alone and never written over', { timeout: LONG }, async () => {
    await json('content', 'keygen', '--out', key)
    expect(statSync(key).mode & 0o777).toBe(0o600)
    expect(readFileSync(`${key}.pub`, 'utf8')).toContain('BEGIN PUBLIC KEY')
    const again = await fyr('content', 'keygen', '--out', key)
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('is there already')])
  })

  test(
    'the notice goes for the account that signed, everywhere, and for no other; it comes back when the key is revoked',
    async () => {
      expect(await toldReviewed(clinic)).toEqual(NONE)
      const unregistered = await fyr('content', 'sign', version, '--key', key, '--account', clinic.accountId)
      expect([unregistered.code, unregistered.err]).toEqual([1, expect.stringContaining('belongs to no clinician')])
      const { id } = await add(`${key}.pub`)
      expect(await isReviewed(clinic)).toBe(false)

      const signed = await json<{ sha256: string }>(
        ...['content', 'sign', version, '--key', key, '--account', clinic.accountId, '--as', 'Anna'],
      )
      await expect.poll(() => isReviewed(clinic), { timeout: 30_000 }).toBe(true)
      expect(await toldReviewed(clinic)).toEqual(ALL)
      expect(await toldReviewed(neighbour)).toEqual(NONE)
      const entries = await json<{ action: string }[]>('audit', 'list', '--account', clinic.accountId)
      expect(entries).toContainEqual(
        expect.objectContaining({
          actor: 'operator:Anna',
          action: 'content.signed',
          subject: version,
          detail: { clinician: id, name: 'A doctor', sha256: signed.sha256, complaints: null },
        }),
      )

      await json('clinician', 'revoke', id, '--account', clinic.accountId)
      await expect.poll(() => isReviewed(clinic), { timeout: 30_000 }).toBe(false)
      expect(await toldReviewed(clinic)).toEqual(NONE)
      const late = await fyr('content', 'sign', version, '--key', key, '--account', clinic.accountId)
      expect([late.code, late.err]).toEqual([1, expect.stringContaining('was revoked')])
      const { out } = await fyr('content', 'releases')
      expect(out).toContain('does not count: the key was revoked')
    },
    LONG,
  )

  test('a signature under some complaints leaves the rest unreviewed; under all of them, by however many, it is reviewed', async () => {
    const of = await world.clinic()
    const [one, other] = [await clinician(of), await clinician(of)]
    const [first = '', ...rest] = (await activeRelease(world)).complaints.map(({ id }) => id)
    await one(version, [first])
    await noticed()
    expect(await isReviewed(of)).toBe(false)
    await other(version, rest)
    await expect.poll(() => isReviewed(of), { timeout: 30_000 }).toBe(true)
    await expect(one(version, ['sore-toe'])).rejects.toMatchObject({
      extra: { errors: [{ message: expect.stringContaining('sore-toe is no complaint of release') }] },
    })
  })

  test('a signature counts for the release it was made for, and for no other', async () => {
    const of = await world.clinic()
    await (await clinician(of))(version, null)
    await publishChanged(world, '2030.1.0')
    const { core } = world.app
    const place = placeOf(await configurationOf(core, of.slug))
    await activate(core, place, '2030.1.0', 'test')
    await expect.poll(() => isReviewed(of), { timeout: 30_000 }).toBe(false)
    await activateBefore(core, place, 'test')
    await expect.poll(() => isReviewed(of), { timeout: 30_000 }).toBe(true)
  })
})

describe('A52: who writes to the database without the master key makes no review', () => {
  /** A row and a signature that fit each other, written past the program. */
  async function forge(of: Clinic, publicKey: Buffer, privateKey: string): Promise<void> {
    const id = randomUUID()
    const signedAt = new Date()
    const [release] = await world.sql('select sha256 from content_releases where version = $1', [version])
    const statement = JSON.stringify([
      'fyr content review',
      of.accountId,
      id,
      version,
      release?.sha256,
      null,
      signedAt.toISOString(),
    ])
    await world.sql(
      `insert into clinicians (account_id, id, name, role, public_key, added_by, seal) values ($1, $2, 'Nobody', 'none', $3, 'operator:x', $4)`,
      [of.accountId, id, publicKey, Buffer.alloc(32)],
    )
    await world.sql(
      `insert into release_signatures (account_id, id, clinician_id, version, signed_at, signature) values ($1, $2, $3, $4, $5, $6)`,
      [
        of.accountId,
        randomUUID(),
        id,
        version,
        signedAt,
        sign(null, Buffer.from(statement), createPrivateKey(privateKey)),
      ],
    )
    await world.sql(`select pg_notify('fyr_content', '{}')`)
  }

  test(
    'a clinician who was never registered signs nothing, and verify tells',
    async () => {
      const of = await world.clinic()
      const pair = generateKeyPairSync('ed25519')
      const privateKey = pair.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
      await forge(of, pair.publicKey.export({ format: 'der', type: 'spki' }), privateKey)
      await forge(of, Buffer.from('no key at all'), privateKey)
      await noticed()
      expect(await toldReviewed(of)).toEqual(NONE)
      const verified = await fyr('content', 'verify')
      expect(verified.code).toBe(1)
      expect(verified.out).toMatch(/broken {2}clinician Nobody .* was not registered by this deployment/)
      expect(verified.out).toMatch(/broken {2}signature of Nobody .* does not verify/)
      await world.sql('delete from release_signatures where account_id = $1', [of.accountId])
      await world.sql('delete from clinicians where account_id = $1', [of.accountId])
    },
    LONG,
  )

  test('a signature moved to another account, or whose complaints were changed, does not count', {
    tags: 'slice',
    timeout: LONG,
  }, async () => {
    const [of, thief] = [await world.clinic(), await world.clinic()]
    await (await clinician(of))(version, ['sore-throat'])
    await world.sql('update release_signatures set complaints = null where account_id = $1', [of.accountId])
    await world.sql(
      'insert into clinicians select $2, id, name, role, public_key, added_by, added_at, null, null, seal from clinicians where account_id = $1',
      [of.accountId, thief.accountId],
    )
    await world.sql(
      'insert into release_signatures select $2, id, clinician_id, version, null, signed_at, signature from release_signatures where account_id = $1',
      [of.accountId, thief.accountId],
    )
    await world.sql(`select pg_notify('fyr_content', '{}')`)
    await noticed()
    expect([await isReviewed(of), await isReviewed(thief)]).toEqual([false, false])
  })

  test(
    'keys that are no Ed25519 public keys are refused',
    async () => {
      const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const [wrong, junk] = [join(folder, 'rsa.pub'), join(folder, 'junk.pub')]
      writeFileSync(wrong, rsa.publicKey.export({ format: 'pem', type: 'spki' }))
      writeFileSync(junk, 'no key')
      const refused = async (file: string) => {
        const args = ['clinician', 'add', '--name', 'A doctor', '--role', 'x', '--account', clinic.accountId]
        const { code, err } = await fyr(...args, '--key', file)
        expect(code).toBe(1)
        return err
      }
      expect(await refused(wrong)).toContain('must be an Ed25519 public key')
      expect(await refused(junk)).toContain('must be an Ed25519 public key')
      expect(await refused(key)).toContain('is a private key, which stays with the clinician')
      expect(await refused(`${key}.pub`)).toContain('is registered with this account already')
      expect(await refused(join(folder, 'nothing'))).toContain('can’t be read: ENOENT')
    },
    LONG,
  )
})
