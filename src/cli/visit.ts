import { Command } from 'commander'
import { endVisits } from '../session/visit.ts'
import { Refusal, show } from './print.ts'
import { accountOf, onStore } from './store.ts'

type EndOptions = { account?: string; session?: string; key?: string; user?: string; all?: boolean }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** `fyr visit …`: ends clinicians' visits to sessions. */
export function visitCommand(): Command {
  const visit = new Command('visit').description('visits of clinicians to sessions')
  visit
    .command('end')
    .description('end open visits at once, on every node, and the links that could open others')
    .option('--account <id or name>', 'whose visits; not needed when there is one account')
    .option('--session <id>', 'visits to this session')
    .option('--key <id>', 'visits of links that this key issued')
    .option('--user <identifier>', 'visits of this auditUserIdentifier')
    .option('--all', 'all of the account')
    .action(async ({ account, session, key, user, all }: EndOptions, command: Command) => {
      if (!session && !key && !user && !all)
        throw new Refusal('Say which visits: --session, --key, --user, some of them together, or --all.')
      for (const id of [session, key]) if (id && !UUID.test(id)) throw new Refusal(`${id} is not an id.`)
      const wanted = { sessionId: session ?? null, keyId: key ?? null, auditUserIdentifier: user ?? null }
      const ended = await onStore(async (core) => endVisits(core, (await accountOf(core, account)).id, wanted))
      show(command, { ended }, () => (ended === 1 ? 'One visit was ended.' : `${ended} visits were ended.`))
    })
  return visit
}
