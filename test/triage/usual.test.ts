import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerTo } from '../world/call.ts'
import { ABOUT, Patient } from '../world/patient.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let clinic: Clinic
beforeAll(async () => {
  world = await newWorld()
  clinic = await world.clinic()
})
afterAll(() => world.close())

/** Someone who has written their matter and said nothing of its kind. */
async function written(matter: string | null, language = 'en'): Promise<Patient> {
  const patient = new Patient(world.url)
  await patient.enterOpen(clinic.slug, { language })
  await patient.give(ABOUT)
  expect(patient.question('issue_type')).toMatchObject({ usual: 'regular' })
  await patient.give([{ question: 'matter', value: matter }])
  return patient
}

const kindOf = ({ now }: Patient) => now.ledger.find(({ question }) => question === 'issue_type')?.value

test('the kind of matter may be left out: then it is a symptom, and that is kept as an answer', async () => {
  for (const matter of ['I have a sore throat', null]) {
    const patient = await written(matter)
    expect(patient.screen).toContain('complaints')
    expect(kindOf(patient)).toBe('regular')
  }
})

test.each([
  ['en', 'renew my prescription please', 'prescription'],
  ['sv', 'jag behöver förnya mitt recept', 'prescription'],
  ['fi', 'tarvitsen sairauslomatodistuksen', 'certificate'],
  ['no', 'kan jeg flytte timen min', 'admin'],
])(
  'words that tell of another matter are asked about, with that matter proposed (%s)',
  async (language, matter, kind) => {
    const patient = await written(matter, language)
    expect(kindOf(patient)).toBeUndefined()
    expect(patient.screen).toEqual(['issue_type', 'new_trouble'])
    expect(patient.question('issue_type')).toMatchObject({ given: kind })
    expect(patient.question('issue_type')).not.toHaveProperty('usual')
    await patient.give([
      { question: 'issue_type', value: kind },
      { question: 'new_trouble', value: false },
    ])
    expect(kindOf(patient)).toBe(kind)
  },
)

test('whoever says that it is a symptom all the same is believed', async () => {
  const patient = await written('renew my prescription please')
  await patient.give([{ question: 'issue_type', value: 'regular' }])
  expect(patient.screen).toContain('complaints')
})

test('danger in the words of a request is asked about at once, before its kind', async () => {
  const patient = await written('I need a new prescription, and I want to kill myself')
  expect(patient.now.step).toMatchObject({ kind: 'ask', stage: 'emergency' })
  expect(kindOf(patient)).toBe('regular')
})

test('a kind that the sender gave is confirmed or changed, never taken for granted', async () => {
  const json = { issueType: 'Prescription', userIsPatient: true }
  const made = await callerTo(world)('POST', '/api/v1/session', { key: clinic.key, json })
  const patient = new Patient(world.url)
  await patient.enter((made.body as { url: string }).url)
  await patient.give(ABOUT)
  expect(patient.question('issue_type')).toMatchObject({ given: 'prescription' })
  expect(patient.question('issue_type')).not.toHaveProperty('usual')
  const { status } = await patient.give([{ question: 'matter', value: 'my pills' }])
  expect(status).toBe(400)
})
