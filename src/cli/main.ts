import { Command, CommanderError } from 'commander'
import { VERSION } from '../version.ts'
import { accountCommand } from './account.ts'
import { auditCommand } from './audit.ts'
import { clinicianCommand } from './clinician.ts'
import { configurationCommand } from './configuration.ts'
import { contentCommand } from './content.ts'
import { keyCommand } from './key.ts'
import { REFUSED, tellFault, WRONG_USAGE } from './print.ts'
import { serveCommand } from './serve.ts'
import { sessionCommand } from './session.ts'
import { settingsCommand } from './settings.ts'
import { webhookCommand } from './webhook.ts'

const program = new Command('fyr')
  .description('Open medical triage. Runs the service and looks after what it keeps.')
  .version(VERSION, '-v, --version', 'print the version')
  .option('--json', 'print JSON instead of tables')
  .helpOption('-h, --help', 'print this help')
  .helpCommand(false)
  .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
  .showSuggestionAfterError()
  .addHelpText(
    'after',
    `
Commands work on the same data as the service, whether it runs or not: the embedded database in DATA_DIR, or the
server that DATABASE_URL and MASTER_KEY name. \`fyr settings\` lists every setting.

Exit codes: 0 done, ${REFUSED} refused or failed, ${WRONG_USAGE} wrong usage.`,
  )

const commands = [
  serveCommand(() => import('../main.ts')),
  accountCommand(),
  configurationCommand(),
  contentCommand(),
  clinicianCommand(),
  keyCommand(),
  sessionCommand(),
  webhookCommand(),
  auditCommand(),
  settingsCommand(),
]
for (const command of commands) program.addCommand(command)
refuseByThrowing(program)

/** Commander would end the process by itself; here one place tells the fault and sets the exit code. */
function refuseByThrowing(command: Command): void {
  command.exitOverride().helpCommand(false)
  for (const inner of command.commands) refuseByThrowing(inner.copyInheritedSettings(command))
}

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE
  else process.exitCode = tellFault(error, program.opts().json === true)
}
