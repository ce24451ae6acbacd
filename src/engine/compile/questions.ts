import {
  DRAWINGS,
  type Duration,
  type Expression,
  type FollowUp,
  type Option,
  QUESTION_KINDS,
  type Question,
  type QuestionKind,
  SECTIONS,
  type SourceLine,
} from '../content.ts'
import { KINDS } from '../kinds.ts'
import { parseDuration } from '../values.ts'
import type { CompileCondition, Scope } from './conditions.ts'
import type { Located } from './document.ts'
import { BOUND_KEYS, WRITTEN } from './kinds.ts'
import type { Reading } from './reading.ts'

const OWN_KEYS = [
  'id',
  'kind',
  'applies',
  'ask',
  'section',
  'redFlag',
  'dontKnow',
  'options',
  'usual',
  'screen',
  'followUp',
  'sameAs',
  'own',
  'whereRead',
  'whenTold',
  'hears',
  ...BOUND_KEYS,
]
const OPTION_KEYS = ['id', 'redFlag', 'negative', 'applies', 'always', 'upTo', 'unlessTold']
/** The kinds that authors may use; the question for complaints belongs to the intake. */
const AUTHORS_KINDS = QUESTION_KINDS.filter((kind) => kind !== 'sign' && KINDS[kind].texts !== 'complaint')
const SIGN_KEYS = ['id', 'theme', 'time', 'applies', 'section', 'redFlag', 'implies', 'parts', 'drawing']
const TIMES = ['now', 'episode', 'background'] as const

/** A question as written, before its conditions are compiled: those may refer to questions further down. */
export interface DraftQuestion {
  readonly question: Question
  readonly node: Located
  readonly place: SourceLine
  readonly applies?: Located
  readonly optionApplies: ReadonlyMap<string, Located>
  /** The options that are offered only where something reads them. */
  readonly whereRead?: ReadonlySet<string>
}

export function draftQuestion(
  node: Located,
  what: string,
  reading: Reading,
  prefix: string,
): DraftQuestion | undefined {
  const entries = reading.map(node, what, OWN_KEYS)
  const id = reading.id(entries.get('id'), `${what}: id`, 'snake')
  if (id === undefined) {
    if (node.kind === 'map' && !entries.has('id'))
      reading.problem(node.place, `${what} needs an "id" of its own, or "use" with a shared question.`)
    return undefined
  }
  const place = entries.get('id')?.place ?? node.place
  if (prefix && !id.startsWith(`${prefix}_`)) {
    reading.problem(place, `Question "${id}" must begin with the complaint's prefix: "${prefix}_${id}".`)
  }
  const kind = reading.choice(entries.get('kind'), `Question ${id}: kind`, QUESTION_KINDS)
  if (kind === undefined) {
    if (!entries.has('kind')) reading.problem(place, `Question "${id}" needs a "kind": ${AUTHORS_KINDS.join(', ')}.`)
    return undefined
  }
  const optionApplies = new Map<string, Located>()
  const { chooses } = KINDS[kind]
  const always = new Set<string>()
  const options = chooses
    ? draftOptions(id, chooses, entries.get('options'), place, reading, optionApplies, always)
    : undefined
  if (!options && entries.has('options'))
    reading.problem(place, `Question "${id}" is of kind ${kind} and takes no options.`)
  const applies = entries.get('applies')
  const followUp = followUpOf(id, entries.get('followUp'), reading)
  const screen = reading.id(entries.get('screen'), `Question ${id}: screen`, 'kebab')
  const sameAs = reading.id(entries.get('sameAs'), `Question ${id}: sameAs`, 'snake')
  const own = reading.flag(entries.get('own'), `Question ${id}: own`)
  if (own && !sameAs) reading.problem(place, `Question "${id}": "own" says something only beside "sameAs".`)
  if (followUp && (applies || screen))
    reading.problem(
      place,
      `Question "${id}": a followUp says itself when and where it is asked; leave out "applies" and "screen".`,
    )
  const question: Question = {
    id,
    kind,
    ...(options && { options }),
    ...usualOf(id, entries.get('usual'), options, reading),
    ...boundsOf(id, kind, entries, place, reading),
    ...(screen && { screen }),
    ...(followUp && { followUp }),
    ...(sameAs && { sameAs }),
    ...(own && { own: true as const }),
    ...whenToldOf(id, entries.get('whenTold'), reading),
    ...(reading.flag(entries.get('hears'), `Question ${id}: hears`) && { hears: true as const }),
    section: reading.choice(entries.get('section'), `Question ${id}: section`, SECTIONS) ?? 'findings',
    ...(reading.flag(entries.get('redFlag'), `Question ${id}: redFlag`) && { redFlag: true as const }),
    dontKnow: entries.has('dontKnow') ? reading.flag(entries.get('dontKnow'), `Question ${id}: dontKnow`) : true,
  }
  if (question.redFlag && WRITTEN[kind].type !== 'bool') {
    reading.problem(place, `Question "${id}": redFlag belongs on a yesno question or on single options.`)
  }
  if (question.hears && kind !== 'text') reading.problem(place, `Question "${id}": "hears" belongs on a text.`)
  const isWhereRead = reading.flag(entries.get('whereRead'), `Question ${id}: whereRead`)
  if (isWhereRead && chooses !== 'some')
    reading.problem(place, `Question "${id}": "whereRead" belongs on a question of kind many.`)
  const whereRead =
    isWhereRead && new Set(options?.flatMap(({ id, exclusive }) => (exclusive || always.has(id) ? [] : id)))
  return { question, node, place, optionApplies, ...(applies && { applies }), ...(whereRead && { whereRead }) }
}

/** What is meant where a single choice is left out: one of its options, offered to everyone. */
function usualOf(
  id: string,
  node: Located | undefined,
  options: readonly Option[] | undefined,
  reading: Reading,
): Pick<Question, 'usual'> {
  const usual = reading.choice(
    node,
    `Question ${id}: usual`,
    (options ?? []).map((option) => option.id),
  )
  return usual === undefined ? {} : { usual }
}

/** Of whom it is asked: whose own words tell of a complaint, or only whose words tell of danger. */
function whenToldOf(id: string, node: Located | undefined, reading: Reading): Pick<Question, 'whenTold'> {
  const what = `Question ${id}: whenTold`
  if (node?.kind !== 'scalar' || node.value !== 'danger') return reading.flag(node, what) ? { whenTold: true } : {}
  return { whenTold: 'danger' }
}

/** A sign as written: true of a person or not, whichever complaint asks. */
export function draftSign(node: Located, themes: readonly string[], reading: Reading): DraftQuestion | undefined {
  const entries = reading.map(node, 'A sign', SIGN_KEYS)
  const id = reading.id(entries.get('id'), 'A sign: id', 'snake')
  const place = entries.get('id')?.place ?? node.place
  if (id === undefined) {
    reading.problem(place, 'This sign needs an "id".')
    return undefined
  }
  const theme = reading.choice(entries.get('theme'), `Sign ${id}: theme`, themes)
  if (!entries.has('theme')) reading.problem(place, `Sign "${id}" needs a "theme": ${themes.join(', ')}.`)
  const time = reading.choice(entries.get('time'), `Sign ${id}: time`, TIMES) ?? 'now'
  const applies = entries.get('applies')
  const related = (key: 'implies' | 'parts') => {
    const others = reading
      .list(entries.get(key), `Sign ${id}: ${key}`)
      .flatMap((item) => reading.id(item, `Sign ${id}: ${key}`, 'snake') ?? [])
    return others.length > 0 ? { [key]: others } : {}
  }
  const drawing = reading.choice(entries.get('drawing'), `Sign ${id}: drawing`, DRAWINGS)
  const question: Question = {
    id,
    kind: 'sign',
    ...(theme !== undefined && { theme }),
    ...(drawing && { drawing }),
    ...related('implies'),
    ...related('parts'),
    section:
      reading.choice(entries.get('section'), `Sign ${id}: section`, SECTIONS) ??
      (time === 'background' ? 'history' : 'findings'),
    ...(reading.flag(entries.get('redFlag'), `Sign ${id}: redFlag`) && { redFlag: true as const }),
    dontKnow: true,
  }
  return { question, node, place, optionApplies: new Map(), ...(applies && { applies }) }
}

/** `followUp: medicines`, or `followUp: {of: allergies, options: [food]}`. */
function followUpOf(id: string, node: Located | undefined, reading: Reading): FollowUp | undefined {
  if (node === undefined) return undefined
  const what = `Question ${id}: followUp`
  if (node.kind !== 'map') {
    const of = reading.id(node, what, 'snake')
    return of === undefined ? undefined : { of }
  }
  const entries = reading.map(node, what, ['of', 'options'])
  const of = reading.id(entries.get('of'), `${what}: of`, 'snake')
  const options = reading
    .list(entries.get('options'), `${what}: options`)
    .flatMap((option) => reading.id(option, `${what}: option`, 'kebab') ?? [])
  return of === undefined ? undefined : { of, ...(options.length > 0 && { options }) }
}

function draftOptions(
  id: string,
  chooses: 'one' | 'some',
  node: Located | undefined,
  place: SourceLine,
  reading: Reading,
  optionApplies: Map<string, Located>,
  always: Set<string>,
): Option[] {
  const options: Option[] = []
  for (const item of reading.list(node, `Question ${id}: options`)) {
    const short = item.kind === 'scalar'
    const entries = short
      ? new Map<string, Located>([['id', item]])
      : reading.map(item, `Question ${id}: option`, OPTION_KEYS)
    const option = reading.id(entries.get('id'), `Question ${id}: option`, 'kebab')
    const at = entries.get('id')?.place ?? item.place
    if (option === undefined) {
      if (!entries.has('id')) reading.problem(item.place, `Question "${id}": this option needs an "id".`)
      continue
    }
    if (options.some((one) => one.id === option))
      reading.problem(at, `Question "${id}" has the option "${option}" twice: remove one.`)
    if (chooses === 'some' && option === 'none') {
      reading.problem(at, `Question "${id}": leave "none" out, every question of kind many has it by itself.`)
      continue
    }
    const applies = entries.get('applies')
    if (applies) optionApplies.set(option, applies)
    // Offered whoever reads it.
    if (reading.flag(entries.get('always'), 'always')) always.add(option)
    const upTo = upToOf(id, chooses, entries.get('upTo'), reading)
    const unlessTold = reading.id(entries.get('unlessTold'), `Question ${id}: unlessTold`, 'snake')
    options.push({
      id: option,
      ...(reading.flag(entries.get('redFlag'), 'redFlag') && { redFlag: true as const }),
      ...(reading.flag(entries.get('negative'), 'negative') && { negative: true as const }),
      ...(upTo && { upTo }),
      ...(unlessTold && { unlessTold }),
    })
  }
  if (options.length < (chooses === 'some' ? 1 : 2))
    reading.problem(place, `Question "${id}" needs options: a list of ids.`)
  if (chooses === 'some') options.push({ id: 'none', exclusive: true, negative: true })
  return options
}

/** The longest time ago that an option stands for: "2 hours". */
function upToOf(
  id: string,
  chooses: 'one' | 'some',
  node: Located | undefined,
  reading: Reading,
): Duration | undefined {
  const text = node && reading.text(node, `Question ${id}: upTo`)
  const upTo = text === undefined ? undefined : parseDuration(text)
  if (node && (!upTo || chooses !== 'one'))
    reading.problem(node.place, `Question "${id}": upTo is an amount and a unit on an option of kind one: "2 hours".`)
  return upTo
}

function boundsOf(
  id: string,
  kind: QuestionKind,
  entries: ReadonlyMap<string, Located>,
  place: SourceLine,
  reading: Reading,
): Partial<Question> {
  const { keys, bounds } = WRITTEN[kind]
  for (const key of BOUND_KEYS) {
    const node = keys.includes(key) ? undefined : entries.get(key)
    if (node) reading.problem(node.place, `Question "${id}" is of kind ${kind} and takes no "${key}".`)
  }
  return bounds({ id, entries, place, reading })
}

/** The finished question, its conditions compiled now that every question is known. */
export function finishQuestion(
  draft: DraftQuestion,
  condition: CompileCondition,
  scope: Scope,
  drafts: ReadonlyMap<string, DraftQuestion>,
  reading: Reading,
): Question {
  const { question } = draft
  if (question.sameAs !== undefined && drafts.get(question.sameAs)?.question.kind !== question.kind)
    reading.problem(
      draft.place,
      `Question "${question.id}": sameAs: there is no question "${question.sameAs}" of kind ${question.kind}.`,
    )
  const applies = question.followUp
    ? calledFor(draft, question.followUp, scope, drafts, reading)
    : condition(draft.applies, `Question ${question.id}: applies`, scope)
  const options = question.options?.map((option) => {
    const optionApplies = condition(
      draft.optionApplies.get(option.id),
      `Question ${question.id}, option ${option.id}: applies`,
      scope,
    )
    return optionApplies ? { ...option, applies: optionApplies } : option
  })
  return { ...question, ...(applies && { applies }), ...(options && { options }) }
}

/** When a follow-up is asked: the question it belongs to has a known answer that calls for it. */
function calledFor(
  { question, place }: DraftQuestion,
  { of, options }: FollowUp,
  scope: Scope,
  drafts: ReadonlyMap<string, DraftQuestion>,
  reading: Reading,
): Expression | undefined {
  const parent = drafts.get(of)?.question
  const unknown = options?.find((option) => !parent?.options?.some(({ id }) => id === option))
  const fault = !parent
    ? `there is no question "${of}"`
    : (scope.refuses(of) ??
      (parent.kind !== 'many' && !(parent.kind === 'one' && options)
        ? `"${of}" must be of kind many, or of kind one with the options that call for it`
        : unknown && `"${of}" has no option "${unknown}"`))
  if (fault) {
    reading.problem(place, `Question "${question.id}": followUp: ${fault}.`)
    return undefined
  }
  const chosen = (option: string): Expression => (parent?.kind === 'many' ? ['has', of, option] : ['eq', of, option])
  return ['and', ['known', of], options ? ['or', ...options.map(chosen)] : ['any', of]]
}
