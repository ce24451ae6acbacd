import { setTimeout as wait } from 'node:timers/promises'
import { configurationOf } from '../../src/account/provision.ts'
import { setWebhook } from '../../src/account/webhook.ts'
import { type Delivery, deliveriesOf } from '../../src/account/webhook-deliveries.ts'
import type { Guard } from '../../src/events/delivery/guard.ts'
import type { ConfigurationRow } from '../../src/store/configurations.ts'
import { type Authority, newAuthority } from './certificates.ts'
import { guardWith } from './guard.ts'
import { Patient } from './patient.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type Between, type Clinic, newWorld, type Place, type World } from './world.ts'

/** A world that may send to this machine, a receiver it trusts, and clinics whose webhook leads there. */
export type Scene = {
  world: World
  receiver: Receiver
  authority: Authority
  /** What a further node of this world needs in its environment. */
  environment: Record<string, string>
  guard: Guard
  /** A clinic whose webhook is the receiver's path of this name. */
  clinic: (name: string, behaviour?: string) => Promise<ClinicWithWebhook>
  close: () => Promise<void>
}

export type ClinicWithWebhook = Clinic & { configuration: ConfigurationRow; secret: string; url: string }

export async function newScene(
  settings: Record<string, string> = {},
  place?: Place,
  between?: Between,
): Promise<Scene> {
  const authority = newAuthority()
  const receiver = await startReceiver(authority.issue(['localhost', '127.0.0.1', 'hooks.example.test']))
  const environment = {
    WEBHOOK_ALLOW_LOOPBACK: 'true',
    WEBHOOK_CA_FILE: authority.caFile,
    DRAIN_SECONDS: '1',
    ...settings,
  }
  const world = await newWorld(environment, place, between)
  const guard = guardWith()
  return {
    world,
    receiver,
    authority,
    environment: { ...environment, DATABASE_URL: world.databaseUrl, MASTER_KEY: world.masterKey.toString('base64') },
    guard,
    clinic: async (name, behaviour = 'ok') => {
      const clinic = await world.clinic()
      const configuration = await configurationOf(world.app.core, clinic.slug)
      const url = `https://localhost:${receiver.port}/${name}`
      const { secret } = await setWebhook(world.app.core, guard, configuration, { url })
      if (!secret) throw new Error('The first setting of a webhook makes a secret.')
      await receiver.expect(name, secret)
      await receiver.behave(name, behaviour)
      return { ...clinic, configuration, secret, url }
    },
    close: async () => {
      await world.close()
      await receiver.stop()
    },
  }
}

/** A session made over the interface and answered to its end by its user; it only has to be sent. */
export async function answeredSession(
  { url }: Pick<World, 'url'>,
  { key }: Clinic,
  body: Record<string, unknown> = {},
): Promise<Patient> {
  const reply = await fetch(`${url}/api/v1/session`, {
    method: 'POST',
    headers: { 'x-service-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const created = (await reply.json()) as { url: string }
  const patient = new Patient(url)
  await patient.enter(created.url)
  await patient.answerThrough({ issue_type: 'admin' })
  return patient
}

/** A session that its user has answered and sent. */
export async function completedSession(
  scene: Scene,
  clinic: Clinic,
  body: Record<string, unknown> = {},
): Promise<string> {
  const patient = await answeredSession(scene.world, clinic, body)
  const { status } = await patient.finish()
  if (status !== 200) throw new Error(`The session could not be finished: ${status}`)
  return patient.now.sessionId
}

/** Waits for something that other processes do. */
export async function eventually<T>(
  look: () => T | Promise<T>,
  isThere: (value: Awaited<T>) => boolean = Boolean,
  patienceMs = 120_000,
): Promise<Awaited<T>> {
  for (const deadline = Date.now() + patienceMs; ; ) {
    const value = await look()
    if (isThere(value)) return value
    if (Date.now() > deadline)
      throw new Error(`It did not come about; last seen: ${JSON.stringify(value)?.slice(0, 2_000)}`)
    await wait(25)
  }
}

export const deliveriesIn = (scene: Scene, clinic: ClinicWithWebhook): Promise<Delivery[]> =>
  deliveriesOf(scene.world.app.core, clinic.configuration, { state: null, since: null, limit: 500 })

/** Waits until the clinic's only delivery has had this many attempts at least and is not being sent. */
export async function attempted(scene: Scene, clinic: ClinicWithWebhook, attempts: number): Promise<Delivery> {
  const [delivery] = await eventually(
    () => deliveriesIn(scene, clinic),
    ([first]) => first !== undefined && isSettledAt(first, attempts),
  )
  if (!delivery) throw new Error('There is no delivery.')
  return delivery
}

/** The row is read before its attempts, so both must agree. */
const isSettledAt = ({ row, attempts }: Delivery, least: number): boolean =>
  attempts.length >= least && row.attempts === attempts.length && !row.is_sending

/** Skips the hours: whatever waits for its next attempt, or for a dead node's lease, is due now. */
export async function passTheWait(scene: Scene, { accountId, configurationId }: Clinic): Promise<void> {
  await scene.world.sql(
    `update webhook_deliveries set next_at = now() where account_id = $1 and configuration_id = $2 and state = 'pending'`,
    [accountId, configurationId],
  )
  await scene.world.sql(
    `select pg_notify('fyr_webhook', $1::text || ' ' || $2::text || ' ' || endpoint) from webhook_endpoints
     where account_id = $1::uuid and configuration_id = $2::uuid`,
    [accountId, configurationId],
  )
}
