import { mkdir, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { runCase } from '../../src/engine/check/run-case.ts'
import { play, randomPatient } from '../../src/engine/check/simulated-patients.ts'
import type { Answer } from '../../src/engine/content.ts'
import { realContent } from '../world/content.ts'
import { type Golden, replay } from './replay.ts'

/**
 * Records the interviews of this release: `node test/golden/record.ts`. Once a version is published its recording is never made again,
 * because sessions that began with it must go on exactly as they did.
 */
const { content, cases } = await realContent()
const { release } = content
const sessions: { about: string; answers: readonly Answer[] }[] = []
for (const { id } of release.complaints) {
  for (const worked of cases.filter(({ complaint }) => complaint === id).filter((_, at, all) => at % Math.ceil(all.length / 6) === 0)) {
    sessions.push({ about: `${id}: ${worked.id}`, answers: runCase(content, worked).answers })
  }
  for (const seed of [1, 2, 3]) {
    sessions.push({ about: `${id}: made up ${seed}`, answers: play(content, randomPatient(content, [id], seed)).answers })
  }
}
const golden: Golden = { release, sessions: sessions.map((session) => ({ ...session, expected: replay(content, session.answers) })) }
const folder = new URL('engine/', import.meta.url)
await mkdir(folder, { recursive: true })
await writeFile(new URL(`${release.version}.json.gz`, folder), gzipSync(JSON.stringify(golden)), { flag: process.argv.includes('--again') ? 'w' : 'wx' })
console.log(`${sessions.length} interviews of release ${release.version} recorded`)
