import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { judge, type NamedTest, type RanTest, type Run } from '../world/named-tests.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const WHOLE: Run = { isWhole: true, isPickedByName: false, isCi: false }
const NAMED: NamedTest = { by: 'H1', file: 'test/a.test.ts', test: 'it holds', isLong: false }
const ran = (state: RanTest['state'], file = NAMED.file, ...names: string[]): RanTest => {
  return { file, names: names.length > 0 ? names : ['it holds'], state }
}

describe('a named test', () => {
  test('has run and passed, alone or in what it stands in, and everywhere it stands', () => {
    expect(judge([NAMED], [ran('passed')], WHOLE)).toEqual({ faults: [], notShown: [] })
    expect(judge([NAMED], [ran('passed', NAMED.file, 'outside', 'it holds')], WHOLE).faults).toEqual([])
    const path = { ...NAMED, test: 'outside › it holds' }
    expect(judge([path], [ran('passed', NAMED.file, 'outside', 'it holds')], WHOLE).faults).toEqual([])
    expect(judge([NAMED], [ran('passed'), ran('failed', NAMED.file, 'b', 'it holds')], WHOLE).faults).toHaveLength(1)
  })

  test('may be everything in a describe, or one sentence about many cases', () => {
    const many = [ran('passed', NAMED.file, 'outside', 'one holds'), ran('passed', NAMED.file, 'outside', 'two holds')]
    for (const name of ['outside', '… holds', 'outside › … holds'])
      expect(judge([{ ...NAMED, test: name }], many, WHOLE).faults, name).toEqual([])
    for (const name of ['out', 'holds', 'side › … holds', '… held'])
      expect(judge([{ ...NAMED, test: name }], many, WHOLE).faults, name).toHaveLength(1)
    const failing = [...many, ran('failed', NAMED.file, 'outside', 'three holds')]
    for (const name of ['outside', '… holds'])
      expect(judge([{ ...NAMED, test: name }], failing, WHOLE).faults, name).toHaveLength(1)
  })

  test('that failed, is called otherwise, or whose file did not run is a fault of the whole run', () => {
    expect(judge([NAMED], [ran('failed')], WHOLE).faults).toEqual(['H1: test/a.test.ts › it holds: failed'])
    const renamed = [ran('passed', NAMED.file, 'it holds up')]
    expect(judge([NAMED], renamed, WHOLE).faults).toEqual(['H1: test/a.test.ts › it holds: there is no such test'])
    const other = [ran('passed', 'test/b.test.ts')]
    expect(judge([NAMED], other, WHOLE).faults).toEqual(['H1: test/a.test.ts › it holds: the file did not run'])
  })

  test('is judged in a part of a run only when its file ran', () => {
    const part = { ...WHOLE, isWhole: false }
    expect(judge([NAMED], [ran('passed', 'test/b.test.ts')], part).faults).toEqual([])
    expect(judge([NAMED], [ran('passed', NAMED.file, 'another')], part).faults).toHaveLength(1)
    expect(judge([NAMED], [ran('skipped')], { ...part, isPickedByName: true })).toEqual({ faults: [], notShown: [] })
  })

  test('that was skipped is not shown here; where everything must be there, that is a fault', () => {
    expect(judge([NAMED], [ran('skipped')], WHOLE)).toMatchObject({ faults: [], notShown: [expect.any(String)] })
    expect(judge([NAMED], [ran('skipped')], { ...WHOLE, isCi: true }).faults).toHaveLength(1)
    const file = 'test/triage/objects.test.ts' // wants a server that need not be there
    const skipped = judge([{ ...NAMED, file }], [ran('skipped', file)], { ...WHOLE, isCi: true })
    expect(skipped).toMatchObject({ faults: [], notShown: [expect.any(String)] })
  })

  test('of the slow sweeps is judged when those run, and only then', () => {
    const slow = { ...NAMED, file: 'test/a.long.test.ts', isLong: true }
    expect(judge([slow], [ran('passed')], WHOLE).faults).toEqual([])
    expect(judge([slow, NAMED], [ran('passed', 'test/b.long.test.ts')], WHOLE).faults).toEqual([
      'H1: test/a.long.test.ts › it holds: the file did not run',
    ])
  })
})

describe('a run of a small project', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(ROOT, 'node_modules/.fyr-named-'))
    for (const part of ['safety', 'test', 'docs']) mkdirSync(join(folder, part))
    for (const name of ['ran-and-passed.ts', 'named-tests.ts'])
      cpSync(join(ROOT, 'test/world', name), join(folder, name))
    const tags = `[{ name: 'thorough' }, { name: 'slice' }]`
    const config = `export default { test: { include: ['test/*.test.ts'], tags: ${tags}, reporters: ['default', './ran-and-passed.ts'] } }`
    writeFileSync(join(folder, 'vitest.config.ts'), config)
    writeFileSync(join(folder, 'test/a.test.ts'), `import { test } from 'vitest'\ntest('it holds', () => {})\n`)
    writeFileSync(join(folder, 'test/b.test.ts'), `import { test } from 'vitest'\ntest.skip('not here', () => {})\n`)
    writeFileSync(
      join(folder, 'test/long.test.ts'),
      `// @module-tag thorough\nimport { expect, test } from 'vitest'
test('a part of it', { tags: 'slice' }, () => {})
test('all of it', () => expect(process.env.BROKEN).toBeUndefined())
`,
    )
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function run(controls: string[], args: string[] = [], promised: Record<string, string[]> = {}, more = {}) {
    writeFileSync(
      join(folder, 'safety/promises.yaml'),
      JSON.stringify({ promises: [{ id: 'F01', promise: 'x', tests: promised }] }),
    )
    const lines = controls
      .map((one) => one.split(' › '))
      .map(([file, test]) => `      - {does: x, file: ${file}, test: ${test}}`)
    writeFileSync(
      join(folder, 'safety/hazards.yaml'),
      `hazards:\n  - id: H1\n    harm: x\n    controls:\n${lines.join('\n')}\n`,
    )
    const { VITEST: _vitest, ...rest } = process.env
    const done = spawnSync('vitest', ['run', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...rest, CI: '', NO_COLOR: '1', ...more },
    })
    return { code: done.status, words: done.stdout + done.stderr }
  }

  test('ends well when what is named ran and passed, and tells loudly what it did not show', () => {
    const { code, words } = run(['test/a.test.ts › it holds'], [], { 'test/b.test.ts': ['not here'] })
    expect(code, words).toBe(0)
    expect(words).toMatch(/NOT SHOWN HERE.*not here/)
  })

  test('fails with a list when it did not; of a part only what ran is judged', () => {
    const named = ['test/a.test.ts › it held', 'test/c.test.ts › gone']
    const whole = run(named, [], { 'test/a.test.ts': ['it will hold'] })
    expect(whole).toMatchObject({ code: 1, words: expect.stringContaining('it held: there is no such test') })
    expect(whole.words).toContain('gone: the file did not run')
    expect(whole.words).toContain('promises.yaml F01: test/a.test.ts › it will hold: there is no such test')
    expect(run(named.slice(1), ['test/a.test.ts']).code).toBe(0)
  })

  test('of what runs long is judged by the command that runs it, which leaves none of it out', () => {
    const { test: quick, 'test:thorough': thorough } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    ).scripts
    const filterOf = (command: string) => `--tagsFilter=${/"(.*)"$/.exec(command)?.[1]}`
    const named = ['test/long.test.ts › all of it', 'test/long.test.ts › a part of it']
    const broken = { BROKEN: 'yes', CI: 'true' }
    const inQuick = run(named, [filterOf(quick), 'test/long.test.ts'], {}, broken)
    expect(inQuick.code, inQuick.words).toBe(0)
    expect(inQuick.words).toMatch(/1 passed \| 1 skipped/)
    const inThorough = run(named, [filterOf(thorough), 'test/long.test.ts'], {}, broken)
    expect(inThorough).toMatchObject({ code: 1, words: expect.stringContaining('all of it: failed') })
    expect(run(named, [filterOf(thorough), 'test/long.test.ts'], {}, { CI: 'true' }).words).toMatch(
      /1 passed \| 1 skipped/,
    )
  })
})
