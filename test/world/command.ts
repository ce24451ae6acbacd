import { spawn } from 'node:child_process'
import { expect } from 'vitest'
import { FYR } from './bundle.ts'
import type { World } from './world.ts'

export type Run = { code: number | null; out: string; err: string }

/** The command line on a world's database, beside the service that runs on it, with these settings beside those. */
export function commandLine(
  world: () => Pick<World, 'databaseUrl' | 'masterKey'>,
  more: () => Record<string, string> = () => ({}),
) {
  const fyr = (...args: string[]): Promise<Run> => {
    const { databaseUrl, masterKey } = world()
    const env = {
      DATABASE_URL: databaseUrl,
      MASTER_KEY: masterKey.toString('base64'),
      ...more(),
    }
    return runFyr(args, env)
  }
  const json = async <T>(...args: string[]): Promise<T> => {
    const run = await fyr(...args, '--json')
    expect({ err: run.err, code: run.code }).toEqual({ err: '', code: 0 })
    return JSON.parse(run.out)
  }
  return { fyr, json }
}

/** The command line as it stands here, or that of another version, with these settings. */
export function runFyr(args: readonly string[], environment: Record<string, string>, program = FYR): Promise<Run> {
  return new Promise((done) => {
    const child = spawn('node', [program, ...args], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const run: Run = { code: null, out: '', err: '' }
    child.stdout.on('data', (chunk) => {
      run.out += chunk
    })
    child.stderr.on('data', (chunk) => {
      run.err += chunk
    })
    child.on('close', (code) => done({ ...run, code }))
  })
}
