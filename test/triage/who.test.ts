import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Patient } from '../world/patient.ts'
import { type Integrator, integrator } from '../world/stage.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
let system: Integrator
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
  system = integrator({ world, urls: [world.url] }, clinic)
})
afterAll(() => world.close())

/** What the clinic reads about who it is and why. */
async function told(id: unknown) {
  const { patientAge, patientSex, userWasPatient, descriptionOfMatter } = await system.get(`/session/${id}`)
  return [userWasPatient, patientAge, patientSex, descriptionOfMatter]
}

async function invited(body: object): Promise<Patient> {
  const created = await system.post('/session', body)
  const patient = new Patient(world.url)
  await patient.enter(String(created.url))
  return patient
}

const givenNow = (patient: Patient) => patient.question('age')?.given

describe('what the clinic reads of the patient is what stands', () => {
  test('nothing that was taken back by going back is left', async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ age: 70, sex: 'male', matter: 'secret words' }, (asked) => asked === 'major_bleeding')
    expect(await told(patient.now.sessionId)).toEqual([true, 70, 'Male', 'secret words'])
    while (patient.now.ledger.length > 0) expect((await patient.back()).status).toBe(200)
    expect(await told(patient.now.sessionId)).toEqual([null, null, null, null])
    // On the screen it is still there to be said again: taking back is not speaking of another person.
    expect([patient.question('for_whom')?.given, givenNow(patient)]).toEqual(['self', 70])
  })

  test('whether the user was the patient is told once someone has entered, and not before', async () => {
    const created = await system.post('/session', { patient: { age: 8 }, userIsPatient: false })
    const answeredBy = async () =>
      /^Answered by: (.*)$/m.exec(
        String((await system.get(`/session/${created.sessionId}/summary?language=en`)).data),
      )?.[1]
    expect([await told(created.sessionId), await answeredBy()]).toEqual([[null, 8, null, null], undefined])
    await new Patient(world.url).enter(String(created.url))
    expect([await told(created.sessionId), await answeredBy()]).toEqual([
      [false, 8, null, null],
      'someone for the patient',
    ])
  })

  test('what create said counts until the user says otherwise, and again when they take that back', async () => {
    const patient = await invited({
      patient: { age: 8, sex: 'Female' },
      userIsPatient: false,
      text: 'sore throat',
    })
    const { sessionId } = patient.now
    expect(await told(sessionId)).toEqual([false, 8, 'Female', 'sore throat'])
    await patient.answerThrough(
      { for_whom: 'other', age: 9, sex: 'other', matter: 'a cough, rather' },
      (asked) => asked === 'complaints',
    )
    expect(await told(sessionId)).toEqual([false, 9, 'Other', 'a cough, rather'])
    await patient.answer('matter', null)
    expect(await told(sessionId)).toEqual([false, 9, 'Other', null])
    while (patient.now.ledger.length > 0) await patient.back()
    expect(await told(sessionId)).toEqual([false, 8, 'Female', 'sore throat'])
  })

  test('sex and kind of matter are taken in the words of the interface too, and kept by their ids', async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ sex: 'Female' }, (asked) => asked === 'matter')
    await patient.give([
      { question: 'matter', value: null },
      { question: 'issue_type', value: 'Prescription' },
      { question: 'new_trouble', value: false },
    ])
    const said = (id: string) => patient.now.ledger.find(({ question }) => question === id)?.value
    expect([said('sex'), said('issue_type')]).toEqual(['female', 'prescription'])
    const { patientSex, issueType } = await system.get(`/session/${patient.now.sessionId}`)
    expect([patientSex, issueType]).toEqual(['Female', 'Prescription'])
    for (const value of ['FEMALE', 'Regular', 'None']) expect((await patient.answer('sex', value)).status).toBe(400)
    const check = (sex: string) =>
      patient.call('POST', `/configurations/${clinic.slug}/emergency-check`, {
        answers: [{ question: 'sex', value: sex }],
      })
    expect((await check('Female')).body).toEqual((await check('female')).body)
  })

  test('H9: age and sex go when it turns out to be for someone else, and come back with the one they were said of', async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    await patient.answerThrough({ for_whom: 'self', age: 70, sex: 'male' }, (asked) => asked === 'complaints')
    await patient.answer('for_whom', 'other')
    expect(await told(patient.now.sessionId)).toEqual([false, null, null, null])
    expect([patient.asked, givenNow(patient)]).toEqual(['age', undefined])
    await patient.give([
      { question: 'age', value: 5 },
      { question: 'sex', value: 'female' },
    ])
    expect(patient.asked).toBe('complaints')
    expect(await told(patient.now.sessionId)).toEqual([false, 5, 'Female', null])
    await patient.answer('for_whom', 'self')
    expect(await told(patient.now.sessionId)).toEqual([true, 70, 'Male', null])
    expect(patient.asked).toBe('complaints')
  })

  test('what create said of the user is not held for someone else', async () => {
    const patient = await invited({ patient: { age: 70, sex: 'Male' }, userIsPatient: true, text: 'dizzy' })
    await patient.answerThrough({ for_whom: 'self', age: 70, sex: 'male' }, (asked) => asked === 'matter')
    await patient.answer('for_whom', 'other')
    expect(await told(patient.now.sessionId)).toEqual([false, null, null, 'dizzy'])
    expect([patient.asked, givenNow(patient)]).toEqual(['age', undefined])
    await patient.answer('for_whom', 'self')
    expect(await told(patient.now.sessionId)).toEqual([true, 70, 'Male', 'dizzy'])
    while (patient.now.ledger.length > 0) await patient.back()
    expect([patient.asked, givenNow(patient)]).toEqual(['for_whom', 70])
  })

  test('a baby’s age is told in weeks, days or months', async () => {
    const patient = new Patient(world.url)
    await patient.enterOpen(clinic.slug)
    const about = (age: unknown) =>
      patient.call('POST', '/session/answers', {
        id: randomUUID(),
        version: patient.now.version,
        answers: [
          { question: 'for_whom', value: 'other' },
          { question: 'age', value: age },
          { question: 'sex', value: 'female' },
        ],
      })
    expect(patient.question('age')).toMatchObject({ kind: 'number', help: expect.stringContaining('weeks') })
    const refused = await about({ amount: 5, unit: 'hours' })
    expect(refused.status).toBe(400)
    const taken = await about({ amount: 5, unit: 'weeks' })
    expect(taken.status).toBe(200)
    expect(await told(patient.now.sessionId)).toEqual([false, expect.closeTo(35 / 365.25, 3), 'Female', null])
  })
})
