import { Command, CommanderError } from 'commander'
import { VERSION } from '../version.ts'
import { operatorName } from './operator.ts'
import { REFUSED, tellFault, WRONG_USAGE } from './print.ts'

const program = new Command('fyr')
  .description('Open medical triage. Runs the service and looks after what it keeps.')
  .version(VERSION, '-v, --version', 'print the version')
  .option('--json', 'print JSON instead of tables')
  .option('--as <name>', 'who you are, for the record (default: OPERATOR, else the user of this machine)')
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

/** In the order of the help. Only the named command is loaded: loading all of them would take most of a short command's time. */
const COMMANDS = {
  serve: async () => (await import('./serve.ts')).serveCommand(() => import('../main.ts')),
  status: async () => (await import('./status.ts')).statusCommand(),
  account: async () => (await import('./account.ts')).accountCommand(),
  access: async () => (await import('./access/access.ts')).accessCommand(),
  configuration: async () => (await import('./configuration.ts')).configurationCommand(),
  apply: async () => (await import('./file/apply.ts')).applyCommand(),
  'export-config': async () => (await import('./file/export-config.ts')).exportConfigCommand(),
  content: async () => (await import('./content.ts')).contentCommand(),
  clinician: async () => (await import('./clinician.ts')).clinicianCommand(),
  key: async () => (await import('./key.ts')).keyCommand(),
  'master-key': async () => (await import('./sealing/master-key.ts')).masterKeyCommand(),
  'account-key': async () => (await import('./sealing/account-key.ts')).accountKeyCommand(),
  session: async () => (await import('./session.ts')).sessionCommand(),
  visit: async () => (await import('./visit.ts')).visitCommand(),
  webhook: async () => (await import('./webhook.ts')).webhookCommand(),
  audit: async () => (await import('./audit.ts')).auditCommand(),
  database: async () => (await import('./database/database.ts')).databaseCommand(),
  backup: async () => (await import('./backup/backup.ts')).backupCommand(),
  restore: async () => (await import('./backup/restore.ts')).restoreCommand(),
  settings: async () => (await import('./settings.ts')).settingsCommand(),
} as const

const named = process.argv.slice(2).find((word) => !word.startsWith('-'))
const wanted = Object.entries(COMMANDS).filter(([name]) => name === named)
for (const [, command] of wanted.length > 0 ? wanted : Object.entries(COMMANDS)) program.addCommand(await command())
refuseByThrowing(program)
program.hook('preAction', (_program, command) => {
  const { as: name } = command.optsWithGlobals<{ as?: string }>()
  if (name !== undefined) process.env.OPERATOR = operatorName(name) // for this command, what the setting says for all
})

/** Commander would exit by itself; throwing lets one place report the fault and set the exit code. */
function refuseByThrowing(command: Command): void {
  command.exitOverride().helpCommand(false)
  for (const inner of command.commands) refuseByThrowing(inner.copyInheritedSettings(command))
}

// Whoever reads only the beginning (`fyr … | head`) closes the pipe: nothing is wrong, and nobody is left to tell.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE
  else process.exitCode = tellFault(error, program.opts().json === true)
}
