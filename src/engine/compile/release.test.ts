import { beforeAll, describe, expect, test } from 'vitest'
import { filesOf } from '../../../test/world/content.ts'
import { PLANTED, type Planted } from '../../../test/world/planted-faults.ts'
import { checkContent } from '../check/check-content.ts'
import { loadContent } from '../load.ts'
import { compileCases } from './cases.ts'
import type { ContentFile, ContentProblem } from './document.ts'
import { ContentError, compileContent, inspectContent } from './release.ts'

let sound: ContentFile[]
beforeAll(async () => {
  sound = await filesOf('sore-throat')
})

const FOLDER = 'content/complaints/sore-throat'
const pathOf = (file: string) => (file === 'release.yaml' ? 'content/release.yaml' : `${FOLDER}/${file}`)

function plant({ file, replace: [from, to] }: Planted): ContentFile[] {
  return sound.map((one) => {
    if (one.path !== pathOf(file)) return one
    expect(one.text, `the text to break is no longer in ${file}`).toContain(from)
    return { path: one.path, text: one.text.replace(from, to) }
  })
}

function lineOf(files: readonly ContentFile[], { file, at }: Planted): number {
  const text = files.find(({ path }) => path === pathOf(file))?.text ?? ''
  expect(text).toContain(at)
  return text.slice(0, text.indexOf(at)).split('\n').length
}

function problemsOf(files: readonly ContentFile[], running: boolean): readonly ContentProblem[] {
  if (!running) {
    try {
      compileContent(files)
    } catch (error) {
      if (error instanceof ContentError) return error.problems
      throw error
    }
    return []
  }
  const { release } = inspectContent(files)
  if (!release) return []
  const { cases, problems } = compileCases(files, release)
  return [...problems, ...checkContent(loadContent(release), cases, { only: 'sore-throat', walks: 240, turned: 240 })]
}

describe('B26 broken content is named with file and line', () => {
  test.each(PLANTED)('$name', (planted) => {
    const files = plant(planted)
    const found = problemsOf(files, planted.running === true)
    const expected = {
      file: pathOf(planted.file),
      line: lineOf(files, planted),
      message: expect.stringMatching(planted.says),
    }
    expect(found).toContainEqual(expected)
  })

  test('a name of a medicine with a hyphen, which would never be found', () => {
    const path = 'content/shared/medicines.yaml'
    const files = sound.map((one) =>
      one.path === path ? { path, text: one.text.replace(' cocodamol ', ' co-codamol ') } : one,
    )
    expect(problemsOf(files, false)).toEqual([
      expect.objectContaining({ file: path, message: expect.stringMatching(/"co-codamol".*without its hyphen/) }),
    ])
  })

  test('a dead end: nowhere to go without a general complaint', () => {
    const release = compileContent(sound)
    const { cases } = compileCases(sound, release)
    const found = checkContent(loadContent(release), cases, { walks: 1, turned: 0 })
    expect(found).toContainEqual({
      file: 'content/release.yaml',
      line: 1,
      message: expect.stringMatching(/no complaint of kind general.*dead end/),
    })
  })

  test('an intake question that hangs on one that is asked later', () => {
    const later = '    applies: fever == "measured"'
    const files = sound.map(({ path, text }) => ({
      path,
      text: path.endsWith('shared/questions.yaml')
        ? text.replace('    applies: issue_type == "regular" || new_trouble || told_trouble', later)
        : text,
    }))
    const shared = files.find(({ path }) => path.endsWith('shared/questions.yaml'))
    expect(inspectContent(files).problems).toContainEqual({
      file: shared?.path,
      line: (shared?.text.split('\n').indexOf(later) ?? 0) + 1,
      message: expect.stringMatching(/"fever" is not known yet here/),
    })
  })

  test('a missing language file', () => {
    const files = sound.filter(({ path }) => path !== `${FOLDER}/no.yaml`)
    expect(inspectContent(files).problems).toContainEqual({
      file: `${FOLDER}/no.yaml`,
      line: 1,
      message: 'The words in no are missing: add this file.',
    })
  })

  test('a file where none belongs', () => {
    const files = [...sound, { path: 'content/notes.yaml', text: 'a: b' }]
    expect(inspectContent(files).problems).toContainEqual({
      file: 'content/notes.yaml',
      line: 1,
      message: expect.stringMatching(/has no place/),
    })
  })
})

test('sound content compiles to the same bytes every time, whatever the order of its files', () => {
  const bytes = JSON.stringify(compileContent(sound))
  expect(JSON.stringify(compileContent([...sound].reverse()))).toBe(bytes)
})

test('every problem is told at once, in the order of files and lines', () => {
  const files = sound.map((one) =>
    one.path === `${FOLDER}/complaint.yaml`
      ? { ...one, text: one.text.replaceAll('level: Level4', 'level: Level9') }
      : one,
  )
  const { problems } = inspectContent(files)
  const lines = problems.filter(({ message }) => message.includes('Level9')).map(({ line }) => line)
  expect(lines.length).toBeGreaterThan(5)
  expect(lines).toEqual([...lines].sort((a, b) => a - b))
})
