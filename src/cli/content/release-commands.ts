import type { Command } from 'commander'
import pc from 'picocolors'
import { newSigningKeys } from '../../account/clinicians.ts'
import { configurationOf } from '../../account/provision.ts'
import { type Activated, activate, activateBefore, EVERYWHERE, placeOf } from '../../session/content/activate.ts'
import { releaseOverviews } from '../../session/content/overview.ts'
import { publishFolder } from '../../session/content/publish-folder.ts'
import { signRelease } from '../../session/content/review.ts'
import { verifyContent } from '../../session/content/verify.ts'
import { printable, REFUSED, Refusal, remark, show } from '../print.ts'
import { accountOf, onStore } from '../store.ts'
import { readKeyFile, writeKeyPair } from './key-file.ts'
import { folderAt } from './open.ts'
import { releaseJson, releasesText } from './releases-text.ts'

type ActivateOptions = { configuration?: string; back?: boolean; follow?: boolean }
type SignOptions = { key: string; account?: string; only?: string[] }

/** The life of a release after its files are written: publish, sign, activate, look at, verify. */
export function releaseCommands(content: Command): void {
  content
    .command('publish')
    .description('run every check and store the folder as a release; it is not active before it is activated')
    .argument('[folder]', 'the content folder (default: the one of this version)')
    .action(publish)

  content
    .command('releases')
    .description('list the published releases: who, when, checks, hash, signatures, where active')
    .action(async (_options: unknown, command: Command) => {
      const releases = await onStore(releaseOverviews)
      show(command, releases.map(releaseJson), () => releasesText(releases))
    })

  content
    .command('activate')
    .description('let new sessions begin with a release; sessions that were made before keep theirs')
    .argument('[version]', 'a published release')
    .option('--configuration <slug>', 'only for this configuration (default: the whole deployment)')
    .option('--back', 'the one that was active before')
    .option('--follow', 'let the configuration follow the deployment again')
    .action(activateRelease)

  content
    .command('keygen')
    .description('make a clinician’s keys: the private one to sign releases with, the public one to register')
    .option('--out <file>', 'where the private key goes; the public one gets the ending .pub', 'clinician.key')
    .action(({ out }: { out: string }, command: Command) => {
      writeKeyPair(out, newSigningKeys())
      show(
        command,
        { privateKey: out, publicKey: `${out}.pub` },
        () =>
          `${out} is the private key: it stays with the clinician, who alone signs with it.\n${out}.pub is the public one. Register it: fyr clinician add --name … --role … --key ${out}.pub`,
      )
    })

  content
    .command('sign')
    .description('sign a release as a registered clinician, for one account')
    .argument('<version>', 'a published release')
    .requiredOption('--key <file>', 'the clinician’s private key; it is used here and kept nowhere')
    .option('--account <account>', 'id or name; not needed when there is only one')
    .option('--only <complaints...>', 'the complaints that were reviewed, when it was not the whole release')
    .action(sign)

  content
    .command('verify')
    .description('compare stored releases, activations and signatures with what is on record')
    .action(async (_options: unknown, command: Command) => {
      const findings = await onStore(verifyContent)
      show(command, findings, () =>
        findings
          .map(({ what, fault }) =>
            fault
              ? `${pc.red('broken')}  ${printable(what)}: ${printable(fault)}`
              : `${pc.green('whole')}   ${printable(what)}`,
          )
          .join('\n'),
      )
      if (findings.some(({ fault }) => fault !== null)) process.exitCode = REFUSED
    })
}

async function publish(folder: string | undefined, _options: unknown, command: Command): Promise<void> {
  const path = folderAt(folder)
  if (command.optsWithGlobals().json !== true) remark('Checking the content …')
  const published = await onStore((core) => publishFolder(core, path, core.operator), { mayBegin: true })
  const { version, result, checks } = published
  if (result === 'different')
    throw new Refusal(
      `Release ${version} is published already with another text, and sessions rely on it. Give this one a new version in release.yaml.`,
    )
  show(command, published, () =>
    result === 'known'
      ? `Release ${version} was published before, with the same text.`
      : `Release ${version} is published: ${checks?.complaints} complaints, ${checks?.cases} worked cases, all checks passed. It is not active.\nLet new sessions begin with it: fyr content activate ${version}`,
  )
}

async function activateRelease(version: string | undefined, options: ActivateOptions, command: Command): Promise<void> {
  const { configuration: slug, back = false, follow = false } = options
  if ([version !== undefined, back, follow].filter(Boolean).length !== 1)
    throw new Refusal('Say which release: a version, --back, or --follow with --configuration.')
  if (follow && slug === undefined)
    throw new Refusal('--follow needs --configuration <slug>: the deployment follows nothing.')
  const done = await onStore(async (core) => {
    const place = slug === undefined ? EVERYWHERE : placeOf(await configurationOf(core, slug))
    const { operator: by } = core
    return { ...(await (back ? activateBefore(core, place, by) : activate(core, place, version ?? null, by))), by }
  })
  show(command, { ...done, configuration: slug ?? null }, () => activatedText(done, slug))
}

function activatedText({ version, before, changed }: Activated, slug: string | undefined): string {
  const where = slug === undefined ? 'New sessions' : `New sessions of ${slug}`
  const what = (one: string | null) => (one === null ? 'what the deployment has' : `release ${one}`)
  if (!changed) return `${where} begin with ${what(version)} already.`
  const none = slug === undefined ? 'nothing' : what(null)
  const told = `${where} begin with ${what(version)} now; until now it was ${before === null ? none : what(before)}.`
  const way = `Back: fyr content activate --back${slug === undefined ? '' : ` --configuration ${slug}`}`
  return before === null && slug === undefined ? told : `${told}\n${way}`
}

async function sign(version: string, { key, account, only }: SignOptions, command: Command): Promise<void> {
  const privateKey = readKeyFile(key)
  const { of, signature } = await onStore(async (core) => {
    const of = await accountOf(core, account)
    const wanted = { version, complaints: only ?? null, privateKey }
    return { of, signature: await signRelease(core, of.id, wanted, core.operator) }
  })
  const { clinician, sha256, complaints, signedAt } = signature
  const { id, name, role } = clinician
  show(
    command,
    { account: of.id, version, sha256, complaints, signedAt, clinician: { id, name, role } },
    () =>
      `${printable(name)} (${printable(role)}) has signed ${complaints ? `${complaints.join(', ')} of ` : ''}release ${version} for ${of.name}.\nIts hash is ${sha256}.`,
  )
}
