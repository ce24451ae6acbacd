import { expect } from 'vitest'
import { changeAccount, changeConfiguration, configurationOf } from '../../src/account/provision.ts'
import { Patient } from './patient.ts'
import { integrator, type Stories } from './place.ts'

export const OPENING: Stories = {
  'closed: new users meet the gate, who has started goes on, an overridden session gets in': async (place) => {
    const clinic = await place.world.clinic()
    const system = integrator(place, clinic)
    const started = new Patient(place.urls)
    await started.enterOpen(clinic.slug)
    await system.post('/accessControl/close', { closedReason: 'Other' })
    const late = await new Patient(place.urls).enterOpen(clinic.slug)
    expect(late.status).toBe(403)
    expect(late.body).toMatchObject({ gate: { open: false, closedReason: 'Other' } })
    expect((await started.answer('for_whom', 'self')).status).toBe(200)
    const plain = await system.post('/session')
    expect((await new Patient(place.urls).enter(String(plain.url))).body.type).toMatch(/service-closed$/)
    const allowed = await system.post('/session', { overrideDemandManagement: true })
    expect((await new Patient(place.urls).enter(String(allowed.url))).status).toBe(200)
    await system.post('/accessControl/open')
    expect((await new Patient(place.urls).enterOpen(clinic.slug)).status).toBe(201)
  },

  'the emergency check works when closed and stores nothing': async (place) => {
    const clinic = await place.world.clinic()
    await integrator(place, clinic).post('/accessControl/close', { closedReason: 'OutsideMonitoredHours' })
    const answers: { question: string; value: unknown }[] = []
    const patient = new Patient(place.urls)
    for (const [question, value] of [
      ['for_whom', 'self'],
      ['age', 60],
      ['sex', 'male'],
      ['emergency_now', ['none']],
      ['emergency_signs', ['stroke']],
    ] as const) {
      const reply = await patient.call('POST', `/configurations/${clinic.slug}/emergency-check`, {
        language: 'en',
        answers,
      })
      expect(reply.body).toMatchObject({ question: { id: question }, alarm: null })
      answers.push({ question, value })
    }
    const last = await patient.call('POST', `/configurations/${clinic.slug}/emergency-check`, {
      language: 'en',
      answers,
    })
    expect(last.body).toMatchObject({ question: null, alarm: { level: 'Level1' } })
    expect(await place.world.sql('select 1 from sessions where account_id = $1', [clinic.accountId])).toEqual([])
  },

  'capped: the daily cap closes with its reason until midnight, and a manual open holds against it': async (place) => {
    const clinic = await place.world.clinic()
    const system = integrator(place, clinic)
    await changeAccount(place.world.app.core, clinic.accountId, { cap: { kind: 'daily', most: 2 } })
    for (let count = 0; count < 2; count++)
      expect((await new Patient(place.urls).enterOpen(clinic.slug)).status).toBe(201)
    const refused = await new Patient(place.urls).enterOpen(clinic.slug)
    expect(refused.body).toMatchObject({ gate: { closedReason: 'CapLimitReached' } })
    expect(await system.get('/accessControl')).toMatchObject({ open: false, closedReason: 'CapLimitReached' })
    await system.post('/accessControl/open')
    expect((await new Patient(place.urls).enterOpen(clinic.slug)).status).toBe(201)
  },

  'capped: an ongoing cap opens again when a session ends, and closes again after a manual open once it was below':
    async (place) => {
      const clinic = await place.world.clinic()
      const system = integrator(place, clinic)
      await changeAccount(place.world.app.core, clinic.accountId, { cap: { kind: 'ongoing', most: 1 } })
      const first = new Patient(place.urls)
      await first.enterOpen(clinic.slug)
      expect(await system.get('/accessControl')).toMatchObject({ open: false, closedReason: 'CapLimitReached' })
      await system.post('/accessControl/open')
      const second = new Patient(place.urls)
      expect((await second.enterOpen(clinic.slug)).status).toBe(201)
      expect(await system.get('/accessControl')).toMatchObject({ open: true })
      for (const patient of [first, second]) {
        await patient.answerThrough({ issue_type: 'admin' })
        await patient.finish()
      }
      expect(await system.get('/accessControl')).toMatchObject({ open: true })
      await new Patient(place.urls).enterOpen(clinic.slug)
      expect(await system.get('/accessControl')).toMatchObject({ open: false, closedReason: 'CapLimitReached' })
    },

  'hours: outside them it is closed and says when it opens; under INVITED nobody is gated': async (place) => {
    const clinic = await place.world.clinic()
    const system = integrator(place, clinic)
    const never = { monday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] }
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    await changeAccount(place.world.app.core, clinic.accountId, {
      monitoredHours: { week: never, exceptions: [{ date: day, spans: [{ from: '08:00', to: '16:00' }] }] },
    })
    expect(await system.get('/accessControl')).toMatchObject({ open: false, closedReason: 'OutsideMonitoredHours' })
    const refused = await new Patient(place.urls).enterOpen(clinic.slug)
    const { gate } = refused.body as { gate?: { opensAt: string; timeZone: string } }
    const opens = new Intl.DateTimeFormat('sv', {
      timeZone: gate?.timeZone,
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(new Date(gate?.opensAt ?? 0))
    expect(opens).toBe(`${day} 08:00`)
    await changeConfiguration(place.world.app.core, await configurationOf(place.world.app.core, clinic.slug), {
      document: { type: 'INVITED' },
    })
    const created = await system.post('/session')
    expect((await new Patient(place.urls).enter(String(created.url))).status).toBe(200)
  },

  'inactive: everyone is gated under every type, overridden or not, and the interface works': async (place) => {
    const clinic = await place.world.clinic({ type: 'INVITED' })
    const system = integrator(place, clinic)
    const created = await system.post('/session', { overrideDemandManagement: true })
    await changeAccount(place.world.app.core, clinic.accountId, { active: false })
    expect((await new Patient(place.urls).enter(String(created.url))).body).toMatchObject({
      gate: { open: false, active: false },
    })
    expect(await system.get('/accessControl')).toMatchObject({ active: false, open: true })
  },
}
