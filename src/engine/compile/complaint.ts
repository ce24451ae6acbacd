import {
  COMPLAINT_KINDS,
  type Complaint,
  LEVELS,
  type Level,
  type Modifier,
  type Rule,
  type SourceLine,
} from '../content.ts'
import { FAMILIES, type Family } from '../families.ts'
import { WAY_TO } from '../intake.ts'
import { adviceOf, coverageOf, differentialOf, namesIn, sourcesOf } from './complaint-parts.ts'
import type { CompileCondition, Scope } from './conditions.ts'
import type { Located } from './document.ts'
import type { DraftQuestion } from './questions.ts'
import { draftQuestion } from './questions.ts'
import type { Reading } from './reading.ts'

const KEYS = [
  'id',
  'kind',
  'prefix',
  'applies',
  'otherwise',
  'family',
  'acute',
  'body',
  'covers',
  'questions',
  'findings',
  'rules',
  'reassuring',
  'modifiers',
  'differential',
  'advice',
  'safetyNet',
  'sources',
  'coverage',
]
const RULE_KEYS = ['id', 'level', 'first', 'when', 'ifUnsure', 'sources']
/** More than three things cannot be kept in mind. */
const MOST_FIRST_ACTIONS = 3
const BODY_PARTS = [
  'head',
  'eyes',
  'ears',
  'nose',
  'mouth',
  'throat',
  'neck',
  'chest',
  'back',
  'abdomen',
  'groin',
  'genitals',
  'arm',
  'hand',
  'leg',
  'foot',
  'skin',
  'whole-body',
  'mind',
] as const
const rank = (level: Level) => LEVELS.indexOf(level)

/** Signs or shared questions that a complaint asks, and for whom; `now` marks the core of the emergency check. */
export interface SignList {
  readonly signs: readonly string[]
  readonly when: Located | undefined
  readonly now: boolean
  /** Of whom these stand before all others in the last look. */
  readonly foremost: Located | undefined
}

/** Signs that the last look asks of some only: of the emergency check in which families of complaints, of a complaint that calls for them for whom. */
export interface Called {
  readonly signs: readonly string[]
  readonly families: readonly Family[]
  readonly when: Located | undefined
}

type ListedQuestion = Omit<Complaint['questions'][number], 'when'>

/** A complaint.yaml whose questions are known but whose conditions are not compiled yet. */
export interface DraftComplaint {
  readonly id: string
  readonly kind: Complaint['kind']
  readonly prefix: string
  readonly place: SourceLine
  readonly entries: ReadonlyMap<string, Located>
  readonly listed: readonly ListedQuestion[]
  readonly own: readonly DraftQuestion[]
  readonly signs: readonly SignList[]
  readonly called: readonly Called[]
}

export function draftComplaint(
  folder: string,
  node: Located,
  shared: ReadonlySet<string>,
  signs: ReadonlySet<string>,
  reading: Reading,
): DraftComplaint {
  const entries = reading.map(node, 'complaint.yaml', KEYS)
  const place: SourceLine = [node.place[0], 1]
  const id = reading.id(entries.get('id'), 'id', 'kebab') ?? folder
  if (id !== folder)
    reading.problem(entries.get('id')?.place ?? place, `id "${id}" must be the name of the folder: ${folder}.`)
  const prefix = reading.id(entries.get('prefix'), 'prefix', 'snake')
  if (prefix === undefined) reading.problem(place, 'Add "prefix": a short word that begins every own question id.')
  const kind = reading.choice(entries.get('kind'), 'kind', COMPLAINT_KINDS) ?? 'complaint'
  const listed: ListedQuestion[] = []
  const own: DraftQuestion[] = []
  const lists: SignList[] = []
  const called: Called[] = []
  const namedSigns = (list: Located | undefined) =>
    reading.list(list, 'signs').flatMap((item) => {
      const sign = reading.id(item, 'signs', 'snake')
      if (sign !== undefined && !signs.has(sign))
        reading.problem(
          item.place,
          `There is no sign "${sign}": correct the name, or add it to content/signs/signs.yaml.`,
        )
      return sign === undefined || !signs.has(sign) ? [] : [{ sign, place: item.place }]
    })
  for (const item of reading.list(entries.get('questions'), 'questions')) {
    if (item.kind === 'map' && item.entries.has('signs')) {
      const keys = reading.map(item, 'A list of signs', ['signs', 'when', 'ask', 'now', 'lastLook', 'foremost'])
      const ask = reading.choice(keys.get('ask'), 'ask', ['needed', 'always'] as const) ?? 'needed'
      const named = namedSigns(keys.get('signs'))
      if (keys.has('lastLook')) {
        const isCheck = kind === 'emergency'
        const families = isCheck
          ? reading
              .list(keys.get('lastLook'), 'lastLook')
              .flatMap((one) => reading.choice(one, 'lastLook', FAMILIES) ?? [])
          : []
        if (!isCheck && !reading.flag(keys.get('lastLook'), 'lastLook'))
          reading.problem(item.place, 'lastLook is true in a complaint that calls for these signs, else leave it out.')
        called.push({ signs: named.map(({ sign }) => sign), families, when: keys.get('when') })
        if (!isCheck) continue
      }
      const now = reading.flag(keys.get('now'), 'now')
      if (now && kind !== 'emergency')
        reading.problem(item.place, 'Only the emergency check has signs that are asked of everyone: leave "now" out.')
      if (keys.has('foremost') && kind !== 'emergency')
        reading.problem(item.place, 'Only the emergency check has signs that lead the last look: leave "foremost" out.')
      const foremost = keys.get('foremost')
      lists.push({ signs: named.map(({ sign }) => sign), when: keys.get('when'), now, foremost })
      for (const { sign, place: at } of named) {
        const before = listed.find((one) => one.id === sign)
        if (!before) listed.push({ id: sign, ask, place: at })
        else if (before.ask !== ask)
          reading.problem(at, `Sign "${sign}" is listed again with another "ask": give it the same in all its lists.`)
      }
      continue
    }
    const isUse = item.kind === 'map' && item.entries.has('use')
    const keys = isUse
      ? reading.map(item, 'A shared question', ['use', 'ask', 'when', 'wants'])
      : reading.map(item, 'A question')
    const ask = reading.choice(keys.get('ask'), 'ask', ['needed', 'always'] as const) ?? 'needed'
    const draft = isUse ? undefined : draftQuestion(item, 'A question', reading, prefix ?? '')
    const questionId = isUse ? reading.text(keys.get('use'), 'use') : draft?.question.id
    if (questionId === undefined) continue
    const at = keys.get(isUse ? 'use' : 'id')?.place ?? item.place
    if (isUse && !shared.has(questionId))
      reading.problem(
        at,
        `There is no shared question "${questionId}". The list is in docs/content.md and content/shared/questions.yaml.`,
      )
    if (listed.some((one) => one.id === questionId))
      reading.problem(at, `Question "${questionId}" is listed twice: remove one.`)
    else {
      const wants = reading
        .list(keys.get('wants'), 'wants')
        .flatMap((option) => reading.id(option, 'wants', 'kebab') ?? [])
      listed.push({ id: questionId, ask, ...(wants.length > 0 && { wants }), place: at })
    }
    if (isUse && keys.has('when'))
      lists.push({ signs: [questionId], when: keys.get('when'), now: false, foremost: undefined })
    if (draft) own.push(draft)
  }
  return { id, kind, prefix: prefix ?? folder, place, entries, listed, own, signs: lists, called }
}

/** The complaint with every condition compiled, apart from `questions`, which `release` completes. */
export function finishComplaint(
  draft: DraftComplaint,
  condition: CompileCondition,
  scope: Scope,
  intake: Scope,
  reading: Reading,
): Omit<Complaint, 'questions'> {
  const { entries } = draft
  const otherwise = otherwiseOf(draft, WAY_TO[draft.kind].isMedical, reading)
  const sources = sourcesOf(entries.get('sources'), reading)
  const applies = condition(entries.get('applies'), 'applies', intake)
  const readRules = (key: 'rules' | 'reassuring') =>
    rulesOf(entries.get(key), key, otherwise !== null, condition, scope, sources, reading)
  const rules = readRules('rules')
  const reassuring = readRules('reassuring')
  checkLevels(draft, otherwise, rules, reassuring, reading)
  const modifiers = modifiersOf(entries.get('modifiers'), rules, condition, scope, sources, reading)
  const covers = reading.list(entries.get('covers'), 'covers').flatMap((id) => reading.id(id, 'covers', 'snake') ?? [])
  const family = reading.choice(entries.get('family'), 'family', FAMILIES)
  const ruleIds = new Set([...rules, ...reassuring].map((rule) => rule.id))
  return {
    id: draft.id,
    kind: draft.kind,
    ...(applies && { applies }),
    otherwise,
    ...(family && { family }),
    ...(reading.flag(entries.get('acute'), 'acute') && { acute: true as const }),
    body: reading
      .list(entries.get('body'), 'body')
      .map((part) => reading.choice(part, 'body', BODY_PARTS))
      .filter((part) => part !== undefined),
    ...(covers.length > 0 && { covers }),
    rules,
    reassuring,
    ...(modifiers.length > 0 && { modifiers }),
    differential: differentialOf(entries.get('differential'), condition, scope, reading),
    advice: adviceOf(entries.get('advice'), 'advice', condition, scope, reading),
    safetyNet: adviceOf(entries.get('safetyNet'), 'safetyNet', condition, scope, reading),
    sources: Object.fromEntries(sources),
    coverage: coverageOf(entries.get('coverage'), sources, ruleIds, reading),
    place: draft.place,
  }
}

function otherwiseOf(draft: DraftComplaint, medical: boolean, reading: Reading): Level | null {
  const node = draft.entries.get('otherwise')
  if (!medical) {
    if (node && !(node.kind === 'scalar' && node.value === 'none'))
      reading.problem(
        node.place,
        `A complaint of kind ${draft.kind} has no "otherwise": without a red flag no urgency is set. Remove it.`,
      )
    return null
  }
  if (!node) reading.problem(draft.place, 'Add "otherwise": the level when no rule is true (Level5, Level6 or Level7).')
  return reading.choice(node, 'otherwise', ['Level5', 'Level6', 'Level7'] as const) ?? 'Level5'
}

function rulesOf(
  node: Located | undefined,
  key: 'rules' | 'reassuring',
  judges: boolean,
  condition: CompileCondition,
  scope: Scope,
  sources: ReadonlyMap<string, unknown>,
  reading: Reading,
): Rule[] {
  const rules: Rule[] = []
  for (const item of reading.list(node, key)) {
    const entries = reading.map(item, 'A rule', RULE_KEYS)
    const id = reading.id(entries.get('id'), 'rule id', 'kebab')
    const place = entries.get('id')?.place ?? item.place
    if (id === undefined) {
      reading.problem(place, 'This rule needs an "id".')
      continue
    }
    if (rules.some((rule) => rule.id === id) || id === 'otherwise')
      reading.problem(place, `Rule "${id}" exists already: give this one another id.`)
    const level = reading.choice(entries.get('level'), `Rule ${id}: level`, LEVELS)
    if (!entries.has('level')) reading.problem(place, `Rule "${id}" needs a "level".`)
    if (!entries.has('when')) reading.problem(place, `Rule "${id}" needs "when": the condition under which it holds.`)
    const when = condition(entries.get('when'), `Rule ${id}: when`, scope)
    const said = reading.choice(entries.get('ifUnsure'), `Rule ${id}: ifUnsure`, [
      'ignore',
      'apply',
      ...LEVELS,
    ] as const)
    // Not knowing of a danger is worth a look today. The emergency check and practical matters say so in rules of their own.
    const ifUnsure = said ?? (judges && key === 'rules' && level && rank(level) <= 2 ? 'Level4' : 'ignore')
    if (said !== undefined && isLevel(said) && level && rank(said) <= rank(level))
      reading.problem(place, `Rule "${id}": ifUnsure must be less urgent than ${level}, or "apply" for the same.`)
    if (key === 'reassuring' && ifUnsure !== 'ignore')
      reading.problem(place, `Rule "${id}" is reassuring: it holds only when everything is known. Remove ifUnsure.`)
    const named = namesIn(entries.get('sources'), `Rule ${id}: sources`, sources, 'source', reading)
    if (level && rank(level) <= 3 && named.length === 0)
      reading.problem(place, `Rule "${id}" is of ${level} and needs a source: add "sources: […]".`)
    const first = reading
      .list(entries.get('first'), `Rule ${id}: first`)
      .flatMap((one) => reading.id(one, `Rule ${id}: first`, 'kebab') ?? [])
    // A modifier may raise a rule of Level4, and then its card tells to go within the hour.
    if (first.length > MOST_FIRST_ACTIONS || (first.length > 0 && level && rank(level) > 3))
      reading.problem(place, `Rule "${id}": only rules of Level1–4 say what to do first, and at most three things.`)
    const actions = first.length > 0 && { first }
    if (level) rules.push({ id, level, when: when ?? ['const', false], ifUnsure, ...actions, sources: named, place })
  }
  return rules
}

const isLevel = (word: string): word is Level => LEVELS.some((level) => level === word)

const MODIFIER_KEYS = ['id', 'when', 'levels', 'except', 'sources']
/** Nobody is in more danger than their signs say: a modifier raises to Level2 at most. */
const RAISED = ['Level3', 'Level4', 'Level5', 'Level6', 'Level7'] as const

function modifiersOf(
  node: Located | undefined,
  rules: readonly Rule[],
  condition: CompileCondition,
  scope: Scope,
  sources: ReadonlyMap<string, unknown>,
  reading: Reading,
): Modifier[] {
  const known = new Set(rules.map(({ id }) => id))
  return reading.list(node, 'modifiers').flatMap((item) => {
    const entries = reading.map(item, 'A modifier', MODIFIER_KEYS)
    const place = entries.get('id')?.place ?? item.place
    const id = reading.id(entries.get('id'), 'modifier id', 'kebab')
    const when = condition(entries.get('when'), `Modifier ${id}: when`, scope)
    if (id === undefined || !entries.has('when'))
      reading.problem(place, 'A modifier needs "id" and "when": what makes rules one level more urgent.')
    if (id === undefined || when === undefined) return []
    const except = namesIn(entries.get('except'), `Modifier ${id}: except`, known, 'rule', reading)
    const named = reading.list(entries.get('levels'), `Modifier ${id}: levels`)
    const levels: readonly string[] = named.length
      ? named.map((level) => reading.choice(level, `Modifier ${id}: levels`, RAISED) ?? '')
      : RAISED
    const raised = rules.filter((rule) => levels.includes(rule.level) && !except.includes(rule.id))
    if (raised.length === 0) reading.problem(place, `Modifier "${id}" raises no rule: remove it, or change its levels.`)
    const read = namesIn(entries.get('sources'), `Modifier ${id}: sources`, sources, 'source', reading)
    if (read.length === 0) reading.problem(place, `Modifier "${id}" needs a source: add "sources: […]".`)
    return [{ id, when, rules: raised.map((rule) => rule.id), sources: read, place }]
  })
}

function checkLevels(
  draft: DraftComplaint,
  otherwise: Level | null,
  rules: readonly Rule[],
  reassuring: readonly Rule[],
  reading: Reading,
): void {
  for (const rule of rules) {
    if (otherwise && rank(rule.level) > rank(otherwise))
      reading.problem(
        rule.place,
        `Rule "${rule.id}" (${rule.level}) is less urgent than otherwise (${otherwise}): move it to "reassuring" or change one of the levels.`,
      )
    // Not knowing of a danger is worth a look today; that is the least the emergency check says. A practical matter may hide a trouble that needs care.
    const mildest: Level = draft.kind === 'emergency' ? 'Level4' : 'Level6'
    if (!otherwise && rank(rule.level) > rank(mildest))
      reading.problem(
        rule.place,
        `Rule "${rule.id}": a complaint of kind ${draft.kind} has rules of Level1–${mildest} only.`,
      )
    if (reassuring.some((one) => one.id === rule.id))
      reading.problem(rule.place, `Rule "${rule.id}" stands under rules and under reassuring: give one another id.`)
  }
  for (const rule of reassuring) {
    if (!otherwise || rank(rule.level) <= rank(otherwise))
      reading.problem(
        rule.place,
        `Reassuring rule "${rule.id}" (${rule.level}) must be less urgent than otherwise (${otherwise ?? 'none'}).`,
      )
  }
}
