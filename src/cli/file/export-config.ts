import { Command } from 'commander'
import { dump } from 'js-yaml'
import { asFile } from '../../account/file/as-file.ts'
import type { ClinicFile } from '../../account/file/clinic-file.ts'
import { listAccounts } from '../../store/accounts.ts'
import { show } from '../print.ts'
import { accountOf, onStore } from '../store.ts'

/** `fyr export-config`: prints accounts as the file that `fyr apply` takes. */
export function exportConfigCommand(): Command {
  return new Command('export-config')
    .description('print accounts, configurations, hours and webhooks as the file that `fyr apply` takes')
    .option('--account <account>', 'id or name; all when not given')
    .action(async ({ account }: { account?: string }, command: Command) => {
      const file = await onStore(async (core) =>
        asFile(core, account === undefined ? await listAccounts(core.db) : [await accountOf(core, account)]),
      )
      show(command, file, () => fileText(file))
    })
}

/** The file as YAML that `fyr apply` reads: without anchors, which it does not take. */
export const fileText = (file: ClinicFile): string => dump(file, { lineWidth: 120, noRefs: true }).trimEnd()
