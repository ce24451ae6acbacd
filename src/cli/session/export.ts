import { resolve } from 'node:path'
import { Command } from 'commander'
import pino from 'pino'
import type { Language } from '../../engine/content.ts'
import type { Core } from '../../events/core.ts'
import { exportOf } from '../../session/export/export.ts'
import { writeSession } from '../../session/export/folder.ts'
import type { InterviewParts } from '../../session/interview/interview.ts'
import { SessionCache } from '../../session/interview/session-cache.ts'
import { languageOf } from '../../session/open.ts'
import { readByOperator } from '../../session/read.ts'
import { Releases } from '../../session/releases.ts'
import { objectsOf } from '../../store/objects.ts'
import { remark, show } from '../print.ts'
import { onStore } from '../store.ts'
import { emptyFolder } from './empty-folder.ts'
import { sessionOf } from './find.ts'
import { inLanguage } from './language.ts'

type Wanted = { language?: Language; to?: string }

/** `fyr session export`: everything kept of one session, for the patient who asks for it. */
export function exportCommand(): Command {
  return inLanguage(new Command('export'))
    .description('everything kept of a session, with its access log, as JSON; this is audited like any reading')
    .argument('<id>', 'its id, or the reference that the patient reads from the page')
    .option('--to <folder>', 'write it into a new folder, with the files that the patient added')
    .action(async (id: string, { language, to }: Wanted, command: Command) => {
      const folder = to === undefined ? null : emptyFolder(to)
      const { exported, files } = await onStore(async (core, settings) => {
        const { accountId, row } = await sessionOf(core, id)
        const session = await readByOperator(core, accountId, row.id, 'session.exported')
        const told = language ?? languageOf(row.language, session.configuration)
        const exported = await exportOf(readingParts(core), session, told)
        if (folder === null) return { exported, files: 0 }
        return { exported, ...(await writeSession(core, objectsOf(settings), session, exported, folder)) }
      })
      if (folder === null) {
        const kept = exported.files.filter(({ isKept }) => isKept).length
        if (kept > 0) remark(`The bytes of ${kept} files are not in it: --to <folder> writes them too.`)
        process.stdout.write(`${JSON.stringify(exported, null, 2)}\n`)
        return
      }
      const done = { sessionId: exported.session.sessionId, folder: resolve(folder), files }
      show(command, done, () => `Wrote session.json, summary.txt, access-log.txt and ${files} files to ${done.folder}.`)
    })
}

/** What reading sessions needs in a command. What is wrong with content is told by the command's own refusal. */
export const readingParts = (core: Core): InterviewParts => ({
  core,
  releases: Releases.forReading(core, pino({ level: 'silent' })),
  cache: new SessionCache(),
})
