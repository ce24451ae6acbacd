import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { confirm, isCancel } from '@clack/prompts'
import { Command } from 'commander'
import {
  applyPlan,
  ChangedMeanwhile,
  type CheckedPlan,
  isEmpty,
  type Made,
  planFile,
} from '../../account/file/apply.ts'
import { FileFaults, readClinicFile } from '../../account/file/read-file.ts'
import { Guard } from '../../events/delivery/guard.ts'
import { Refusal, remark, show } from '../print.ts'
import { onStore } from '../store.ts'
import { madeText, planJson, planText } from './plan-text.ts'

type Options = { yes?: boolean; diff?: boolean }

const HELP = `
The file is YAML or JSON, as \`fyr export-config\` prints it; examples/clinic.yaml in the source shows one, and
docs/clinic.schema.json lets an editor check it. What the file leaves out stays as it is, null takes a field away, and nothing is ever removed. Secrets
are not in it: those that come into being are shown this once.`

/** `fyr apply`: makes accounts what a file says they are. */
export function applyCommand(): Command {
  return new Command('apply')
    .description('make accounts, configurations, hours and webhooks what a file says; shows what changes first')
    .argument('<file>', 'the file; - reads it from the input')
    .option('--yes', 'do not ask')
    .option('--dry-run, --diff', 'only show what would change')
    .addHelpText('after', HELP)
    .action(async (path: string, options: Options, command: Command) => {
      const read = readClinicFile(await textOf(path))
      const done = await onStore(
        async (core, settings) => {
          const plan = await planFile(core, new Guard(settings), read)
          if (isEmpty(plan) || options.diff) return { plan, made: null }
          if (!options.yes) await makeSure(plan, command)
          return { plan, made: await applyPlan(core, read, plan).catch(asRefusal) }
        },
        { mayBegin: !options.diff && read.faults.length === 0 },
      ).catch((error) => {
        // Without a database the faults of its form can still be told.
        throw error instanceof FileFaults || read.faults.length === 0
          ? error
          : new FileFaults(read.faults.map(read.faultAt))
      })
      const isShown = done.made !== null && !options.yes
      show(command, { ...planJson(done.plan), applied: done.made !== null, made: done.made ?? [] }, () =>
        wordsFor(done.plan, done.made, isShown),
      )
    })
}

/** The input is read as a stream: it may be another command that is not done yet. */
async function textOf(path: string): Promise<string> {
  try {
    return path === '-' ? await text(process.stdin) : await readFile(path, 'utf8')
  } catch (error) {
    throw new Refusal(`${path} can't be read: ${error instanceof Error ? error.message : error}`)
  }
}

async function makeSure(plan: CheckedPlan, command: Command): Promise<void> {
  if (!process.stdin.isTTY || command.optsWithGlobals().json === true) {
    remark(planText(plan))
    throw new Refusal('Nothing was changed: nobody is here to be asked. Say --yes to apply it, --dry-run to only look.')
  }
  process.stdout.write(`${planText(plan)}\n`)
  const answer = await confirm({ message: 'Apply this?', initialValue: false })
  if (isCancel(answer) || !answer) throw new Refusal('Nothing was changed.')
}

function asRefusal(error: unknown): never {
  throw error instanceof ChangedMeanwhile
    ? new Refusal('Somebody changed these accounts at the same moment. Nothing was changed; run it again.')
    : error
}

function wordsFor(plan: CheckedPlan, made: readonly Made[] | null, isShown: boolean): string {
  if (isEmpty(plan)) return planText(plan)
  const diff = isShown ? '' : `${planText(plan)}\n\n`
  return made === null ? `${diff}Nothing was changed: this is what would be.` : `${diff}Applied.${madeText(made)}`
}
