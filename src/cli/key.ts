import { Command } from 'commander'
import { configurationOf, issueKey, keysOf, revokeKey, rotateKey } from '../account/provision.ts'
import type { Core } from '../events/core.ts'
import { listAccounts } from '../store/accounts.ts'
import { type ConfigurationRow, listConfigurations } from '../store/configurations.ts'
import { type KeyRow, listKeys } from '../store/keys.ts'
import { durationSeconds } from './duration.ts'
import { type Column, momentText, Refusal, show, table } from './print.ts'
import { onStore } from './store.ts'

type Listed = { key: KeyRow; configuration: ConfigurationRow }
type IssueOptions = { configuration: string; note?: string; expires?: string; sandbox?: boolean }

const COLUMNS: readonly Column<Listed>[] = [
  ['id', (row) => row.key.id],
  ['configuration', (row) => row.configuration.slug],
  ['key', (row) => row.key.hint],
  ['works', stateOf],
  ['for', (row) => (row.key.is_sandbox ? 'tests' : 'patients')],
  ['issued', (row) => momentText(row.key.issued_at)],
  ['note', (row) => row.key.note],
]

/** `fyr key …`: the credentials of programs that act for an account. */
export function keyCommand(): Command {
  const key = new Command('key').description('API keys of the programs that act for an account')

  key
    .command('issue')
    .description('issue a key of a configuration; it is shown this once')
    .requiredOption('--configuration <slug>', 'the configuration it opens')
    .option('--note <text>', 'what it is for')
    .option('--expires <duration>', 'end it by itself, after 90d, 12h, 30m …')
    .option('--sandbox', 'what it creates is a test: marked as one, and in no count and no statistics')
    .action(async ({ configuration: slug, note, expires, sandbox = false }: IssueOptions, command: Command) => {
      const expiresInSeconds = expires === undefined ? null : durationSeconds(expires)
      const issued = await onStore(async (core) =>
        issueKey(core, await configurationOf(core, slug), { note: note ?? '', expiresInSeconds, isSandbox: sandbox }),
      )
      show(command, { ...issued, configuration: slug, sandbox }, () => newKeyText(issued.key, slug))
    })

  key
    .command('list')
    .description('list keys, newest last; the keys themselves are not kept and can’t be shown')
    .option('--configuration <slug>', 'only those of one configuration')
    .action(async ({ configuration: slug }: { configuration?: string }, command: Command) => {
      const listed = await onStore(async (core) => {
        const only = slug === undefined ? null : await configurationOf(core, slug)
        return (await allKeys(core)).filter(({ configuration }) => !only || configuration.id === only.id)
      })
      show(command, listed.map(asJson), () =>
        table(listed, COLUMNS, 'There is no key yet. Issue one: fyr key issue --configuration demo'),
      )
    })

  key
    .command('rotate')
    .description('issue a key that takes over from another; both work during the overlap')
    .argument('<id>', 'the key to replace, as `fyr key list` shows it')
    .option('--overlap <duration>', 'how long the old one still works: 24h, 7d, 0s …', '24h')
    .action(async (id: string, { overlap }: { overlap: string }, command: Command) => {
      const seconds = durationSeconds(overlap)
      const { fresh, slug, working } = await onStore(async (core) => {
        const { configuration } = await keyOf(core, id)
        const fresh = await rotateKey(core, configuration, id.toLowerCase(), seconds)
        const keys = (await keysOf(core, configuration)).filter(({ live }) => live)
        return { fresh, slug: configuration.slug, working: keys.map((key) => ({ key, configuration })) }
      })
      const { oldUntil, ...issued } = fresh
      show(command, { ...issued, configuration: slug, replaces: id, oldUntil, working: working.map(asJson) }, () =>
        [
          newKeyText(issued.key, slug),
          `The old one works until ${momentText(oldUntil)}.\n`,
          `All that work for ${slug} now, keys of earlier rotations too; end those that nobody needs with fyr key revoke:\n`,
          table(working, COLUMNS, ''),
        ].join('\n'),
      )
    })

  key
    .command('revoke')
    .description('end a key at once, on every node within five seconds')
    .argument('<id>', 'as `fyr key list` shows it')
    .action(async (id: string, _options: unknown, command: Command) => {
      const { key: row, configuration } = await onStore(async (core) => {
        const found = await keyOf(core, id)
        await revokeKey(core, found.configuration, found.key.id)
        return keyOf(core, id)
      })
      show(
        command,
        asJson({ key: row, configuration }),
        () => `The key ${row.hint} of ${configuration.slug} is revoked.`,
      )
    })

  return key
}

function newKeyText(key: string, slug: string): string {
  return `A key of ${slug}, shown this once:\n\n  ${key}\n\nSend it as the header X-Service-API-Key.`
}

async function allKeys(core: Core): Promise<Listed[]> {
  const listed: Listed[] = []
  for (const { id } of await listAccounts(core.db)) {
    const configurations = new Map((await listConfigurations(core.db, id)).map((row) => [row.id, row]))
    for (const key of await listKeys(core.db, id)) {
      const configuration = configurations.get(key.configuration_id)
      if (configuration) listed.push({ key, configuration })
    }
  }
  return listed
}

async function keyOf(core: Core, id: string): Promise<Listed> {
  const found = (await allKeys(core)).find(({ key }) => key.id === id.toLowerCase())
  if (!found) throw new Refusal(`There is no key ${id}. \`fyr key list\` shows them.`)
  return found
}

function stateOf({ key }: Listed): string {
  if (key.revoked_at) return `revoked ${momentText(key.revoked_at)}`
  if (key.expires_at) return `${key.live ? 'until' : 'ended'} ${momentText(key.expires_at)}`
  return 'yes'
}

function asJson({ key, configuration }: Listed) {
  return {
    id: key.id,
    configuration: configuration.slug,
    hint: key.hint,
    note: key.note,
    sandbox: key.is_sandbox,
    works: key.live,
    issuedAt: key.issued_at,
    expiresAt: key.expires_at,
    revokedAt: key.revoked_at,
  }
}
