// Creates a session as a clinic's system, then answers it as its patient would, and sends it. Node 20 or newer.
//
//   FYR_KEY=fyr_… node session.mjs
import { FyrClient, FyrTriage } from 'fyr-client'

const { FYR_URL = 'http://localhost:8080', FYR_KEY = '' } = process.env

// The clinic's system: it keeps the key, and gives `url` to the patient.
const fyr = new FyrClient({ baseUrl: FYR_URL, apiKey: FYR_KEY })
const { sessionId, url } = await fyr.createSession({
  patient: { age: 34, sex: 'Female' },
  text: 'I need a copy of my vaccinations',
  extendedData: { booking: 17 },
})
console.log(`created: ${sessionId}`)

// The patient, or a triage app of your own: it needs only the url.
const user = await new FyrTriage({ baseUrl: FYR_URL }).enterInvited(url)
const letter = new Blob(['%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'])
const file = await user.uploadFile(letter, { name: 'letter.pdf' })
console.log(`uploaded: ${file.id} ${file.mimeType}`)

while (user.session.step.kind === 'ask') {
  if (user.session.alarm) throw new Error(user.session.alarm.title) // a real app shows it at once, above everything else
  await user.answerScreen(answersTo(user.session.step.questions))
}
await user.finishSession()
console.log(`finished: ${user.session.step.outcome.title}`)

/** What this patient says: an administrative matter, and no to everything else. Your app asks a person. */
function answersTo(questions) {
  const said = { for_whom: 'self', issue_type: 'admin' }
  const isCalledFor = ({ followUp }) => !followUp || followUp.options?.includes(said[followUp.of]) // by the answer it follows
  return questions
    .filter((question) => !question.proposal && isCalledFor(question))
    .map(({ id, kind, given, options = [] }) => ({ question: id, value: said[id] ?? given ?? plain(kind, options) }))
}

function plain(kind, options) {
  if (kind === 'sign' || kind === 'yesno') return false
  if (kind === 'many') return ['none']
  if (kind === 'one' && options.some(({ id }) => id === 'no')) return 'no'
  return null // don't know
}
