import { readdir, readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { loadContent } from '../../src/engine/load.ts'
import { type Golden, replay } from './replay.ts'

const folder = new URL('engine/', import.meta.url)
const releases = (await readdir(folder)).filter((name) => name.endsWith('.json.gz'))

async function read(name: string): Promise<Golden> {
  return JSON.parse(gunzipSync(await readFile(new URL(name, folder))).toString())
}

describe('F24 a session replays byte for byte on the release it began with', () => {
  /** A third of the sessions at a time: the first in every run, all of them in the thorough one. */
  async function replayPart(name: string, part: number): Promise<void> {
    const { release, sessions } = await read(name)
    const content = loadContent(release)
    expect(sessions.length).toBeGreaterThan(60)
    const own = sessions.filter((_, at) => at % 3 === part)
    for (const { about, answers, expected } of own) expect(replay(content, answers), about).toEqual(expected)
  }

  test.each(releases)('%s', (name) => replayPart(name, 0))
  test.each(releases)('%s, the second third', { tags: 'thorough' }, (name) => replayPart(name, 1))
  test.each(releases)('%s, the last third', { tags: 'thorough' }, (name) => replayPart(name, 2))

  test('also when a newer release of the same complaint is loaded beside it', async () => {
    const { release, sessions } = await read(releases[0] ?? '')
    const old = loadContent(release)
    const changed = loadContent({
      ...release,
      version: 'newer',
      complaints: release.complaints.map((complaint) => ({
        ...complaint,
        rules: complaint.rules.map((rule) => ({ ...rule, level: 'Level1' as const })),
      })),
    })
    const session = sessions.find(({ expected }) => expected.outcome.includes('"level":"Level4"'))
    expect(session).toBeDefined()
    if (!session) return
    expect(replay(changed, session.answers)).not.toEqual(session.expected)
    expect(replay(old, session.answers)).toEqual(session.expected)
  })
})
