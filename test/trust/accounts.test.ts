import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call, callerTo, send } from '../world/call.ts'
import { answered, SORE_THROAT, visiting } from '../world/clinician.ts'
import { type Clinic, newWorld, type World } from '../world/world.ts'

let world: World
let call: Call
let mine: Clinic
let theirs: Clinic

beforeAll(async () => {
  world = await newWorld()
  call = callerTo(world)
  mine = await world.clinic()
  theirs = await world.clinic()
})
afterAll(() => world.close())

async function sessionOf({ key }: Clinic, text = 'A cough'): Promise<string> {
  const { body } = await call('POST', '/api/v1/session', { key, json: { text } })
  return (body as { sessionId: string }).sessionId
}

test('A01 lists and counts hold nothing of another account', async () => {
  const foreign = await sessionOf(theirs)
  expect((await call('GET', '/api/v1/sessions', { key: mine.key })).text).not.toContain(foreign)
  const { body } = await call('GET', '/api/v1/accessControl/sessionCount', { key: mine.key })
  expect(body).toEqual({ completed: 0, active: 0 })
})

describe('A03 an answer holds the documented fields and no other', () => {
  const FIELDS: [path: (id: string) => string, fields: string[]][] = [
    [
      (id) => `/api/v1/session/${id}`,
      [
        'descriptionOfMatter',
        'patientAge',
        'patientSex',
        'sessionCompletedTimestamp',
        'sessionCreatedTimestamp',
        'urgency',
        'userStartedTimestamp',
        'userWasPatient',
        'issueType',
      ],
    ],
    [(id) => `/api/v1/session/${id}/status`, ['sessionStatus']],
    [(id) => `/api/v1/session/${id}/decisionSupportLink?auditUserIdentifier=x`, ['link', 'token', 'managerScriptUrl']],
    [(id) => `/api/v1/session/${id}/summary`, ['data']],
    [() => '/api/v1/accessControl', ['active', 'open', 'closedReason']],
    [() => '/api/v1/accessControl/sessionCount', ['completed', 'active']],
    [() => '/api/v1/sessions', ['sessions', 'nextCursor']],
  ]
  for (const [path, fields] of FIELDS) {
    test(path('{id}'), async () => {
      const reply = await call('GET', path(await sessionOf(mine)), { key: mine.key })
      expect(Object.keys(reply.body as object).toSorted()).toEqual(fields.toSorted())
    })
  }

  const words = (list: string) => list.split(' ').toSorted()
  const keysOf = (body: unknown) => Object.keys(body as object).toSorted()

  test('for the user, who sees nothing of the clinic’s side', async () => {
    const { patient } = await answered(world.url, mine, SORE_THROAT)
    const { body } = await patient.look()
    const seen = 'sessionId configuration status version language expiresTimestamp expired forSomeoneElse returnUrl'
    expect(keysOf(body)).toEqual(words(`${seen} step alarm warning ledger dropped files contact reachable`))
    const { step } = patient.now
    const outcome = 'level flag title text reasons because say firstActions next advice safetyNet complete reviewNotice'
    expect(keysOf(step.kind === 'outcome' && step.outcome)).toEqual(words(outcome))
    const front = await patient.call('GET', `/configurations/${mine.slug}`)
    const shown =
      'adviceNumber helpLines slug name type languages defaultLanguage emergencyNumber clinicPhone theme reviewed gate closedMessage privacyUrl accessibilityUrl'
    expect(keysOf(front.body)).toEqual(words(shown))
  })

  test('for the clinician, who sees nothing of other sessions', async () => {
    const { sessionId } = await answered(world.url, mine, SORE_THROAT)
    const picture = await (await visiting(world, mine, sessionId)).picture()
    const seen = 'version language viewer clinic timeZone session patient matter urgency complete complaints reasons'
    const more =
      'alsoTrue changes card redFlags history considerations told interview now levels files judgements notReviewed contact unconfirmed'
    expect(keysOf(picture)).toEqual(words(`${seen} ${more}`))
    const moments = 'createdTimestamp startedTimestamp completedTimestamp expiresTimestamp'
    const session = `sessionId status flow issueType language contentVersion ${moments} ongoing isTest`
    expect(keysOf(picture.session)).toEqual(words(session))
  })

  test('a refusal', async () => {
    const { body } = await call('GET', '/api/v1/session/x/status', { key: mine.key })
    expect(Object.keys(body as object).toSorted()).toEqual(['detail', 'errors', 'requestId', 'status', 'title', 'type'])
  })
})

test('F30 interleaved requests of two accounts, with errors and cancelled ones in between, never mix', async () => {
  const rounds = Number(process.env.FYR_ROUNDS ?? 80)
  const sides = [
    { ...mine, mark: 'only-of-mine', ids: [await sessionOf(mine, 'only-of-mine')] },
    { ...theirs, mark: 'only-of-theirs', ids: [await sessionOf(theirs, 'only-of-theirs')] },
  ]
  const wrong: string[] = []
  async function one(at: number): Promise<void> {
    const [own, other] = at % 2 === 0 ? [sides[0], sides[1]] : [sides[1], sides[0]]
    if (!own || !other) return
    const id = own.ids.at(-1) ?? ''
    const url = `${world.url}/api/v1/session`
    const kind = at % 9
    if (kind === 0) {
      const made = await send(url, 'POST', { key: own.key, json: { text: own.mark } })
      if (made.status !== 201) return void wrong.push(`create ${made.status} ${made.text}`)
      own.ids.push((made.body as { sessionId: string }).sessionId)
    } else if (kind === 1) {
      await fetch(`${url}/${id}`, { headers: { 'x-service-api-key': own.key }, signal: AbortSignal.timeout(1) }).catch(
        () => {},
      )
    } else if (kind === 2) await send(url, 'POST', { key: own.key, json: { text: 5 } })
    else {
      const rest = ['', '/status', '/summary', '/files'][at % 4] ?? ''
      const asked = kind === 3 ? (other.ids.at(-1) ?? '') : id
      const reply = await send(`${url}/${asked}${rest}`, 'GET', { key: own.key })
      if (reply.status !== (kind === 3 ? 404 : 200)) wrong.push(`${kind} ${rest} ${reply.status} ${reply.text}`)
      if (reply.text.includes(other.mark)) wrong.push(`leak ${rest}`)
      if (kind !== 3 && (rest === '' || rest === '/summary') && !reply.text.includes(own.mark))
        wrong.push(`lost ${rest}`)
    }
  }
  for (let round = 0; round < rounds; round++) {
    await Promise.all(Array.from({ length: 10 }, (_, at) => one(round * 10 + at)))
  }
  expect(wrong).toEqual([])
}, 1_200_000)
