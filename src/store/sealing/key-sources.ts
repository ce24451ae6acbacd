import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { StoreUnavailable } from '../database/db.ts'

const KEY_BYTES = 32
const COMMAND_TIMEOUT_MS = 20_000
/** Far more than a key takes; whoever prints more prints something else. */
const MOST_PRINTED_BYTES = 4_096

/** How an operator gives a master key: itself, the file that holds it, or the command that prints it. `name` is the setting. */
export type GivenKey =
  | { kind: 'value'; name: string; key: Buffer }
  | { kind: 'file'; name: string; file: string }
  | { kind: 'command'; name: string; command: string }

/** The given key. What cannot be had ends the start with a sentence, which never repeats what a file or command held. */
export async function readGivenKey(given: GivenKey, timeoutMs = COMMAND_TIMEOUT_MS): Promise<Buffer> {
  switch (given.kind) {
    case 'value':
      return given.key
    case 'file':
      return keyIn(contentsOf(given), `The file of ${given.name}`)
    case 'command':
      return keyIn(await printedBy(given, timeoutMs), `What the command of ${given.name} printed`)
  }
}

function contentsOf({ name, file }: { name: string; file: string }): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new StoreUnavailable(
      `The master key cannot be read from the file of ${name} (${code}). Nothing was changed, and no other key was made.`,
    )
  }
}

/** The key in a text of base64; without it nothing that was `lost` can be read. */
export function keyIn(text: string, what: string, lost = 'stored'): Buffer {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === KEY_BYTES) return key
  throw new StoreUnavailable(
    `${what} ${text.trim() ? `is not ${KEY_BYTES} bytes in base64` : 'is empty'}. Nothing was changed. Put the right key there; without it nothing ${lost} can be read, by anyone.`,
  )
}

/**
 * What a command prints, run by /bin/sh. Neither its output nor what it says on stderr goes anywhere else, and it does
 * not get the other master keys. One that does not end in time is killed with all it started.
 */
function printedBy({ name, command }: { name: string; command: string }, timeoutMs: number): Promise<string> {
  const environment = Object.entries(process.env).filter(([variable]) => !variable.startsWith('MASTER_KEY'))
  return new Promise((done, failed) => {
    const refuse = (why: string) =>
      failed(
        new StoreUnavailable(
          `The command of ${name} ${why}, so there is no master key. Run it by hand as the user that runs Fyr; it must print the key in base64 and end with 0.`,
        ),
      )
    const child = spawn('/bin/sh', ['-c', command], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: Object.fromEntries(environment),
      detached: true, // a group of its own, which can be ended as a whole
    })
    const printed: Buffer[] = []
    let [bytes, why] = [0, '']
    const end = (reason: string) => {
      why ||= reason
      child.stdout.destroy()
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL')
      } catch {} // it has just ended by itself
    }
    const timer = setTimeout(() => end(`did not end within ${timeoutMs / 1_000} seconds`), timeoutMs)
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MOST_PRINTED_BYTES) end('printed more than a key')
      else printed.push(chunk)
    })
    child.on('error', () => {
      why ||= 'cannot be run'
    })
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      if (why) refuse(why)
      else if (code !== 0) refuse(`failed (${signal ?? `exit code ${code}`})`)
      else done(Buffer.concat(printed).toString('utf8'))
    })
  })
}
