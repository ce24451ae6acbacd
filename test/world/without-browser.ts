import type { TestProject } from 'vitest/node'
import { NO_BROWSER } from '../../scripts/browser.mjs'

declare module 'vitest' {
  interface ProvidedContext {
    /** The path of a Chromium, or null where none was found. */
    browser: string | null
    /** How many test files need one. */
    browserTests: number
  }
}

/** Without a browser its tests are skipped; the run says so at its start and at its end. */
export default function setup(project: TestProject): () => void {
  const { browser, browserTests } = project.getProvidedContext()
  const say = (words: string) => {
    if (browser === null) console.warn(`\n${browserTests} browser test files ${words}: ${NO_BROWSER}.\n`)
  }
  say('are not run')
  return () => say('were not run')
}
