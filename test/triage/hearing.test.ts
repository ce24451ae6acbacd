import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newLogger } from '../../src/log.ts'
import { SessionCache } from '../../src/session/interview/session-cache.ts'
import { openUser } from '../../src/session/interview/user.ts'
import { Releases } from '../../src/session/releases.ts'
import { hashOf } from '../../src/store/seal.ts'
import { findSessionDoor } from '../../src/store/users.ts'
import { ABOUT, Patient } from '../world/patient.ts'
import { newWorld, type World } from '../world/world.ts'

let world: World
beforeAll(async () => {
  world = await newWorld()
})
afterAll(async () => {
  await world?.close()
})

async function wrote(matter: string, issueType = 'regular'): Promise<Patient> {
  const { slug } = await world.clinic({ crisisLine: '0800 123 456' })
  const patient = new Patient(world.url)
  await patient.enterOpen(slug)
  await patient.give(ABOUT)
  await patient.give([
    { question: 'matter', value: matter },
    { question: 'issue_type', value: issueType },
    ...(issueType === 'regular' ? [] : [{ question: 'new_trouble', value: false }]),
  ])
  return patient
}

const TOLD = 'Sore throat for three days, fever of 38.5'

describe('understood', () => {
  test('a weekday is counted from the day on which it is written', async () => {
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000).toLocaleDateString('en', { weekday: 'long' })
    const patient = await wrote(`Sore throat since ${twoDaysAgo}`)
    const given = patient.question('duration')?.given
    // The clinic may be in another day than this machine.
    expect([1, 2, 3].map((amount) => ({ amount, unit: 'days' }))).toContainEqual(given)
  })

  test('the complaint and the facts heard are proposed in words, and confirmed facts are answers', async () => {
    const patient = await wrote(TOLD)
    expect(patient.now.step).toMatchObject({ screen: 'understood', title: 'Have we understood it right?', note: null })
    expect(patient.screen).toEqual(['complaints', 'duration', 'fever', 'temperature'])
    expect(patient.question('duration')).toMatchObject({
      given: { amount: 3, unit: 'days' },
      proposal: { from: 'own-words', answer: '3 days', words: 'three days' },
    })
    expect(patient.question('temperature')?.proposal?.answer).toBe('38.5 °C')
    expect(patient.question('complaints')?.options?.[0]).toMatchObject({ id: 'sore-throat', proposed: true })
    const reply = await patient.give([
      { question: 'complaints', value: ['sore-throat'] },
      { question: 'duration', value: { amount: 3, unit: 'days' } },
    ])
    expect(reply.status).toBe(200)
    expect(patient.now.ledger).toContainEqual(expect.objectContaining({ question: 'duration', answer: '3 days' }))
    const asked: string[] = []
    await patient.answerThrough({ throat_duration: { amount: 9, unit: 'days' } }, (id) => {
      asked.push(id)
      return false
    })
    expect(asked).not.toContain('throat_duration')
    expect(asked).toContain('fever')
    expect(patient.now.dropped).toEqual([])
  })

  test('the complaint cannot be left out, and going back brings the proposals back', async () => {
    const patient = await wrote(TOLD)
    const refused = await patient.give([{ question: 'duration', value: { amount: 3, unit: 'days' } }])
    expect([refused.status, refused.body.type]).toEqual([400, expect.stringContaining('invalid-answer')])
    await patient.give([
      { question: 'complaints', value: ['sore-throat'] },
      { question: 'duration', value: { amount: 5, unit: 'days' } },
    ])
    await patient.back()
    expect(patient.screen).toEqual(['complaints', 'duration', 'fever', 'temperature'])
    expect(patient.question('duration')?.given).toEqual({ amount: 5, unit: 'days' })
  })

  test('a complaint far likelier than the others is marked, and none of several that are as likely', async () => {
    const marked = async (matter: string) => {
      const options = (await wrote(matter)).question('complaints')?.options ?? []
      return options.filter((one) => 'likely' in one).map(({ id }) => id)
    }
    expect(await marked('I have had a sore throat for three days')).toEqual(['sore-throat'])
    expect(await marked('sore throt sinse monday')).toEqual(['sore-throat'])
    expect(await marked('my ear hurts and my tooth hurts')).toEqual([])
    expect(await marked('hello, I need help')).toEqual([])
  })

  test('whoever wrote nothing gets the menu', async () => {
    const patient = await wrote('')
    expect(patient.now.step).toMatchObject({ screen: null, title: null })
    expect(patient.screen).toEqual(['complaints'])
  })
})

describe('leading', () => {
  test('words of suicide lead to the questions about them, with a kind word and the crisis line', async () => {
    const patient = await wrote('I want to kill myself')
    expect(patient.now.step).toMatchObject({ screen: 'heard', note: expect.stringContaining('0800 123 456') })
    expect(patient.screen.slice(0, 2)).toEqual(['suicide_or_violence_now', 'suicidal_thoughts'])
  })

  test('so do words that come at the end, until they are taken back', async () => {
    const patient = await wrote('sore throat')
    await patient.answerThrough({ complaints: ['sore-throat'] }, (id) => id === 'anything_else')
    expect(patient.screen).toContain('anything_else')
    const write = (text: string) =>
      patient.give(patient.screen.map((question) => ({ question, value: question === 'anything_else' ? text : null })))
    expect((await write('Also I want to kill myself')).status).toBe(200)
    expect(patient.now.step).toMatchObject({ screen: 'heard', note: expect.stringContaining('0800 123 456') })
    expect(patient.screen).toContain('suicidal_thoughts')
    await patient.back()
    expect(patient.screen).toContain('anything_else')
    await write('Thank you')
    expect(patient.now.step.kind).toBe('review')
  })

  test('in a practical matter as well', async () => {
    const patient = await wrote('I want to kill myself', 'prescription')
    expect(patient.asked).toBe('suicide_or_violence_now')
    await patient.answer('suicide_or_violence_now', true)
    expect(patient.now.alarm).not.toBeNull()
  })
})

test('what was heard is sealed with the text in one entry, and another node goes on with what is stored', async () => {
  const { core } = world.app
  const patient = await wrote('I want to kill myself, throat sore for three days')
  const { sessionId } = patient.now
  const rows = await world.sql('select sealed from answers where session_id = $1 order by seq', [sessionId])
  expect(rows).toHaveLength(2)
  for (const { sealed } of rows) expect((sealed as Buffer).toString('latin1')).not.toMatch(/kill|three|suicide/)
  const silent = newLogger({ LOG_LEVEL: 'silent' }, new Writable({ write: (_line, _encoding, done) => done() }))
  const elsewhere = { core, releases: await Releases.open(core, silent), cache: new SessionCache() }
  const accountId = String(
    (await world.sql('select account_id from sessions where id = $1', [sessionId]))[0]?.account_id,
  )
  const door = await findSessionDoor(core.db, accountId, sessionId)
  if (!door) throw new Error('The session is not there.')
  const proof = { kind: 'cookie' as const, hash: hashOf('') }
  const { interview } = await openUser(elsewhere, door, proof)
  expect(interview.answers.find(({ question }) => question === 'matter')?.heard).toMatchObject({
    complaints: expect.arrayContaining([expect.objectContaining({ id: 'sore-throat' })]),
    dangers: expect.arrayContaining([expect.objectContaining({ kind: 'suicide', sureness: 'lead' })]),
    facts: [{ question: 'duration' }],
  })
  expect(interview.step.kind === 'ask' && interview.step.questions.map(({ id }) => id)).toEqual(patient.screen)
})
