import Type from 'typebox'
import {
  DRAWINGS,
  DURATION_UNITS,
  LANGUAGES,
  LEVELS,
  QUESTION_KINDS,
  STAGES,
  type Value,
} from '../../engine/content.ts'
import { FAMILIES } from '../../engine/families.ts'
import { FLAGS } from '../../engine/flags.ts'
import { KINDS } from '../../engine/kinds.ts'
import { ClosedReason, Language, named, nullable, nullableRef, refTo, SessionStatus, wholeNumber } from '../schemas.ts'

/** The schemas of the triage API: what our own app and an integrator's app see of a session while it is answered. */

const duration = Type.Object({
  amount: Type.Number({ format: 'double' }),
  unit: Type.Enum([...DURATION_UNITS]),
})

export const AnswerValue = named(
  'AnswerValue',
  Type.Unsafe<Value>({
    anyOf: [
      { type: 'boolean' },
      { type: 'number', format: 'double' },
      { type: 'string', maxLength: 4_000 },
      { type: 'array', items: { type: 'string', maxLength: 100 }, maxItems: 60 },
      duration,
      { type: 'null' },
    ],
    description: `By kind: ${answersByKind()}. null is “don’t know”.`,
  }),
)

function answersByKind(): string {
  const alike = Map.groupBy(QUESTION_KINDS, (kind) => KINDS[kind].answer)
  return [...alike].map(([answer, kinds]) => `${kinds.join(' and ')} ${answer}`).join('; ')
}

const option = Type.Object({
  id: Type.String(),
  label: Type.String(),
  exclusive: Type.Optional(Type.Boolean()),
  proposed: Type.Optional(Type.Boolean()),
  likely: Type.Optional(Type.Boolean({ description: 'Proposed, and far likelier than the others' })),
  family: Type.Optional(Type.Enum([...FAMILIES], { description: 'Of a complaint: where a menu shows it' })),
  body: Type.Optional(Type.Array(Type.String())),
})

export const QuestionView = named(
  'QuestionView',
  Type.Object({
    id: Type.String(),
    kind: Type.Enum([...QUESTION_KINDS]),
    text: Type.String(),
    help: Type.Optional(Type.String()),
    drawing: Type.Optional(Type.Enum([...DRAWINGS], { description: 'A drawing that shows what a sign looks like' })),
    why: Type.Optional(Type.String({ description: 'Why this is asked' })),
    options: Type.Optional(Type.Array(option)),
    unit: Type.Optional(Type.String()),
    min: Type.Optional(Type.Number({ format: 'double' })),
    max: Type.Optional(Type.Number({ format: 'double' })),
    step: Type.Optional(Type.Number({ format: 'double' })),
    units: Type.Optional(Type.Array(Type.Object({ id: Type.Enum([...DURATION_UNITS]), label: Type.String() }))),
    maxLength: Type.Optional(wholeNumber()),
    given: Type.Optional(refTo(AnswerValue)),
    followUp: Type.Optional(
      Type.Object(
        {
          of: Type.String({ description: 'The question it follows up on' }),
          options: Type.Optional(Type.Array(Type.String())),
        },
        {
          description:
            'Answered only when the question it belongs to, if that is on the same screen, is answered with one of these options; without a list, with any but none.',
        },
      ),
    ),
    proposal: Type.Optional(
      Type.Object(
        {
          from: Type.Enum(['own-words', 'integrator'], {
            description: 'Heard in the own words, or told when the session was created',
          }),
          answer: Type.String({ description: 'What is proposed (`given`), in words' }),
          words: Type.Optional(Type.String({ description: 'The own words that told it' })),
        },
        {
          description:
            'Proposed, not asked: answer it to confirm or correct it. Left out of the request it is no answer, and is asked where it is needed.',
        },
      ),
    ),
    usual: Type.Optional(
      Type.String({
        description:
          'The option that is meant where the question is left out of the request. Where the words beside it tell of another matter, it is then asked by itself.',
      }),
    ),
    dontKnow: Type.Boolean({ description: 'Whether “don’t know” (null) is an answer' }),
  }),
)

export const AnsweredScreen = named(
  'AnsweredScreen',
  Type.Object({
    title: nullable(Type.String({ description: 'Heading of a list of signs' })),
    questions: Type.Array(refTo(QuestionView), { minItems: 1 }),
  }),
)

const because = Type.Array(Type.String(), {
  description: 'The answers that led here, as they were given; nothing that was not said',
})
const reasons = Type.Array(Type.String({ description: 'What it can mean' }))
const firstActions = Type.Array(Type.String(), { description: 'What to do first, at Level1 to Level3' })

export const OutcomeView = named(
  'OutcomeView',
  Type.Object({
    level: nullable(Type.Enum([...LEVELS])),
    flag: nullable(Type.Enum([...FLAGS])),
    title: Type.String({ description: 'What to do and how soon' }),
    text: Type.String(),
    because,
    reasons,
    say: nullable(Type.String({ description: 'What to say on the phone, at Level1 to Level3' })),
    firstActions,
    next: Type.Array(Type.String(), { description: 'What happens next and who acts, as this clinic can keep it' }),
    advice: Type.Array(Type.String()),
    safetyNet: Type.Array(Type.String()),
    complete: Type.Boolean({ description: 'False when the user stopped at the emergency card' }),
    reviewNotice: nullable(Type.String({ description: 'Said while the content is not clinically reviewed' })),
  }),
)

const card = Type.Object({
  level: Type.Enum([...LEVELS]),
  title: Type.String(),
  text: Type.String(),
  because,
  reasons,
  say: nullable(Type.String()),
  firstActions,
  callNumber: nullable(Type.String()),
})

const gate = Type.Object({
  open: Type.Boolean(),
  active: Type.Boolean(),
  closedReason: nullableRef(ClosedReason),
  opensAt: nullable(Type.String({ format: 'date-time' })),
  timeZone: Type.String(),
})

export const PublicConfiguration = named(
  'PublicConfiguration',
  Type.Object({
    slug: Type.String(),
    name: Type.String(),
    type: Type.Enum(['OPEN', 'INVITED']),
    languages: Type.Array(refTo(Language)),
    defaultLanguage: refTo(Language),
    emergencyNumber: Type.String(),
    clinicPhone: nullable(Type.String()),
    adviceNumber: nullable(Type.String({ description: 'Medical advice by phone' })),
    helpLines: Type.Array(Type.String(), {
      description: 'Crisis and poison lines, which stand in texts alone, so that they can be called from there',
    }),
    theme: Type.Object({ accent: nullable(Type.String()), logoUrl: nullable(Type.String({ format: 'uri' })) }),
    closedMessage: nullable(
      Type.Object(
        {
          en: Type.Optional(Type.String()),
          fi: Type.Optional(Type.String()),
          no: Type.Optional(Type.String()),
          sv: Type.Optional(Type.String()),
        },
        { description: 'What the clinic says itself while it is closed, by language' },
      ),
    ),
    privacyUrl: nullable(Type.String({ format: 'uri', description: 'The clinic’s privacy notice' })),
    accessibilityUrl: nullable(Type.String({ format: 'uri', description: 'The clinic’s accessibility statement' })),
    reviewed: Type.Boolean({ description: 'Whether clinicians have signed the questions and advice' }),
    gate,
  }),
)

export const FileView = named(
  'FileView',
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    mimeType: nullable(Type.String({ description: 'Known when the file is whole' })),
    size: wholeNumber('Bytes'),
    received: wholeNumber('Bytes'),
    ready: Type.Boolean(),
  }),
)

export const ContactGiven = named(
  'ContactGiven',
  Type.Object({
    phone: Type.String(),
    when: nullable(Type.String({ description: 'When the patient can best be reached' })),
  }),
)

export const SessionView = named(
  'SessionView',
  Type.Object({
    sessionId: Type.String({ format: 'uuid' }),
    configuration: Type.String({ description: 'Its address part' }),
    status: refTo(SessionStatus),
    version: wholeNumber('Send it with the next answer'),
    language: refTo(Language),
    expiresTimestamp: Type.String({ format: 'date-time' }),
    expired: Type.Boolean({ description: 'Left for too long: it takes no more answers' }),
    forSomeoneElse: Type.Boolean(),
    returnUrl: nullable(Type.String({ format: 'uri' })),
    contact: nullable(
      Type.Object(
        { asked: Type.Enum(['optional', 'required']), given: nullable(refTo(ContactGiven)) },
        { description: 'On the last screen, where the clinic asks how it can reach the patient; else null' },
      ),
    ),
    reachable: Type.Boolean({ description: 'The clinic has a way to reach the patient' }),
    step: Type.Union([
      Type.Object({
        kind: Type.Enum(['ask']),
        stage: Type.Enum([...STAGES]),
        screen: nullable(
          Type.String({
            description:
              'Name of a screen whose questions belong together, such as `about`, `matter`, `heard` (danger that the own words tell of), `understood` (the complaint, with what was heard or told, to confirm) or `last-look`',
          }),
        ),
        title: nullable(Type.String({ description: 'Heading of a screen with several questions' })),
        note: nullable(Type.String({ description: 'Said below the heading' })),
        questions: Type.Array(refTo(QuestionView), {
          minItems: 1,
          description: 'The screen: all of them are answered in one request, but for what is only proposed',
        }),
        progress: Type.Object({ answered: wholeNumber(), left: wholeNumber() }),
      }),
      Type.Object({ kind: Type.Enum(['review']) }),
      Type.Object({ kind: Type.Enum(['outcome']), outcome: refTo(OutcomeView) }),
    ]),
    alarm: nullable(card),
    warning: nullable(card),
    ledger: Type.Array(
      Type.Object({
        question: Type.String(),
        kind: Type.Enum([...QUESTION_KINDS]),
        stage: Type.Enum([...STAGES]),
        text: Type.String({ description: 'The question as it was asked' }),
        label: Type.String({ description: 'The question in a word or two, as clinicians say it' }),
        answer: Type.String(),
        value: refTo(AnswerValue),
        signs: Type.Optional(
          Type.Array(
            Type.Object({
              question: Type.String(),
              text: Type.String(),
              value: nullable(Type.Boolean({ description: 'null is “not sure”' })),
            }),
            { description: 'Of a list of signs: each as it was shown, with what was said of it' },
          ),
        ),
      }),
    ),
    dropped: Type.Array(Type.String({ description: 'Earlier questions whose answers no longer apply' })),
    files: Type.Array(refTo(FileView)),
  }),
)

export const EnteredSession = named(
  'EnteredSession',
  Type.Object({
    secret: nullable(
      Type.String({
        description: 'The bearer credential, issued to headless clients on entering; it is not the secret of the link',
      }),
    ),
    session: refTo(SessionView),
  }),
)

export const Proposals = named(
  'Proposals',
  Type.Object({
    danger: Type.Boolean({ description: 'The words mean danger: go to the emergency check at once' }),
    complaints: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
  }),
)

export const EmergencyCheck = named(
  'EmergencyCheck',
  Type.Object({
    title: nullable(Type.String()),
    questions: Type.Array(refTo(QuestionView), { description: 'None when the check is done or there is an alarm' }),
    alarm: nullable(card),
  }),
)

export const TRIAGE_COMPONENTS = [
  AnswerValue,
  QuestionView,
  AnsweredScreen,
  OutcomeView,
  PublicConfiguration,
  FileView,
  ContactGiven,
  SessionView,
  EnteredSession,
  Proposals,
  EmergencyCheck,
]

export const languageParameter = Type.Enum([...LANGUAGES])
