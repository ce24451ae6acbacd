import { resolve } from 'node:path'
import { isCancel, text } from '@clack/prompts'
import { Command } from 'commander'
import {
  type AccountExport,
  eraseAccount,
  erasureFault,
  exportAccount,
  type Proof,
} from '../../session/export/offboard.ts'
import { objectsOf } from '../../store/objects.ts'
import { fields, Refusal, show } from '../print.ts'
import { emptyFolder } from '../session/empty-folder.ts'
import { readingParts } from '../session/export.ts'
import { accountOf, onStore } from '../store.ts'

type Wanted = { exportTo?: string; erase?: string; yes?: boolean }

/** `fyr account offboard`: hands over everything an account has, then, as a step of its own, erases it with a proof. */
export function offboardCommand(): Command {
  return new Command('offboard')
    .description(
      'hand over everything an account has and then erase it, in two steps; the proof is kept with the export',
    )
    .argument('<account>', 'id or name')
    .option('--export-to <folder>', 'first step: write its sessions, set-up and audit trail into a new folder')
    .option('--erase <folder>', 'second step: erase the account that was exported into this folder')
    .option('--yes', 'do not ask')
    .action(async (given: string, { exportTo, erase, yes }: Wanted, command: Command) => {
      if ((exportTo === undefined) === (erase === undefined))
        throw new Refusal('Say one step: --export-to <folder>, and after that --erase <folder>.')
      return exportTo === undefined
        ? eraseStep(given, resolve(erase ?? ''), yes, command)
        : exportStep(given, exportTo, command)
    })
}

async function exportStep(given: string, to: string, command: Command): Promise<void> {
  const done = await onStore(async (core, settings) => {
    const account = await accountOf(core, given)
    return exportAccount(readingParts(core), objectsOf(settings), account, resolve(emptyFolder(to)))
  })
  show(command, { ...done, folder: resolve(to) }, () => exportedText(done, resolve(to)))
}

async function eraseStep(given: string, folder: string, yes: boolean | undefined, command: Command): Promise<void> {
  const proof = await onStore(async (core, settings) => {
    const account = await accountOf(core, given)
    const refuseFault = async () => {
      const fault = await erasureFault(core, account, folder)
      if (fault !== null) throw new Refusal(fault)
    }
    await refuseFault()
    if (!yes) {
      await makeSure(account.name)
      await refuseFault() // somebody may have answered while the name was typed
    }
    return eraseAccount(core, objectsOf(settings), account, folder)
  })
  show(command, { ...proof, folder }, () => proofText(proof, folder))
}

/** The name is typed: a key pressed too often must not erase a clinic. */
async function makeSure(name: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Refusal('Erasing cannot be undone: say --yes.')
  const typed = await text({ message: `This erases ${name} with all its sessions, for good. Type its name:` })
  if (isCancel(typed) || typed.trim() !== name) throw new Refusal('Nothing was erased.')
}

function exportedText({ account, sessions, files, auditEntries, unreadable, sha256 }: AccountExport, folder: string) {
  const told = fields([
    ['exported', `${account.name} (${account.id})`],
    ['folder', folder],
    ['sessions', `${sessions}, with ${files} files`],
    ['audit entries', String(auditEntries)],
    ['hash', sha256],
  ])
  const left = unreadable.length > 0 ? `\nNot readable, and not in it: ${unreadable.join(', ')}` : ''
  return `${told}${left}\n\nNothing is erased yet. When it has been handed over: fyr account offboard ${account.id} --erase ${folder}`
}

const proofText = (
  { account, erasedTimestamp, sessions, export: { sha256 }, checkpoints, by }: Proof,
  folder: string,
) =>
  `${fields([
    ['erased', `${account.name} (${account.id})`],
    ['when', erasedTimestamp],
    ['by', by],
    ['sessions', String(sessions)],
    ['export', sha256],
    ...checkpoints.map(
      ({ accountId, seq, hash }) => [`chain ${accountId.slice(0, 8)}`, `entry ${seq}, ${hash}`] as const,
    ),
  ])}\n\nThe proof is in ${folder}/proof.json. Keep it with the export; its checkpoints are in checkpoints.jsonl.`
