import { Command } from 'commander'
import type { Language } from '../../engine/content.ts'
import { accessLogOf } from '../../session/export/access-log.ts'
import { findTrimmed } from '../../store/audit-trims.ts'
import { momentText, remark, show, table } from '../print.ts'
import { onStore } from '../store.ts'
import { placeOf } from './find.ts'
import { inLanguage } from './language.ts'

/** `fyr session log`: who did or saw what of a session, in words that its patient can be given. */
export function logCommand(): Command {
  return inLanguage(new Command('log'))
    .description('who did or saw what of a session, when and for which unit; also of an erased one')
    .argument('<id>', 'its id, or the reference that the patient reads from the page')
    .action(async (id: string, { language = 'en' }: { language?: Language }, command: Command) => {
      const { log, isTrimmed } = await onStore(async (core) => {
        const { accountId, place } = await placeOf(core, id)
        const log = await accessLogOf(core, accountId, place, language)
        const isWhole = log.some(({ action }) => action === 'session.created')
        return { log, isTrimmed: !isWhole && (await findTrimmed(core.db, accountId)) !== null }
      })
      if (isTrimmed) remark('What was on record of it at first was removed by retention (AUDIT_RETENTION_DAYS).')
      show(command, log, () =>
        table(
          log,
          [
            ['when', ({ timestamp }) => momentText(new Date(timestamp))],
            ['who', ({ who }) => who],
            ['for', ({ unit }) => unit ?? '–'],
            ['what', ({ what }) => what],
          ],
          'Nothing is on record.',
        ),
      )
    })
}
