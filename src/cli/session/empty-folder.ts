import { mkdirSync, readdirSync } from 'node:fs'
import { Refusal } from '../print.ts'

/** A folder that only its owner can enter, made if there is none. One that holds something is refused: nothing is written over or mixed up. */
export function emptyFolder(path: string): string {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch {
    throw new Refusal(`The folder ${path} can't be made.`)
  }
  if (readdirSync(path).length > 0) throw new Refusal(`The folder ${path} holds something already; name a new one.`)
  return path
}
