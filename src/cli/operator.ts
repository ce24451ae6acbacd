import { userInfo } from 'node:os'
import type { Settings } from '../settings.ts'
import { Refusal } from './print.ts'

const LONGEST_NAME = 100

/** Who gives a command, for its audit entries: the name from --as or OPERATOR, else the user of the operating system. */
export const operatorOf = ({ OPERATOR: given }: Pick<Settings, 'OPERATOR'>): string =>
  `operator:${operatorName(given ?? userOfMachine())}`

/** A name that can go on record. */
export function operatorName(given: string): string {
  const name = given.trim()
  if (!name || name.length > LONGEST_NAME || /\p{Cc}/u.test(name))
    throw new Refusal(`--as must be a name of 1 to ${LONGEST_NAME} characters.`)
  return name
}

/** In a container the user may have a number and no name. */
function userOfMachine(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
