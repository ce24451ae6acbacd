import { readFileSync } from 'node:fs'
import { Refusal } from './print.ts'

/** The JSON in an operator's file; validated where it is stored. */
export function jsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Refusal(`${path} can't be read as JSON: ${error instanceof Error ? error.message : error}`)
  }
}
