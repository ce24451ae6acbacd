import { beforeAll, expect, test } from 'vitest'
import { filesOf } from '../../../test/world/content.ts'
import type { ContentFile } from './document.ts'
import { inspectContent } from './release.ts'

let files: readonly ContentFile[]
let known: ReadonlySet<string>
beforeAll(async () => {
  files = await filesOf('sore-throat', 'emergency-check', 'general')
  known = new Set(inspectContent(files).problems.map(({ message }) => message))
})

/** What is wrong when one file is written so instead. */
function faults(path: string, from: string | RegExp, to: string): string[] {
  const changed = files.map((file) =>
    file.path.endsWith(path) ? { ...file, text: file.text.replace(from, to) } : file,
  )
  return inspectContent(changed)
    .problems.map(({ message }) => message)
    .filter((message) => !known.has(message))
}

const DANGERS = 'own-words/dangers.yaml'

test('a kind of danger names signs of the content, once, and says what goes with it', () => {
  expect(faults(DANGERS, 'suicidal_thoughts', 'sad_thoughts')).toContainEqual(
    'Danger "suicide": there is no sign "sad_thoughts".',
  )
  expect(faults(DANGERS, 'id: danger', 'id: suicide')).toContainEqual(expect.stringContaining('is there twice'))
  expect(faults(DANGERS, 'note: true', 'notes: true')).toContainEqual(expect.stringContaining('Did you mean "note"?'))
})

test('words that tell of a sign need a kind of danger that is about it', () => {
  expect(faults(DANGERS, ', suicidal_thoughts', '')).toContainEqual(
    'heard: "suicidal_thoughts" is a sign of no kind of danger: name it in own-words/dangers.yaml.',
  )
})

test('what asks the same is a question of the same kind', () => {
  expect(faults('sore-throat/complaint.yaml', 'sameAs: duration', 'sameAs: course')).toContainEqual(
    'Question "throat_duration": sameAs: there is no question "course" of kind duration.',
  )
})

test('words that tell of an option are of a single choice, and of no danger', () => {
  const coating = 'label: Tonsillar exudate'
  expect(faults('sore-throat/en.yaml', coating, `${coating}, heard: [white spots]`)).toContainEqual(
    'heard: "throat_look" takes several options: who confirms one would not read the others.',
  )
  const fast = /(worse-fast: \{.*?)( \})/
  expect(faults('shared/en.yaml', fast, '$1, heard: [worse by the hour]$2')).toEqual([])
  expect(faults('shared/questions.yaml', 'worse, worse-fast]', 'worse]')).not.toEqual([])
})
