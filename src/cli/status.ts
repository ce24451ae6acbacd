import { resolve } from 'node:path'
import { Command } from 'commander'
import { statusOf } from '../session/status.ts'
import { Disk } from '../store/database/disk.ts'
import { VERSION } from '../version.ts'
import { REFUSED, show } from './print.ts'
import { statusText } from './status/status-text.ts'
import { onStore } from './store.ts'

/** `fyr status`: the whole deployment at one look. */
export function statusCommand(): Command {
  return new Command('status')
    .description('nodes, database, webhooks, content, last backup and opening states at one look')
    .option('--all', 'list every account; otherwise, of more than twenty, only those that are not open')
    .addHelpText(
      'after',
      `\nIt ends with ${REFUSED} when something needs attention, and says what; with 0 when all is well.`,
    )
    .action(async ({ all = false }: { all?: boolean }, command: Command) => {
      const status = await onStore((core, settings) =>
        statusOf(
          core,
          VERSION,
          new Date(),
          settings.DATABASE_URL ? null : new Disk(resolve(settings.DATA_DIR)).hasEnough(),
        ),
      )
      show(command, status, () => statusText(status, all))
      if (status.attention.length > 0) process.exitCode = REFUSED
    })
}
