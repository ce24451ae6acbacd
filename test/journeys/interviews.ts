import { expect } from 'vitest'
import { Patient } from '../world/patient.ts'
import { CHEST, integrator, type Stories, told } from '../world/stage.ts'

export const INTERVIEWS: Stories = {
  'an adult with a level-1 alarm stops at the card, and the clinic learns of it at once': async (place) => {
    const clinic = await place.world.clinic()
    const system = integrator(place, clinic)
    const patient = new Patient(place.urls)
    expect((await patient.enterOpen(clinic.slug)).status).toBe(201)
    const { sessionId } = patient.now
    expect(await told(system, sessionId)).toMatchObject({
      sessionStatus: 'Created',
      issueType: 'None',
      urgency: 'No urgency set',
      active: 1,
      completed: 0,
    })
    await patient.answerThrough({ ...CHEST, matter: 'pressure on my chest' }, (asked) => asked === 'major_bleeding')
    expect(await told(system, sessionId)).toMatchObject({
      sessionStatus: 'StartedChat',
      issueType: 'Regular',
      descriptionOfMatter: 'pressure on my chest',
      patientAge: 34,
      patientSex: 'Female',
      userWasPatient: true,
    })
    await patient.answer('major_bleeding', true)
    expect(patient.now.alarm).toMatchObject({ level: 'Level1', callNumber: '112' })
    expect(await told(system, sessionId)).toMatchObject({
      urgency: 'Level1',
      sessionStatus: 'StartedChat',
      sessionCompletedTimestamp: null,
    })
    const stopped = await patient.stop()
    expect(stopped.status).toBe(200)
    expect(patient.now.step).toMatchObject({
      kind: 'outcome',
      outcome: { level: 'Level1', flag: 'red', complete: false },
    })
    expect(await told(system, sessionId)).toMatchObject({
      urgency: 'Level1',
      sessionStatus: 'Ended',
      active: 0,
      completed: 1,
    })
    expect((await patient.answer('major_bleeding', false)).body.type).toMatch(/session-finished$/)
  },

  'an adult with a level-1 alarm goes on to the end': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ ...CHEST, breathless_no_sentence: true })
    expect(patient.now.alarm?.level).toBe('Level1')
    expect(patient.now.step.kind).toBe('review')
    await patient.finish()
    expect(patient.now.step).toMatchObject({ kind: 'outcome', outcome: { level: 'Level1', complete: true } })
    const again = await patient.finish()
    expect(again.status).toBe(200)
    expect(await told(integrator(place, clinic), patient.now.sessionId)).toMatchObject({
      urgency: 'Level1',
      completed: 1,
    })
  },

  'a parent answers for an infant with fever': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug, { language: 'fi' })
    await patient.answerThrough({
      for_whom: 'other',
      age: 0.1,
      sex: 'male',
      complaints: ['child-fever'],
      fever: 'measured',
      temperature: 38.4,
    })
    expect(patient.now.alarm?.level).toMatch(/Level[12]/)
    await patient.finish()
    const facts = await told(integrator(place, clinic), patient.now.sessionId)
    expect(facts).toMatchObject({ userWasPatient: false, patientAge: 0.1, sessionStatus: 'Ended' })
  },

  'someone of Sex Other goes all the way': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug, { language: 'sv' })
    await patient.answerThrough({ sex: 'other', age: 28, complaints: ['abdominal-pain'], anatomy: ['womb'] })
    await patient.finish()
    expect(await told(integrator(place, clinic), patient.now.sessionId)).toMatchObject({
      patientSex: 'Other',
      sessionStatus: 'Ended',
    })
    expect(patient.now.ledger.map(({ question }) => question)).toContain('anatomy')
  },

  'prescription, certificate and administrative matters keep “No urgency set”': async (place) => {
    const clinic = await place.world.clinic()
    for (const [type, name] of [
      ['prescription', 'Prescription'],
      ['certificate', 'Certificate'],
      ['admin', 'Admin'],
    ] as const) {
      const patient = new Patient(place.urls)
      await patient.enterOpen(clinic.slug)
      await patient.answerThrough({ issue_type: type })
      await patient.finish()
      expect(await told(integrator(place, clinic), patient.now.sessionId)).toMatchObject({
        issueType: name,
        urgency: 'No urgency set',
        sessionStatus: 'Ended',
      })
    }
  },

  'two complaints are asked together, shared questions once, and the more urgent level wins': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ complaints: ['sore-throat', 'abdominal-pain'] })
    const asked = patient.now.ledger.map(({ question }) => question)
    expect(new Set(asked).size).toBe(asked.length)
    expect(asked.some((id) => id.startsWith('throat_'))).toBe(true)
    expect(asked.some((id) => id.startsWith('belly_'))).toBe(true)
    await patient.finish()
    expect(patient.now.step.kind).toBe('outcome')
  },

  'changing an early answer keeps the later ones that still hold and tells which do not': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough(
      { complaints: ['sore-throat'], fever: 'measured', temperature: 38.2 },
      (asked) => asked === 'anything_else',
    )
    const before = patient.now.ledger
    expect(before.map(({ question }) => question)).toContain('temperature')
    const changed = await patient.answer('fever', 'no')
    expect(changed.status).toBe(200)
    expect(patient.now.ledger.map(({ question }) => question)).not.toContain('temperature')
    expect(patient.now.dropped.length).toBe(1)
    const kept = patient.now.ledger.filter(({ question }) => !['fever', 'temperature'].includes(question))
    expect(kept).toEqual(before.filter(({ question }) => !['fever', 'temperature'].includes(question)))
    await patient.answer('fever', 'measured')
    expect(patient.now.ledger.find(({ question }) => question === 'temperature')?.value).toBe(38.2)
  },

  'the signs of a screen are one row of what was answered; it opens again whole, and one of them can be changed':
    async (place) => {
      const clinic = await place.world.clinic()
      const patient = new Patient(place.urls)
      await patient.enterOpen(clinic.slug)
      await patient.answerThrough({ complaints: ['sore-throat'] }, (asked) => asked === 'about_to_faint')
      const { screen } = patient
      const given = (sign: string) => (sign === 'about_to_faint' ? true : sign === 'major_bleeding' ? null : false)
      await patient.give(screen.map((question) => ({ question, value: given(question) })))
      expect(patient.now.alarm?.level).toBe('Level2')
      const row = () => patient.now.ledger.find(({ question }) => question === screen[0])
      expect(patient.now.ledger.filter(({ question }) => screen.includes(question))).toEqual([row()])
      expect(row()).toMatchObject({ kind: 'sign', value: ['about_to_faint'] })
      const opened = await patient.call('GET', `/session/questions/${screen[0]}`)
      expect(opened.body).toMatchObject({ questions: screen.map((id) => ({ id, kind: 'sign', given: given(id) })) })
      const places = patient.now.ledger.map(({ question }) => question)
      expect((await patient.give([{ question: 'about_to_faint', value: false }])).status).toBe(200)
      expect([row()?.value, patient.now.alarm?.level]).toEqual([[], 'Level3']) // one of them is still not known
      expect((await patient.give([{ question: 'major_bleeding', value: false }])).status).toBe(200)
      expect([row()?.value, patient.now.alarm]).toEqual([[], null])
      expect(patient.now.ledger.map(({ question }) => question)).toEqual(places)
    },

  'before something mild is said there is a last look at dangers that nobody asked about, and what it finds counts':
    async (place) => {
      const clinic = await place.world.clinic()
      const patient = new Patient(place.urls)
      await patient.enterOpen(clinic.slug)
      await patient.answerThrough({ complaints: ['sore-throat'] }, (asked) => asked === 'allergic_reaction_severe')
      expect(patient.now.ledger.map(({ question }) => question)).toContain('throat_duration')
      expect(patient.screen.length).toBeLessThanOrEqual(7)
      // Of whom it cannot matter some are not asked.
      expect(patient.screen).not.toContain('suicidal_thoughts')
      expect(patient.screen).not.toContain('overdose_or_poisoning')
      await patient.answer('allergic_reaction_severe', true)
      expect(patient.now.alarm?.level).toBe('Level1')
      await patient.answerThrough({})
      await patient.finish()
      expect(patient.now.step).toMatchObject({ kind: 'outcome', outcome: { level: 'Level1', complete: true } })

      const urgent = new Patient(place.urls)
      await urgent.enterOpen(clinic.slug)
      await urgent.answerThrough({ complaints: ['sore-throat'], mouth_hardly_opens: true })
      const asked = urgent.now.ledger.map(({ question, stage }) => `${stage} ${question}`)
      expect(asked.findLastIndex((row) => row.startsWith('emergency'))).toBeLessThan(
        asked.findIndex((row) => row.startsWith('chat')),
      )
    },

  'an app that sends everything twice has one of everything': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug)
    patient.sendsTwice = true
    const screens = await patient.answerThrough({ complaints: ['sore-throat'] })
    await patient.finish()
    expect(patient.now.step.kind).toBe('outcome')
    const [rows] = await place.world.sql(
      'select count(*)::int as answers, max(seq) as last from answers where session_id = $1',
      [patient.now.sessionId],
    )
    expect(rows).toEqual({ answers: screens, last: screens })
    expect(await told(integrator(place, clinic), patient.now.sessionId)).toMatchObject({ completed: 1 })
  },

  'a session left with a standing alarm is ended at its level, once': async (place) => {
    const clinic = await place.world.clinic()
    const patient = new Patient(place.urls)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ overdose_or_poisoning: true }, (_asked, view) => view.alarm !== null)
    await place.world.sql("update sessions set last_active_at = now() - interval '31 minutes' where id = $1", [
      patient.now.sessionId,
    ])
    await place.world.endLeft()
    expect(await told(integrator(place, clinic), patient.now.sessionId)).toMatchObject({
      sessionStatus: 'Ended',
      urgency: 'Level1',
      completed: 1,
    })
  },
}
