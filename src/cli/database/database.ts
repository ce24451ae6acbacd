import { Command } from 'commander'
import { addRole, makeRoles, removeRole } from '../../account/roles.ts'
import { readSettings } from '../../settings.ts'
import { isRolePrefix, rolesSql } from '../../store/database/roles.ts'
import { listRolesOf } from '../../store/deployment/role-accounts.ts'
import { momentText, Refusal, show, table } from '../print.ts'
import { accountOf, onStore } from '../store.ts'

type Prefixed = { prefix: string }
type Admin = Prefixed & { account?: string; remove?: boolean }

/** `fyr database …`: roles of a PostgreSQL server, so that not everyone who works with it may do everything. */
export function databaseCommand(): Command {
  const database = new Command('database').description('the roles of a PostgreSQL server, and what each may do')

  prefixed(database.command('roles'))
    .description('print the SQL that makes the roles service, operator, clinic_admin and auditor with their rights')
    .option('--apply', 'run it instead, after bringing the database up to date; again after every upgrade')
    .action(async ({ prefix, apply = false }: Prefixed & { apply?: boolean }, command: Command) => {
      const statements = rolesSql(checked(prefix)).flat()
      if (!apply) return show(command, statements, () => statements.map((one) => `${one};`).join('\n'))
      if (!readSettings(process.env).DATABASE_URL)
        throw new Refusal('The embedded database has one user, who owns its folder. Roles are for a PostgreSQL server.')
      await onStore((core) => makeRoles(core, prefix))
      show(command, { prefix }, () => `Done. Now make logins as members: create role … login in role ${prefix}_service`)
    })

  prefixed(database.command('clinic-admin'))
    .description('let a clinic admin’s role work on an account, or list the roles that may')
    .argument('[role]', 'its login; a member of clinic_admin')
    .option('--account <account>', 'id or name; not needed when there is only one')
    .option('--remove', 'take the account from it again')
    .action(async (role: string | undefined, { account, remove = false, prefix }: Admin, command: Command) => {
      const roles = await onStore(async (core) => {
        const { id } = await accountOf(core, account)
        if (role !== undefined && remove) await removeRole(core, id, role)
        else if (role !== undefined) await addRole(core, id, role, checked(prefix))
        return listRolesOf(core.db, id)
      })
      show(command, roles, () =>
        table(
          roles,
          [
            ['role', ({ role_name: name }) => name],
            ['since', ({ since }) => momentText(since)],
          ],
          'No role of a clinic admin may work on this account.',
        ),
      )
    })

  return database
}

const prefixed = (command: Command): Command =>
  command.option('--prefix <name>', 'what the names of the roles begin with', 'fyr')

function checked(prefix: string): string {
  if (!isRolePrefix(prefix)) throw new Refusal('--prefix must be small letters, digits and _, 31 at most.')
  return prefix
}
