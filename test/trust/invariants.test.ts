import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { brokenInvariants } from '../world/invariants.ts'
import { completedSession, newScene } from '../world/webhook-scene.ts'

test('the check of invariants that ends tests of many nodes sees each of them broken', async () => {
  const scene = await newScene({ WEBHOOK_CONCURRENCY: '0' })
  const { sql } = scene.world
  const broken = async () => (await brokenInvariants(scene.world)).map((words) => words.slice(0, 2))
  try {
    const [clinic, other] = [await scene.clinic('one'), await scene.clinic('two')]
    const sessionId = await completedSession(scene, clinic)
    expect(await broken()).toEqual([])

    await sql('update webhook_deliveries set session_id = $1', [randomUUID()])
    expect(await broken()).toEqual(['I3', 'I3', 'I6']) // one event too many, one too few, and it names nobody's session
    await sql('update webhook_deliveries set session_id = $1', [sessionId])

    await sql('update completed_hours set sessions = sessions + 1')
    expect(await broken()).toEqual(['I4'])
    await sql('update completed_hours set sessions = sessions - 1')

    await sql('update answers set account_id = $1', [other.accountId])
    expect(await broken()).toEqual(['I6'])
    await sql('update answers set account_id = $1', [clinic.accountId])

    await sql(`update audit_heads set hash = decode('00', 'hex') where account_id = $1`, [other.accountId])
    expect(await broken()).toEqual(['I5'])
    await sql('delete from audit_heads where account_id = $1', [other.accountId])

    await sql(
      `insert into sessions (account_id, configuration_id, id, status, completed_at, enter_until, active_until, language, secret_hash)
       values ($1, $2, gen_random_uuid(), 'Ended', now(), now(), now(), 'en', '')`,
      [clinic.accountId, clinic.configurationId],
    )
    expect(await broken()).toEqual(expect.arrayContaining(['I2', 'I3']))
  } finally {
    await scene.close()
  }
})
