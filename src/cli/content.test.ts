// @module-tag thorough
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fyr-content-'))
  for (const part of [
    'release.yaml',
    'shared',
    'signs',
    'own-words',
    'phrases',
    'complaints/sore-throat',
    'complaints/emergency-check',
    'complaints/general', // for whom the other does not hold: a baby
  ]) {
    await cp(join(ROOT, 'content', part), join(folder, part), { recursive: true })
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function fyr(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  return new Promise((done) => {
    const env = { ...process.env, FORCE_COLOR: '0' }
    execFile(
      process.execPath,
      [join(ROOT, 'bin/fyr.mjs'), 'content', ...words],
      { env, maxBuffer: 1e8 },
      (error, out, err) => {
        done({ code: typeof error?.code === 'number' ? error.code : 0, out, err })
      },
    )
  })
}

const SAID =
  'age: 28\nsex: female\nmouth_hardly_opens: yes\nfever: measured\ntemperature: 38.7\npain_severity: 8\nthroat_duration: 4 days\ncourse: worse\n'

test('list shows the complaints of a folder', async () => {
  const { out, code } = await fyr('list', '--folder', folder)
  expect(code).toBe(0)
  expect(out).toMatch(/^Release \S+$/m)
  expect(out).toMatch(/sore-throat\s+complaint\s+\d+\s+\d+\s+\d+\s+Level6/)
})

test('check says that sound content is sound', async () => {
  const { out, code } = await fyr('check', 'sore-throat', '--folder', folder, '--walks', '5')
  expect(out).toContain('The content is sound.')
  expect(code).toBe(0)
})

test('B26 check names file and line of a mistake and fails', { tags: 'slice' }, async () => {
  const broken = await mkdtemp(join(tmpdir(), 'fyr-content-'))
  await cp(folder, broken, { recursive: true })
  const path = join(broken, 'complaints/sore-throat/complaint.yaml')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace("when: 'glass_spots'", "when: 'glass_spotz'"))
  const line = text.slice(0, text.indexOf("when: 'glass_spots'")).split('\n').length
  const { out, code } = await fyr('check', 'sore-throat', '--folder', broken)
  expect(code).toBe(1)
  expect(out).toContain(`content/complaints/sore-throat/complaint.yaml:${line}: `)
  expect(out).toContain('Did you mean "glass_spots"?')
  await rm(broken, { recursive: true })
})

test('show prints questions and rules in the language asked for', async () => {
  const { out } = await fyr('show', 'sore-throat', '--folder', folder, '--language', 'no')
  expect(out).toContain('Vondt i halsen')
  expect(out).toContain('Level1 airway')
  expect(out).toContain('stridor_at_rest')
})

test('play runs from a file, shows what the engine thinks, and speaks to whoever answers', async () => {
  const answers = join(folder, 'answers.txt')
  await writeFile(answers, SAID)
  const { out, code } = await fyr(
    'play',
    'sore-throat',
    '--folder',
    folder,
    '--answers',
    answers,
    '--language',
    'sv',
    '--for',
    'other',
  )
  expect(code).toBe(0)
  expect(out).toMatch(/asks {5}stridor_at_rest, [\w, ]+, because rule sore-throat\/airway \(Level1\) is open/)
  expect(out).toMatch(/true {5}deep-infection L2/)
  expect(out).toContain('Akutvård behövs nu')
  expect(out).toContain('Lämna inte den sjuka ensam')
  const json = await fyr('play', 'sore-throat', '--folder', folder, '--answers', answers)
  expect(json.out).toContain('Emergency care without delay')
})

test('play says which answer a file lacks', async () => {
  const answers = join(folder, 'short.txt')
  await writeFile(answers, 'age: 28\nsex: female\n')
  const { err, code } = await fyr('play', 'sore-throat', '--folder', folder, '--answers', answers)
  expect(code).toBe(1)
  expect(err).toMatch(/The interview asks "\w+": put an answer into the file/)
})

test('play refuses an answer that was not offered', async () => {
  const answers = join(folder, 'foreign.txt')
  await writeFile(answers, SAID.replace('mouth_hardly_opens: yes', 'mouth_hardly_opens: sometimes'))
  const { err, code } = await fyr('play', 'sore-throat', '--folder', folder, '--answers', answers)
  expect(code).toBe(1)
  expect(err).toMatch(/For "mouth_hardly_opens" /)
})

test('play saves a run as a case that passes', async () => {
  const answers = join(folder, 'answers.txt')
  await writeFile(answers, SAID)
  const { code } = await fyr(
    'play',
    'sore-throat',
    '--folder',
    folder,
    '--answers',
    answers,
    '--save',
    'saved-run',
    '--quiet',
  )
  expect(code).toBe(0)
  const saved = await readFile(join(folder, 'complaints/sore-throat/cases.yaml'), 'utf8')
  expect(saved).toContain('  - id: saved-run\n')
  expect(saved).toContain('      level: Level2\n      rules: [deep-infection]\n')
  expect((await fyr('check', 'sore-throat', '--folder', folder, '--walks', '2')).code).toBe(0)
  const again = await fyr('play', 'sore-throat', '--folder', folder, '--answers', answers, '--save', 'saved-run')
  expect(again.err).toContain('has a case saved-run already')
})

test('coverage tells which statements are rules, and why others are not', async () => {
  const { out } = await fyr('coverage', 'sore-throat', '--folder', folder)
  expect(out).toMatch(/rule {2}.*→ airway/)
  expect(out).toMatch(/none {2}Scarlet fever is notified.*because: A duty of the clinic/)
})

test('diff tells what changed in clinical terms', async () => {
  const newer = await mkdtemp(join(tmpdir(), 'fyr-content-'))
  await cp(folder, newer, { recursive: true })
  const path = join(newer, 'complaints/sore-throat/complaint.yaml')
  const text = await readFile(path, 'utf8')
  await writeFile(
    path,
    text
      .replace('    when: pain_severity >= 8', '    when: pain_severity >= 9')
      .replace('  - id: scarlet-fever\n    level: Level5', '  - id: scarlet-fever\n    level: Level4'),
  )
  const { out } = await fyr('diff', folder, newer)
  expect(out).toMatch(/sore-throat rule severe-pain\s+when: pain_severity >= 8 → pain_severity >= 9/)
  expect(out).toMatch(/sore-throat rule scarlet-fever\s+more urgent: Level5 → Level4/)
  expect((await fyr('diff', folder, folder)).out).toContain('Nothing differs.')
  await rm(newer, { recursive: true })
})

test('an unknown complaint is told with those there are', { tags: 'slice' }, async () => {
  const { err, code } = await fyr('show', 'sore-toe', '--folder', folder)
  expect(code).toBe(1)
  expect(err).toContain('There is no complaint sore-toe. There are: emergency-check, general, sore-throat.')
})
