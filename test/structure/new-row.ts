import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** A row that does not exist, where it would be written, and the places that would then have to decide about it. */
export type PretendRow = { name: string; file: string; before: string; row: string; places: readonly string[] }

export const PRETEND: Readonly<Record<'question kind' | 'language' | 'event', PretendRow>> = {
  'question kind': {
    name: 'pretended',
    file: 'src/engine/content.ts',
    before: "  'yesno',\n  'one',",
    row: "  'pretended',\n",
    places: [
      'src/cli/content/ask.ts',
      'src/engine/compile/kinds.ts',
      'src/engine/kinds.ts',
      'src/session/handoff/fhir/interview.ts',
      'web/patient/questions/kinds.tsx',
    ],
  },
  language: {
    name: 'eo',
    file: 'src/engine/languages.ts',
    before: '} as const satisfies Record<string, LanguageFacts>',
    row: "  eo: { name: 'Esperanto', inEnglish: 'Esperanto', tag: 'eo', locale: 'eo', decimal: ',' },\n",
    places: [
      'src/engine/own-words/rules.ts',
      'src/http/pages/clinician-page.ts',
      'src/http/pages/shell-words.ts',
      'src/session/export/log-words.ts',
      'src/session/handoff/pdf/pdf.ts',
      'src/session/handoff/sheet.ts',
      'src/session/handoff/words.ts',
      'src/session/interview/speech.ts',
      'web/clinician/host.ts',
      'web/clinician/words/words.ts',
      'web/patient/words/words.ts',
    ],
  },
  event: {
    name: 'session.pretended',
    file: 'src/store/webhooks/events.ts',
    before: '} as const satisfies Record<string, EventFacts>',
    row: "  'session.pretended': { description: '', about: 'session', choice: 'optional', isTest: false, data: Type.Object({}) },\n",
    places: ['src/events/delivery/body.ts', 'src/http/openapi/webhooks.ts'],
  },
}

type Fault = { file: string; message: string }

/** What the compiler says about these files, or about all, when the rows are there. Only their text in memory is changed. */
export function faultsWith(rows: readonly PretendRow[], files?: readonly string[]): Fault[] {
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile)
  const whole = ts.parseJsonConfigFileContent({ ...config, include: ['src', 'web'] }, ts.sys, ROOT)
  const ours = files?.map((file) => join(ROOT, file)) ?? whole.fileNames.filter((file) => !file.endsWith('.test.ts'))
  const host = ts.createCompilerHost(whole.options)
  const read = host.readFile
  host.readFile = (path) => {
    const text = read(path)
    return text === undefined ? undefined : rows.reduce((before, row) => withRow(before, path, row), text)
  }
  const program = ts.createProgram(ours, whole.options, host)
  return ours.flatMap((path) =>
    program.getSemanticDiagnostics(program.getSourceFile(path)).map(({ messageText }) => ({
      file: path.slice(ROOT.length + 1),
      message: ts.flattenDiagnosticMessageText(messageText, ' '),
    })),
  )
}

/** Whether a fault is about this row: the compiler quotes its name. */
export const isAbout = ({ name }: PretendRow, { message }: Fault): boolean =>
  message.includes(`'${name}'`) || message.includes(`"${name}"`)

/** The files where the compiler misses the row, each once. */
export const placesOf = (row: PretendRow, faults: readonly Fault[]): string[] =>
  [...new Set(faults.filter((fault) => isAbout(row, fault)).map(({ file }) => file))].sort()

function withRow(text: string, path: string, { file, before, row }: PretendRow): string {
  if (path !== join(ROOT, file)) return text
  if (text.split(before).length !== 2)
    throw new Error(`${file} has not one place for another row, but ${text.split(before).length - 1}.`)
  return text.replace(before, () => row + before)
}
