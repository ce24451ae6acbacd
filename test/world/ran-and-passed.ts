import { relative } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { judge, namedTests, type RanTest } from './named-tests.ts'

/** At the end of a run: every test that a document relies on must have just passed. */
export default class RanAndPassed implements Reporter {
  #vitest: Vitest | undefined

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  async onTestRunEnd(modules: readonly TestModule[], _errors: unknown, reason: string): Promise<void> {
    if (!this.#vitest || reason === 'interrupted') return
    const { config } = this.#vitest
    const all = await this.#vitest.globTestSpecifications()
    const files = new Set(modules.map(({ moduleId }) => moduleId))
    const { faults, notShown } = judge(
      namedTests(config.root),
      modules.flatMap((one) => ranIn(config.root, one, config.tagsFilter)),
      {
        isWhole: all.every(({ moduleId }) => files.has(moduleId)) && !config.testNamePattern,
        isPickedByName: config.testNamePattern !== undefined,
        isCi: process.env.CI === 'true',
      },
    )
    if (notShown.length > 0)
      console.error(`\n NOT SHOWN HERE, as something is missing on this machine: ${notShown.join('; ')}\n`)
    if (faults.length === 0) return
    console.error(
      `\n Tests that documents rely on did not run and pass:\n${faults.map((fault) => `   ${fault}\n`).join('')}`,
    )
    process.exitCode = 1
  }
}

function ranIn(root: string, module: TestModule, filter: readonly string[] | undefined): RanTest[] {
  const file = relative(root, module.moduleId)
  return [...module.children.allTests()].map((test) => {
    const names = [test.name]
    for (let place = test.parent; place.type === 'suite'; place = place.parent) names.unshift(place.name)
    const { state } = test.result()
    if (isElsewhere(test.tags, filter)) return { file, names, state: 'elsewhere' }
    return { file, names, state: state === 'pending' ? 'skipped' : state }
  })
}

/** `npm test` leaves the thorough tests, but for a slice of them, to `npm run test:thorough`, and that runs only those. */
function isElsewhere(tags: readonly string[], filter: readonly string[] | undefined): boolean {
  const isThorough = tags.includes('thorough') && !tags.includes('slice')
  return filter !== undefined && filter.length > 0 && isThorough !== filter.includes('thorough && !slice')
}
