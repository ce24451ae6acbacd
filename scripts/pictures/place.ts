import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'

const PORT = 8_945
const FOLDER = new URL('../../docs/screenshots/', import.meta.url).pathname
const TRIES = 100
const BETWEEN_MS = 200

/** Where pictures are taken: a service of its own with the demo clinic, in a temporary folder. */
export type Place = {
  url: string
  /** Runs a `fyr` command on the same data and returns its output. */
  fyr: (...args: string[]) => string
  leave: () => Promise<void>
}

export async function startPlace(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-screenshots-'))
  const environment = {
    ...process.env,
    PORT: String(PORT),
    METRICS_PORT: '0',
    PROCESSES: '1',
    DATA_DIR: folder,
    REQUESTS_PER_SECOND_PER_USER: '0',
  }
  const service = spawn(process.execPath, ['src/main.ts'], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://localhost:${PORT}`
  await answering(url, service)
  return {
    url,
    fyr: (...args) =>
      execFileSync(process.execPath, ['src/cli/main.ts', ...args], { encoding: 'utf8', env: environment }),
    leave: async () => {
      service.kill('SIGTERM')
      await new Promise((done) => service.once('exit', done))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until an address answers; the program behind it must not end meanwhile. */
export async function answering(url: string, program: ChildProcess): Promise<void> {
  for (let tries = 0; tries < TRIES && program.exitCode === null; tries++) {
    const reply = await fetch(url).catch(() => null)
    if (reply?.ok) return
    await new Promise((done) => setTimeout(done, BETWEEN_MS))
  }
  throw new Error(`Nothing answers at ${url}.`)
}

export async function opened(page: Page, address: string): Promise<void> {
  const reply = await page.goto(address)
  if (!reply?.ok()) throw new Error(`${address} was answered ${reply?.status()}.`)
}

/** Takes what stands on the screen into the documents, in few colours. */
export async function save(page: Page, name: string): Promise<void> {
  const bytes = await sharp(await page.screenshot())
    .png({ palette: true, quality: 90, compressionLevel: 9 })
    .toBuffer()
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(join(FOLDER, `${name}.png`), bytes)
  console.log(`${name}.png ${Math.round(bytes.length / 1024)} kB`)
}
