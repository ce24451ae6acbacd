// Runs every check and worked case of the bundled content and writes content/checked.json, the proof that they passed,
// so that a start can publish the content without repeating them. With --check it runs them too, but only says whether
// the proof is up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ContentError } from '../src/engine/compile/release.ts'
import { checkedRelease } from '../src/session/content/publish-folder.ts'
import { BUNDLED_CONTENT, PROOF_FILE, type Proof, readContentFolder } from '../src/store/content/content-files.ts'
import { sha256Of } from '../src/store/content/releases.ts'

const FILE = join(BUNDLED_CONTENT, PROOF_FILE)

async function proof(): Promise<string> {
  const { release, sourceSha256, checks } = checkedRelease(await readContentFolder(BUNDLED_CONTENT))
  const made: Proof = { version: release.version, sourceSha256, sha256: sha256Of(JSON.stringify(release)), checks }
  return `${JSON.stringify(made, null, 2)}\n`
}

try {
  const text = await proof()
  if (!process.argv.includes('--check')) writeFileSync(FILE, text)
  else if (readFileSync(FILE, 'utf8') !== text) {
    console.error('content/checked.json is not of this content. Write it anew: node scripts/check-content.ts')
    process.exitCode = 1
  }
} catch (error) {
  if (!(error instanceof ContentError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
