import { Command } from 'commander'
import { readSettings, SETTINGS, shownSetting } from '../settings.ts'
import { show, table } from './print.ts'

/** `fyr settings`: every setting, what it is now, and what it means. */
export function settingsCommand(): Command {
  return new Command('settings')
    .description('list every setting of the environment')
    .option('--markdown', 'print the table of docs/operations.md')
    .action((options: { markdown?: boolean }, command: Command) => {
      if (options.markdown) return void process.stdout.write(settingsTable())
      const rows = Object.entries(SETTINGS).map(([name, { fallback, means }]) => ({
        name,
        value: process.env[name] ? shownSetting(name, process.env[name]) : fallback,
        isSet: Boolean(process.env[name]),
        default: fallback,
        means,
      }))
      show(command, rows, () =>
        table(
          rows,
          [
            ['setting', ({ name }) => name],
            ['value', ({ value, isSet }) => `${value || '–'}${isSet ? ' (set)' : ''}`],
            ['means', ({ means }) => means],
          ],
          '',
        ),
      )
      readSettings(process.env) // reports what is wrong with the current ones
    })
}

/** The table of docs/operations.md, printed from the schema so that the two cannot differ. */
export function settingsTable(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, { fallback, means }]) => `| \`${name}\` | ${fallback ? `\`${fallback}\`` : '–'} | ${means} |`,
  )
  return `| Setting | Default | Means |\n|---|---|---|\n${rows.join('\n')}\n`
}
