import { expect } from 'vitest'
import { noteAccessChanges } from '../../src/account/access-changes.ts'
import { changeAccount, changeConfiguration, configurationOf } from '../../src/account/provision.ts'
import { Patient } from '../world/patient.ts'
import { integrator, type Stories } from '../world/stage.ts'

const NEVER = { monday: [], tuesday: [], wednesday: [], thursday: [], friday: [], saturday: [], sunday: [] }

/** A place where it is now between four in the morning and six in the evening, so that the day has hours left. */
function zoneInTheForenoon(): string {
  const zones = ['Pacific/Auckland', 'Asia/Tokyo', 'Europe/Helsinki', 'America/New_York', 'Pacific/Honolulu']
  const hourIn = (zone: string) => Temporal.Now.zonedDateTimeISO(zone).hour
  return zones.find((zone) => hourIn(zone) >= 4 && hourIn(zone) < 18) ?? 'Europe/Helsinki'
}

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
    for (const screen of [
      {
        unconscious_or_fitting: false,
        major_bleeding: false,
        tongue_or_throat_swelling: false,
        breathless_no_sentence: false,
        about_to_faint: false,
        chest_pressure_5_minutes: false,
        stroke_signs_last_day: false,
        confused_or_hard_to_wake: false,
      },
      {
        blue_or_grey: false,
        limp: false,
        no_contact_or_odd_cry: false,
        child_breathing_effort: false,
        stridor_at_rest: false,
        breathing_stops_or_grunts: false,
        chest_sucks_in: false,
        green_vomit: false,
      },
      { for_whom: 'self', age: 60, sex: 'male' },
      {
        suicidal_thoughts: false,
        suicide_or_violence_now: false,
        choking: false,
        harsh_breath_or_saliva: false,
        overdose_or_poisoning: true,
        allergic_reaction_severe: false,
        serious_accident: false,
      },
    ]) {
      const reply = await patient.call('POST', `/configurations/${clinic.slug}/emergency-check`, {
        language: 'en',
        answers,
      })
      expect(reply.body).toMatchObject({ questions: Object.keys(screen).map((id) => ({ id })), alarm: null })
      for (const [question, value] of Object.entries(screen)) answers.push({ question, value })
    }
    const last = await patient.call('POST', `/configurations/${clinic.slug}/emergency-check`, {
      language: 'en',
      answers,
    })
    expect(last.body).toMatchObject({ questions: [], alarm: { level: 'Level1' } })
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

  'twenty at once against a cap: as many get in as it leaves room for, and not one more': async (place) => {
    for (const [cap, most] of [
      [{ kind: 'ongoing', most: 1 }, 1],
      [{ kind: 'daily', most: 3 }, 3],
    ] as const) {
      const clinic = await place.world.clinic()
      const system = integrator(place, clinic)
      await changeAccount(place.world.app.core, clinic.accountId, { cap })
      const invited = await Promise.all(Array.from({ length: 5 }, () => system.post('/session')))
      const replies = await Promise.all([
        ...Array.from({ length: 15 }, () => new Patient(place.urls).enterOpen(clinic.slug)),
        ...invited.map(({ url }) => new Patient(place.urls).enter(String(url))),
      ])
      const refused = replies.filter(({ status }) => status === 403)
      expect(replies.length - refused.length).toBe(most)
      for (const { body } of refused) expect(body).toMatchObject({ gate: { closedReason: 'CapLimitReached' } })
      const [stored] = await place.world.sql(
        'select count(*)::int as n from sessions where account_id = $1 and started_at is not null',
        [clinic.accountId],
      )
      expect(stored).toEqual({ n: most })
    }
  },

  'twenty at once after a manual open against an ongoing cap: once it was below, the cap holds again': async (
    place,
  ) => {
    const clinic = await place.world.clinic()
    const system = integrator(place, clinic)
    await changeAccount(place.world.app.core, clinic.accountId, { cap: { kind: 'ongoing', most: 1 } })
    const first = new Patient(place.urls)
    await first.enterOpen(clinic.slug)
    await system.post('/accessControl/open')
    await first.answerThrough({ issue_type: 'admin' })
    await first.finish()
    const replies = await Promise.all(Array.from({ length: 20 }, () => new Patient(place.urls).enterOpen(clinic.slug)))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
  },

  'a closing that was answered lets nobody in afterwards, whoever was on their way': async (place) => {
    const { sql } = place.world
    const clinic = await place.world.clinic()
    const system = integrator(place, clinic)
    const count = 'select count(*)::int as n from sessions where account_id = $1 and started_at is not null'
    const crowd = () => Array.from({ length: 20 }, () => new Patient(place.urls).enterOpen(clinic.slug))
    const entering = crowd()
    expect(await system.post('/accessControl/close', { closedReason: 'Other' })).toMatchObject({ status: 200 })
    const then = await sql(count, [clinic.accountId])
    await Promise.all(entering)
    expect(await sql(count, [clinic.accountId])).toEqual(then)
    await system.post('/accessControl/open')

    // The same with the closing exactly between looking at the gate and going through it.
    await sql('begin')
    await sql('select 1 from audit_heads where account_id = $1 for update', [clinic.accountId])
    const late = crowd()
    const onTheirWay = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(() => sql(onTheirWay), { timeout: 4_000, interval: 20 }).not.toEqual([])
    await sql(`insert into access_events (account_id, kind, closed_reason) values ($1, 'closed', 'Other')`, [
      clinic.accountId,
    ])
    await sql('commit')
    for (const { status, body } of await Promise.all(late)) {
      expect(status).toBe(403)
      expect(body).toMatchObject({ gate: { open: false, closedReason: 'Other' } })
    }
  },

  'hours: outside them it is closed and says when it opens; under INVITED nobody is gated': async (place) => {
    const clinic = await place.world.clinic()
    const system = integrator(place, clinic)
    const day = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
    await changeAccount(place.world.app.core, clinic.accountId, {
      monitoredHours: { week: NEVER, exceptions: [{ date: day, spans: [{ from: '08:00', to: '16:00' }] }] },
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

  'hours and a daily cap: what is promised is the first moment at which the hours hold and the cap has reset': async (
    place,
  ) => {
    const clinic = await place.world.clinic()
    const timeZone = zoneInTheForenoon()
    const now = Temporal.Now.zonedDateTimeISO(timeZone)
    const wall = (hours: number) => now.add({ hours }).toPlainTime().toString().slice(0, 5)
    const dates = [now, now.add({ days: 1 })].map((at) => at.toPlainDate().toString())
    const exceptions = [
      { date: dates[0], spans: [{ from: wall(2), to: wall(4) }] },
      { date: dates[1], spans: [{ from: '09:10', to: '10:00' }] },
    ]
    const { core } = place.world.app
    await changeAccount(core, clinic.accountId, { timeZone, cap: { kind: 'daily', most: 1 } })
    const gateNow = async () =>
      (await new Patient(place.urls).call('GET', `/configurations/${clinic.slug}`)).body.gate as Record<string, string>
    const opens = async () => new Date((await gateNow()).opensAt ?? 0).getTime()
    const at = (date = '', time: string) =>
      Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(timeZone).epochMilliseconds

    const first = new Patient(place.urls)
    expect((await first.enterOpen(clinic.slug)).status).toBe(201)
    expect(await opens()).toBe(at(dates[1], '00:00'))
    await changeAccount(core, clinic.accountId, { monitoredHours: { week: NEVER, exceptions } })
    expect(await gateNow()).toMatchObject({ open: false, closedReason: 'OutsideMonitoredHours' })
    expect(await opens()).toBe(at(dates[1], '09:10'))
    await changeAccount(core, clinic.accountId, { cap: { kind: 'daily', most: 2 } })
    expect(await opens()).toBe(at(dates[0], wall(2)))
    await changeAccount(core, clinic.accountId, { cap: { kind: 'ongoing', most: 1 } })
    expect(await opens()).toBe(at(dates[0], wall(2)))
    await changeAccount(core, clinic.accountId, { monitoredHours: null })
    expect(await gateNow()).toMatchObject({ closedReason: 'CapLimitReached', opensAt: null })
  },

  'what hours and caps open or close is recorded, once per change, however many look': async (place) => {
    const { core } = place.world.app
    const clinic = await place.world.clinic()
    const system = integrator(place, clinic)
    const look = () => Promise.all(Array.from({ length: 5 }, () => noteAccessChanges(core)))
    const told = async () =>
      (
        await place.world.sql(
          `select e.kind, e.closed_reason, e.automatic from access_events e where e.account_id = $1 order by e.id`,
          [clinic.accountId],
        )
      ).map(({ kind, closed_reason: reason, automatic }) =>
        `${automatic ? 'by itself' : 'by hand'} ${kind} ${reason ?? ''}`.trim(),
      )
    await changeAccount(core, clinic.accountId, { cap: { kind: 'ongoing', most: 1 } })
    await look()
    expect(await told()).toEqual([])
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug)
    await look()
    await look()
    const full = 'by itself closed CapLimitReached'
    expect(await told()).toEqual([full])
    await changeAccount(core, clinic.accountId, { monitoredHours: { week: NEVER, exceptions: [] } })
    await look()
    const late = 'by itself closed OutsideMonitoredHours'
    expect(await told()).toEqual([full, late])
    await system.post('/accessControl/open')
    await look()
    expect(await told()).toEqual([full, late, 'by hand opened'])
    await system.post('/accessControl/close', { closedReason: 'Other' })
    await look()
    await system.post('/accessControl/open')
    await changeAccount(core, clinic.accountId, { monitoredHours: null, cap: null })
    await look()
    expect(await told()).toEqual([full, late, 'by hand opened', 'by hand closed Other', 'by hand opened'])
    const noted = await place.world.sql(
      `select action, actor, detail from audit_entries where account_id = $1 and actor = 'fyr' order by seq`,
      [clinic.accountId],
    )
    expect(noted).toEqual([
      { action: 'access.closed', actor: 'fyr', detail: { closedReason: 'CapLimitReached', automatic: true } },
      { action: 'access.closed', actor: 'fyr', detail: { closedReason: 'OutsideMonitoredHours', automatic: true } },
    ])
  },

  'what opened by itself is recorded too, and decides nothing: a manual opening from before still holds': async (
    place,
  ) => {
    const { core } = place.world.app
    const clinic = await place.world.clinic()
    const system = integrator(place, clinic)
    await changeAccount(core, clinic.accountId, { cap: { kind: 'ongoing', most: 1 } })
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug)
    await noteAccessChanges(core)
    await patient.answerThrough({ issue_type: 'admin' })
    await patient.finish()
    await noteAccessChanges(core)
    const kinds = await place.world.sql(
      'select kind from access_events where account_id = $1 and automatic order by id',
      [clinic.accountId],
    )
    expect(kinds).toEqual([{ kind: 'closed' }, { kind: 'opened' }])
    await new Patient(place.urls).enterOpen(clinic.slug)
    expect(await system.get('/accessControl')).toMatchObject({ open: false, closedReason: 'CapLimitReached' })
    await system.post('/accessControl/open')
    await noteAccessChanges(core)
    expect(await system.get('/accessControl')).toMatchObject({ open: true })
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
