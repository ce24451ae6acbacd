import { Command, InvalidArgumentError } from 'commander'
import pc from 'picocolors'
import { checkFiles, WALKS } from '../engine/check/check-files.ts'
import { compileCases } from '../engine/compile/cases.ts'
import { type Answer, LANGUAGES, type Language, type Who } from '../engine/content.ts'
import { WAY_TO } from '../engine/intake.ts'
import { loadContent } from '../engine/load.ts'
import { answerFrom, readAnswers } from './content/answers-file.ts'
import { askInTerminal } from './content/ask.ts'
import { coverageOf, coverageText } from './content/coverage.ts'
import { differencesBetween } from './content/diff.ts'
import { complaintNamed, filesIn, problemLine, releaseIn, releaseNamed } from './content/open.ts'
import { type Player, playInterview } from './content/play.ts'
import { releaseCommands } from './content/release-commands.ts'
import { saveCase } from './content/save-case.ts'
import { complaintText } from './content/show.ts'
import { alarmText, outcomeText, thoughtsText, type Voice } from './content/thoughts.ts'
import { trainedText, trainReaders } from './content/train.ts'
import { REFUSED, Refusal, show, table } from './print.ts'

const STEPS_HELP = `
A release is checked and stored (publish), reviewed (sign), and only then taken up by new sessions (activate). Sessions keep the release
they began with. One step back: fyr content activate --back`

type InFolder = { folder?: string }
type PlayOptions = InFolder & { language: Language; for: Who; answers?: string; save?: string; quiet?: boolean }

/** `fyr content …`: what patients are asked and how it is judged. The first commands work on files, the release commands on the database. */
export function contentCommand(): Command {
  const content = new Command('content')
    .description('clinical content: complaints, their questions and rules, and their releases')
    .addHelpText('after', STEPS_HELP)
  const verb = (name: string, description: string) =>
    content
      .command(name)
      .description(description)
      .option('--folder <path>', 'the content folder (default: the one of this version)')

  verb('list', 'list the complaints of the content folder').action(list)
  verb('check [complaint]', 'check files, safety rules and worked cases')
    .option('--walks <number>', 'made-up patients per complaint', wholeNumber, WALKS)
    .action(check)
  verb('train', 'train the readers of own words on the examples of the content folder')
    .option('--again', 'also where the examples are those that were trained on')
    .action(async (options: InFolder & { again?: boolean }, command: Command) => {
      const asJson = command.optsWithGlobals().json === true
      const told = (line: string) => asJson || process.stdout.write(`${line}\n`)
      const trained = await trainReaders(options.folder, options.again === true, (one) => told(trainedText(one)))
      show(command, trained, () => '')
    })
  verb('show <complaint>', 'print a complaint for reading')
    .option('--language <code>', LANGUAGES.join(', '), language, 'en')
    .action(async (id: string, options: InFolder & { language: Language }, command: Command) => {
      const release = await releaseIn(options.folder)
      const complaint = complaintNamed(release, id)
      show(command, complaint, () => complaintText(loadContent(release), complaint, options.language))
    })
  verb('play [complaint]', 'be the patient, and see what the engine thinks at every step')
    .option('--language <code>', LANGUAGES.join(', '), language, 'en')
    .option('--for <whom>', 'self or other', whom, 'self')
    .option('--answers <file>', 'take the answers from a file, written as in cases.yaml')
    .option('--save <case>', "add the run to the complaint's cases.yaml under this name")
    .option('--quiet', 'do not show what the engine thinks')
    .action(play)
  verb('coverage [complaint]', 'print which lines of the clinical sources are a rule, and which not and why').action(
    async (id: string | undefined, options: InFolder, command: Command) => {
      const release = await releaseIn(options.folder)
      const reports = coverageOf(release, id === undefined ? undefined : complaintNamed(release, id).id)
      show(command, reports, () => coverageText(reports))
    },
  )
  content
    .command('diff <before> [after]')
    .description('what changed between two releases: content folders, compiled files (.json) or published versions')
    .action(async (before: string, after: string | undefined, _: unknown, command: Command) => {
      const found = differencesBetween(
        await releaseNamed(before),
        after ? await releaseNamed(after) : await releaseIn(undefined),
      )
      show(command, found, () =>
        table(
          found,
          [
            ['where', ({ where }) => where],
            ['what', ({ what }) => what],
          ],
          'Nothing differs.',
        ),
      )
    })
  releaseCommands(content)
  return content
}

async function list({ folder }: InFolder, command: Command): Promise<void> {
  const release = await releaseIn(folder)
  const { cases } = compileCases(await filesIn(folder), release)
  const rows = release.complaints.map(({ id, kind, questions, rules, reassuring, otherwise }) => ({
    id,
    kind,
    questions: questions.length,
    rules: rules.length + reassuring.length,
    cases: cases.filter(({ complaint }) => complaint === id).length,
    otherwise,
  }))
  const { version } = release
  show(command, { version, complaints: rows }, () => {
    const complaints = table(
      rows,
      [
        ['complaint', ({ id }) => id],
        ['kind', ({ kind }) => kind],
        ['questions', ({ questions }) => String(questions)],
        ['rules', ({ rules }) => String(rules)],
        ['cases', (row) => String(row.cases)],
        ['otherwise', (row) => row.otherwise ?? '–'],
      ],
      'There is no complaint.',
    )
    return `Release ${version}\n\n${complaints}`
  })
}

async function check(
  complaint: string | undefined,
  { folder, walks }: InFolder & { walks: number },
  command: Command,
): Promise<void> {
  const { report } = checkFiles(await filesIn(folder), { only: complaint, walks })
  if (report.problems.length > 0) process.exitCode = REFUSED
  show(command, report, () => {
    const lines = report.problems.map(problemLine)
    if (report.elsewhere > 0) lines.push(pc.dim(`${report.elsewhere} problems in other complaints are not shown`))
    const done = report.complaints.map(
      ({ id, cases, medianQuestions, mostQuestions }) =>
        `${id}: ${cases} worked cases, ${medianQuestions} questions for most, ${mostQuestions} at most`,
    )
    return [
      ...lines,
      ...done,
      lines.length === 0 ? pc.green('The content is sound.') : pc.red(`${report.problems.length} problems`),
    ].join('\n')
  })
}

async function play(id: string | undefined, options: PlayOptions, command: Command): Promise<void> {
  const release = await releaseIn(options.folder)
  const content = loadContent(release)
  const complaint = id === undefined ? undefined : complaintNamed(release, id)
  const voice: Voice = { content, language: options.language, who: options.for }
  const answers = options.answers ? await readAnswers(options.answers, release) : undefined
  if (!answers && !process.stdin.isTTY)
    throw new Refusal('There is no terminal to ask in: give the answers with --answers <file>.')
  const opening: Answer[] = [...(answers ?? []), { question: 'for_whom', value: options.for }]
  if (complaint) {
    const { issue, isMedical } = WAY_TO[complaint.kind]
    opening.push({ question: 'issue_type', value: issue })
    if (isMedical) opening.push({ question: 'complaints', value: [complaint.id] })
  }
  const asJson = command.optsWithGlobals().json === true
  const print = (text: string) => asJson || process.stdout.write(`${text}\n`)
  const player: Player = {
    tell(step, said) {
      const alarm = alarmText(voice, step)
      if (alarm) print(`\n${alarm}`)
      if (!options.quiet) print(`\n${thoughtsText(voice, step, said)}`)
    },
    answer: answers ? answerFrom(withAssumed(answers, opening)) : (step) => askInTerminal(voice, step),
    refused(message) {
      if (answers) throw new Refusal(message)
      print(pc.red(message))
    },
  }
  const played = await playInterview(content, answers ? [] : opening, player)
  show(command, played, () => `\n${outcomeText(voice, played.outcome)}`)
  if (options.save && complaint)
    print(`Saved to ${await saveCase(options.folder, release, complaint.id, options.save, played)}`)
  if (options.save && !complaint)
    throw new Refusal('Say which complaint the case belongs to: fyr content play <complaint> --save <case>.')
}

/** Answers from a file override what the command line assumes. */
function withAssumed(answers: readonly Answer[], opening: readonly Answer[]): Answer[] {
  return [...opening.filter(({ question }) => !answers.some((answer) => answer.question === question)), ...answers]
}

function language(code: string): Language {
  const found = LANGUAGES.find((one) => one === code)
  if (!found) throw new InvalidArgumentError(`It is one of ${LANGUAGES.join(', ')}.`)
  return found
}

function whom(given: string): Who {
  if (given !== 'self' && given !== 'other') throw new InvalidArgumentError('It is self or other.')
  return given
}

function wholeNumber(given: string): number {
  if (!/^\d{1,5}$/.test(given)) throw new InvalidArgumentError('It is a whole number.')
  return Number(given)
}
