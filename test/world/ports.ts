import { randomInt } from 'node:crypto'
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Below the ports that systems give to connections and to whoever listens without naming one. */
const [FIRST, LAST] = [10_000, 32_000]
const CLAIMS = join(tmpdir(), 'fyr-test-ports')
const CLAIM_HOLDS_MS = 3_600_000

/**
 * A port that nobody listens on and no other test takes: it may be seconds before it is used, and whoever else listened
 * there in the meantime would be taken for the service that a test started.
 */
export async function freePort(): Promise<number> {
  mkdirSync(CLAIMS, { recursive: true })
  for (;;) {
    const port = randomInt(FIRST, LAST)
    if (claim(join(CLAIMS, String(port))) && (await isFree(port))) return port
  }
}

function claim(file: string): boolean {
  try {
    writeFileSync(file, '', { flag: 'wx' })
    return true
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  if (Date.now() - statSync(file).mtimeMs < CLAIM_HOLDS_MS) return false
  utimesSync(file, new Date(), new Date())
  return true
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}
