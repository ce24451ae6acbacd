import {
  type CompiledRelease,
  type Complaint,
  type DangerKind,
  type Expression,
  FORMAT,
  LANGUAGES,
  type Language,
  LEVELS,
  type Question,
  type Words,
} from '../content.ts'
import { perLanguage } from '../languages.ts'
import { headerOf } from '../own-words/reader/model.ts'
import { type DraftComplaint, draftComplaint, finishComplaint } from './complaint.ts'
import { readFirstActions, readSaidOnce } from './complaint-parts.ts'
import { type CompileCondition, conditionCompiler, type Scope } from './conditions.ts'
import { readDangers, readSenses } from './dangers.ts'
import type { ContentFile, ContentProblem, Located, Problems } from './document.ts'
import { type Folder, type Folders, sortFiles } from './folders.ts'
import { readMedicines } from './medicines.ts'
import { offeredWhereRead, questionsIn } from './mentions.ts'
import { completeQuestions, findGateLoops, findLoops, findUnused } from './order.ts'
import { type DraftQuestion, draftQuestion, draftSign, finishQuestion } from './questions.ts'
import { createReading, type Reading } from './reading.ts'
import { compileFindings, gatherNames, type Names } from './scope.ts'
import { sharedTexts, textsOfComplaint, textsOfSigns } from './texts.ts'
import { readHeard, readList, readOptionWords, readWords, type WordsFile } from './words.ts'

/** A version appears in commands, addresses and lists. */
const VERSION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** Content that cannot be used: every problem with its file and line. */
export class ContentError extends Error {
  readonly problems: readonly ContentProblem[]
  constructor(problems: readonly ContentProblem[]) {
    super(problems.map((one) => `${one.file}:${one.line}: ${one.message}`).join('\n'))
    this.name = 'ContentError'
    this.problems = problems
  }
}

/** Type-checks and joins all files of a content folder into one release; throws a ContentError that names every problem. */
export function compileContent(files: readonly ContentFile[]): CompiledRelease {
  const { release, problems } = inspectContent(files)
  if (problems.length > 0 || !release) throw new ContentError(problems)
  return release
}

/** Compiles as far as possible: for checking one complaint while another is still being written. */
export function inspectContent(files: readonly ContentFile[]): {
  release: CompiledRelease | undefined
  problems: ContentProblem[]
} {
  const problems: Problems = []
  const release = build(files, createReading(problems))
  return { release, problems: inOrder(problems) }
}

/** By file and line, each problem once. */
export function inOrder(problems: readonly ContentProblem[]): ContentProblem[] {
  const unique = new Map(problems.map((one) => [`${one.file}:${one.line}:${one.message}`, one]))
  return [...unique.values()].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))
}

function build(files: readonly ContentFile[], reading: Reading): CompiledRelease | undefined {
  const folders = sortFiles(files, reading)
  if (!folders.release || !folders.shared?.root) {
    const missing = folders.release ? 'shared/questions.yaml' : 'release.yaml'
    reading.problem(
      [`content/${missing}`, 1],
      `${missing} is missing or cannot be read: every content folder needs one.`,
    )
    return undefined
  }
  const shared = reading.map(folders.shared.root, 'questions.yaml', [
    'screens',
    'firstActions',
    'saidOnce',
    'intake',
    'questions',
    'findings',
  ])
  const draftsOf = (key: string) =>
    reading.list(shared.get(key), key).flatMap((node) => draftQuestion(node, `A question of ${key}`, reading, '') ?? [])
  const intake = draftsOf('intake')
  const common = draftsOf('questions')
  const commonIds = new Set(common.map((draft) => draft.question.id))
  const signs = signsOf(folders.signs?.root, reading)
  const complaints: DraftComplaint[] = []
  for (const [name, { root, words }] of folders.complaints) {
    if (root)
      complaints.push(draftComplaint(name, root, commonIds, new Set(signs.map(({ question }) => question.id)), reading))
    else
      reading.problem(
        [words[0]?.file ?? `content/complaints/${name}`, 1],
        `The folder ${name} has no readable complaint.yaml: add one.`,
      )
  }
  const names = gatherNames(intake, common, signs, complaints, shared.get('findings'), reading)
  const condition = conditionCompiler(names.questions, names.written.keys(), reading)
  compileFindings(names, condition)

  const drafts = new Map(
    [...intake, ...common, ...complaints.flatMap((one) => one.own), ...signs].map((draft) => [
      draft.question.id,
      draft,
    ]),
  )
  const questions = new Map<string, Question>()
  for (const [id, draft] of drafts) {
    const complaint = complaints.find((one) => one.own.includes(draft))
    const scope = intake.includes(draft) ? names.intakeScope : names.scopeOf(complaint)
    questions.set(id, finishQuestion(draft, condition, scope, drafts, reading))
  }
  const dangers = readDangers(folders.ownWords?.root, new Set(signs.map(({ question }) => question.id)), reading)
  const screens = screensOf(shared.get('screens'), drafts.values(), reading)
  checkDenying([...drafts.values()], reading)
  if (findLoops(questions, drafts, names.findings, reading)) return undefined
  const finished = finishComplaints(complaints, questions, names, condition, reading)
  findGateLoops(finished, questions, names.findings, reading)
  checkCovered(finished, reading)
  const firstActions = readFirstActions(
    shared.get('firstActions'),
    finished,
    (node, what) => condition(node, what, names.scopeOf(undefined)),
    reading,
  )
  checkWanted(finished, drafts, reading)
  for (const { question, whereRead } of drafts.values()) {
    const asked = questions.get(question.id)
    if (whereRead && asked)
      questions.set(question.id, offeredWhereRead(asked, whereRead, finished, questions, names.findings, firstActions))
  }
  const named = readMedicines(folders.medicines, questions, finished, reading)
  return {
    format: FORMAT,
    ...releaseFacts(folders.release, reading),
    intake: intake.map((draft) => draft.question.id),
    questions: Object.fromEntries(questions),
    findings: Object.fromEntries(names.findings),
    complaints: finished,
    firstActions: firstActions.filter(({ unless, instead }) => unless || instead !== undefined),
    saidOnce: readSaidOnce(shared.get('saidOnce'), reading),
    ...(named && { named }),
    dangers,
    senses: perLanguage((language) => readSenses(folders.senses.get(language), reading)),
    readers: readersOf(folders.readers, reading),
    ...wordsOf(
      folders,
      [...intake, ...common].map((draft) => draft.question),
      screens,
      dangers,
      firstActions.map(({ id }) => id),
      signs.map((draft) => draft.question),
      complaints,
      finished,
      reading,
    ),
  }
}

/** The trained readers, in the order of the languages; bytes that are not those of one are a problem. */
function readersOf(files: Folders['readers'], reading: Reading): CompiledRelease['readers'] {
  const readers: Partial<Record<Language, string>> = {}
  for (const language of LANGUAGES) {
    const file = files.get(language)
    if (!file) continue
    if (headerOf(Uint8Array.fromBase64(file.text))) readers[language] = file.text
    else reading.problem([file.path, 1], 'This is not a trained reader: run fyr content train.')
  }
  return readers
}

/** The signs that complaints speak of, each said once. */
function signsOf(root: Located | undefined, reading: Reading): DraftQuestion[] {
  if (!root) return []
  const entries = reading.map(root, 'signs.yaml', ['themes', 'signs'])
  const themes = reading
    .list(entries.get('themes'), 'themes')
    .flatMap((item) => reading.id(item, 'A theme', 'kebab') ?? [])
  const signs = reading.list(entries.get('signs'), 'signs').flatMap((node) => draftSign(node, themes, reading) ?? [])
  const known = new Set(signs.map(({ question }) => question.id))
  for (const { question, place } of signs) {
    const stranger = [...(question.implies ?? []), ...(question.parts ?? [])].find((other) => !known.has(other))
    if (stranger !== undefined)
      reading.problem(place, `Sign "${question.id}" speaks of "${stranger}", which is no sign: correct the name.`)
  }
  return signs
}

/** An option is taken away by the tick of a sign that there is. */
function checkDenying(drafts: readonly DraftQuestion[], reading: Reading): void {
  const signs = new Set(drafts.flatMap(({ question }) => (question.kind === 'sign' ? question.id : [])))
  for (const { question, place } of drafts) {
    const stranger = question.options?.find(({ unlessTold }) => unlessTold !== undefined && !signs.has(unlessTold))
    if (stranger)
      reading.problem(place, `Question "${question.id}": unlessTold names no sign: "${stranger.unlessTold}".`)
  }
}

/** The screens that questions may share: each has a heading among the shared words. */
function screensOf(node: Located | undefined, drafts: Iterable<DraftQuestion>, reading: Reading): string[] {
  const screens = reading.list(node, 'screens').flatMap((item) => reading.id(item, 'A screen', 'kebab') ?? [])
  for (const { question, place } of drafts) {
    if (question.screen !== undefined && !screens.includes(question.screen))
      reading.problem(
        place,
        `Question "${question.id}": there is no screen "${question.screen}" in shared/questions.yaml.`,
      )
  }
  return screens
}

/** A complaint can cover only what the emergency check would ask. */
function checkCovered(complaints: readonly Complaint[], reading: Reading): void {
  const asked = new Set(
    complaints.flatMap(({ kind, questions }) => (kind === 'emergency' ? questions.map(({ id }) => id) : [])),
  )
  for (const { covers = [], place } of complaints) {
    const stranger = covers.find((id) => !asked.has(id))
    if (stranger !== undefined)
      reading.problem(place, `covers: "${stranger}" is no sign of the emergency check: correct the name or remove it.`)
  }
}

/** A complaint wants options of lists that are offered where they are read. */
function checkWanted(
  complaints: readonly Complaint[],
  drafts: ReadonlyMap<string, DraftQuestion>,
  reading: Reading,
): void {
  for (const { id, wants = [], place } of complaints.flatMap(({ questions }) => questions)) {
    const stranger = wants.find((option) => !drafts.get(id)?.whereRead?.has(option))
    if (stranger !== undefined)
      reading.problem(place, `wants: "${stranger}" is no option of "${id}" that is offered only where it is read.`)
  }
}

function finishComplaints(
  drafts: readonly DraftComplaint[],
  questions: ReadonlyMap<string, Question>,
  names: Names,
  condition: CompileCondition,
  reading: Reading,
): Complaint[] {
  const intake = new Set([...questions.keys()].filter((id) => names.intakeScope.refuses(id) === undefined))
  const emergency = drafts.filter((draft) => draft.kind === 'emergency')
  return drafts.map((draft) => {
    const facts = finishComplaint(draft, condition, names.scopeOf(draft), names.intakeScope, reading)
    const elsewhere = new Set(intake)
    if (draft.kind !== 'emergency')
      for (const check of emergency) for (const { question } of check.own) elsewhere.add(question.id)
    const gates = gatesOf(draft, condition, names.scopeOf(draft))
    // Of whom a sign is core is known once the intake is over. What hangs on another sign is core for all, and waits for its gate.
    const isOfIntake = (gate: Expression) => questionsIn(gate, names.findings).isSubsetOf(intake)
    const core = draft.signs.flatMap(({ signs, when, now }) => {
      const gate = now ? condition(when, 'signs: when', names.scopeOf(draft)) : undefined
      return now ? signs.map((id) => ({ id, ...(gate && isOfIntake(gate) && { when: gate }) })) : []
    })
    const isCheck = draft.kind === 'emergency'
    const onCall = isCheck ? draft.called.flatMap(({ signs, families }) => signs.map((id) => ({ id, families }))) : []
    const calls = draft.called.flatMap(({ signs, when }) => {
      const gate = condition(when, 'signs: when', names.scopeOf(draft))
      return isCheck ? [] : signs.map((id) => ({ id, ...(gate && { when: gate }) }))
    })
    const foremost = draft.signs.flatMap(({ signs, foremost: before }) => {
      const of = condition(before, 'signs: foremost', names.scopeOf(draft))
      return of ? signs.map((id) => ({ id, when: of })) : []
    })
    const complaint = {
      ...facts,
      ...(core.length > 0 && { now: core }),
      ...(onCall.length > 0 && { onCall }),
      ...(foremost.length > 0 && { foremost }),
      ...(calls.length > 0 && { calls }),
      questions: completeQuestions(draft, facts, questions, names.findings, elsewhere).map((one) => {
        const when = gates.get(one.id)
        return when ? { ...one, when } : one
      }),
    }
    findUnused(draft, complaint, questions, names.findings, reading)
    checkAdvice(complaint, reading)
    return complaint
  })
}

/** For whom a complaint asks some of its signs; a sign in several lists is asked where any of them applies. */
function gatesOf(draft: DraftComplaint, condition: CompileCondition, scope: Scope): Map<string, Expression | null> {
  const gates = new Map<string, Expression | null>()
  for (const { signs, when } of draft.signs) {
    const gate = condition(when, 'signs: when', scope) ?? null
    for (const id of signs) {
      const other = gates.get(id)
      gates.set(id, gate && other ? ['or', other, gate] : other === undefined ? gate : null)
    }
  }
  return gates
}

/**
 * Every level a complaint can give has advice on what to do and what to watch for. A danger whose rule says what to do first needs no other
 * advice.
 */
function checkAdvice(complaint: Complaint, reading: Reading): void {
  const { rules, reassuring, modifiers = [] } = complaint
  const all = [...rules, ...reassuring]
  const reached = new Map(all.map((rule) => [rule.level, rule.place]))
  for (const { id, level, ifUnsure, place } of rules) {
    if (ifUnsure !== 'ignore' && ifUnsure !== 'apply') reached.set(ifUnsure, place)
    const raised = LEVELS[LEVELS.indexOf(level) - 1]
    if (raised && modifiers.some((one) => one.rules.includes(id))) reached.set(raised, place)
  }
  if (complaint.otherwise) reached.set(complaint.otherwise, complaint.place)
  for (const [level, place] of reached) {
    for (const key of ['advice', 'safetyNet'] as const) {
      const said = complaint[key].some((item) => item.levels.includes(level) && !item.when)
      const isDone = key === 'advice' && level <= 'Level3' && all.every((rule) => rule.level !== level || rule.first)
      if (!said && !(isDone && level !== complaint.otherwise))
        reading.problem(
          place,
          `${complaint.id} can end at ${level} but has no ${key} for it: add an entry without "when" for that level.`,
        )
    }
  }
}

function releaseFacts(root: Located, reading: Reading): Pick<CompiledRelease, 'version' | 'intendedUse'> {
  const entries = reading.map(root, 'release.yaml', ['version', 'intendedUse'])
  const need = (key: string) => {
    const text = reading.text(entries.get(key), key)
    if (!text) reading.problem(root.place, `release.yaml needs "${key}".`)
    return text?.trim() ?? ''
  }
  const version = need('version')
  if (version && !VERSION.test(version))
    reading.problem(
      entries.get('version')?.place ?? root.place,
      `version "${version}" must be up to 100 letters, digits, dots, hyphens and underscores.`,
    )
  return { version, intendedUse: need('intendedUse') }
}

function wordsOf(
  folders: Folders,
  shared: readonly Question[],
  screens: readonly string[],
  dangers: readonly DangerKind[],
  firstActions: readonly string[],
  signs: readonly Question[],
  drafts: readonly DraftComplaint[],
  complaints: readonly Complaint[],
  reading: Reading,
): Pick<CompiledRelease, 'words' | 'search' | 'danger' | 'heard' | 'optionWords'> {
  const words = perLanguage((): Record<string, string> => ({}))
  const search = perLanguage((): Record<string, string[]> => ({}))
  const danger = perLanguage((): string[] => [])
  const heard = perLanguage((): Record<string, string[]> => ({}))
  const optionWords = perLanguage((): Record<string, Record<string, string[]>> => ({}))
  const collectOptions = (files: readonly WordsFile[], questions: readonly Question[]) => {
    for (const { language, root } of files)
      Object.assign(optionWords[language], readOptionWords(root, questions, reading))
  }
  const collect = (found: Map<Language, Map<string, string>>) => {
    for (const [language, texts] of found) for (const [path, text] of texts) words[language][path] = text
  }
  const ofShared = complete(folders.shared, 'content/shared', reading)
  collect(readWords(sharedTexts(shared, screens, dangers, firstActions), ofShared, reading))
  collectOptions(ofShared, shared)
  if (signs.length > 0)
    collect(readWords(textsOfSigns(signs), complete(folders.signs, 'content/signs', reading), reading))
  const isSign = new Set(signs.map(({ id }) => id))
  for (const [place, draft] of drafts.entries()) {
    const complaint = complaints[place]
    if (!complaint) continue
    const files = complete(folders.complaints.get(draft.id), draft.place[0].replace(/\/[^/]*$/, ''), reading)
    const own = draft.own.map((one) => one.question)
    const asksSigns = complaint.questions.some(({ id }) => isSign.has(id))
    collect(readWords(textsOfComplaint(complaint, own, asksSigns), files, reading))
    collectOptions(files, own)
    for (const { language, root } of files) {
      search[language][draft.id] = readList(root, 'search', reading)
      danger[language].push(...readList(root, 'danger', reading))
      Object.assign(heard[language], readHeard(root, isSign, dangers, reading))
      const searched = draft.kind === 'complaint'
      if (searched && search[language][draft.id]?.length === 0)
        reading.problem(root.place, 'Add "search": everyday words by which patients name this complaint.')
    }
  }
  return { words: words satisfies Record<Language, Words>, search, danger, heard, optionWords }
}

function complete(found: Folder | undefined, folder: string, reading: Reading): readonly WordsFile[] {
  const files = found?.words ?? []
  for (const language of LANGUAGES) {
    if (!files.some((file) => file.language === language) && !found?.unreadable.includes(language))
      reading.problem([`${folder}/${language}.yaml`, 1], `The words in ${language} are missing: add this file.`)
  }
  return files
}
