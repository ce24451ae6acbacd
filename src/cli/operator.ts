import { userInfo } from 'node:os'
import type { Command } from 'commander'
import { Refusal } from './print.ts'

const LONGEST_NAME = 100

/** Adds the option that says who gives a command. */
export const withOperator = (command: Command): Command =>
  command.option('--as <name>', 'who you are, for the record (default: the user of this machine)')

export type AsOperator = { as?: string }

/** Who gives a command, for the audit entry: the given name, or the user of the operating system. */
export function operatorOf({ as: given }: AsOperator): string {
  const name = (given ?? userInfo().username).trim()
  if (!name || name.length > LONGEST_NAME || /\p{Cc}/u.test(name))
    throw new Refusal(`--as must be a name of 1 to ${LONGEST_NAME} characters.`)
  return `operator:${name}`
}
