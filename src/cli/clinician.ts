import { Command } from 'commander'
import { addClinician, type Clinician, cliniciansOf, revokeClinician } from '../account/clinicians.ts'
import { readKeyFile } from './content/key-file.ts'
import { momentText, printable, show, table } from './print.ts'
import { accountOf, onStore } from './store.ts'

type OfAccount = { account?: string }
type Added = OfAccount & { name: string; role: string; key: string }

/** `fyr clinician …`: who may sign content releases for an account. */
export function clinicianCommand(): Command {
  const clinician = new Command('clinician').description('who may sign content releases for an account')

  clinician
    .command('add')
    .description('register a clinician by their public key; what they sign counts for this account from then on')
    .requiredOption('--name <name>', 'who they are')
    .requiredOption('--role <role>', 'their profession or duty, such as "specialist in general practice"')
    .requiredOption('--key <file>', 'their public key (Ed25519, PEM): `fyr content keygen` makes one')
    .option('--account <account>', 'id or name; not needed when there is only one')
    .action(async ({ name, role, key, account }: Added, command: Command) => {
      const publicKey = readKeyFile(key)
      const { added, of } = await onStore(async (core) => {
        const of = await accountOf(core, account)
        return { of, added: await addClinician(core, of.id, { name, role, publicKey }, core.operator) }
      })
      show(
        command,
        { account: of.id, ...asJson(added) },
        () =>
          `${printable(added.name)} may sign releases for ${of.name}. The key’s fingerprint is ${added.fingerprint}.`,
      )
    })

  clinician
    .command('list')
    .description('list the clinicians of an account')
    .option('--account <account>', 'id or name; not needed when there is only one')
    .action(async ({ account }: OfAccount, command: Command) => {
      const rows = await onStore(async (core) => cliniciansOf(core, (await accountOf(core, account)).id))
      show(command, rows.map(asJson), () =>
        table(
          rows,
          [
            ['id', ({ id }) => id],
            ['name', ({ name }) => name],
            ['role', ({ role }) => role],
            ['fingerprint', ({ fingerprint }) => fingerprint],
            ['may sign', stateOf],
            ['added', (row) => `${momentText(row.added_at)} ${row.added_by}`],
          ],
          'There is no clinician yet. Register one: fyr clinician add --name … --role … --key FILE.pub',
        ),
      )
    })

  clinician
    .command('revoke')
    .description('take a clinician’s key back: nothing they signed counts any more')
    .argument('<id>', 'as `fyr clinician list` shows it')
    .option('--account <account>', 'id or name; not needed when there is only one')
    .action(async (id: string, { account }: OfAccount, command: Command) => {
      const revoked = await onStore(async (core) =>
        revokeClinician(core, (await accountOf(core, account)).id, id.toLowerCase(), core.operator),
      )
      show(
        command,
        asJson(revoked),
        () => `The key of ${printable(revoked.name)} is revoked. Nothing it signed counts any more.`,
      )
    })

  return clinician
}

function stateOf(row: Clinician): string {
  if (!row.publicKey) return 'no: forged'
  return row.revoked_at ? `no: revoked ${momentText(row.revoked_at)} ${row.revoked_by}` : 'yes'
}

const asJson = (row: Clinician) => ({
  id: row.id,
  name: row.name,
  role: row.role,
  fingerprint: row.fingerprint,
  maySign: row.publicKey !== null && row.revoked_at === null,
  isGenuine: row.publicKey !== null,
  addedAt: row.added_at,
  addedBy: row.added_by,
  revokedAt: row.revoked_at,
  revokedBy: row.revoked_by,
})
