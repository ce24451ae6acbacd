import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'vitest'
import { send } from '../world/call.ts'
import { freePort } from '../world/ports.ts'
import { fyrOn, noDatabaseOn, npmStart, type Started } from './started.ts'

/** Which process the kill -9 hits: the service, npm above it, or all of them at once. */
const VICTIMS = ['service', 'npm', 'all'] as const

function kill({ npm, servicePid }: Started, victim: (typeof VICTIMS)[number]): void {
  const pid = npm.pid ?? 0
  if (victim === 'service') process.kill(servicePid(), 'SIGKILL')
  else process.kill(victim === 'npm' ? pid : -pid, 'SIGKILL')
}

/**
 * Kills a service again and again while sessions are created, and starts the next one at once. Afterwards everything
 * that was acknowledged is there, the audit chain is whole, and no database is left behind.
 */
export async function surviveKills(times: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-kills-'))
  const data = join(folder, 'data')
  const port = await freePort()
  const ids = join(folder, 'acknowledged')
  let creator: ReturnType<typeof spawn> | null = null
  try {
    let started = await npmStart({ folder: data, port })
    const key = /fyr_[0-9A-Za-z]{38}/.exec(started.log())?.[0] ?? ''
    expect(key).not.toBe('')
    creator = spawn('node', ['test/trust/creator.mjs', started.url, key, ids], { stdio: 'ignore' })
    for (let time = 0; time < times; time++) {
      const before = acknowledged(ids).length
      while (acknowledged(ids).length < before + 5) await wait(20)
      await wait(Math.random() * 200)
      const service = started.servicePid()
      kill(started, VICTIMS[time % VICTIMS.length] ?? 'service')
      await started.ended
      await gone(service)
      started = await npmStart({ folder: data, port })
    }
    creator.kill('SIGKILL')
    const kept = acknowledged(ids)
    expect(kept.length).toBeGreaterThanOrEqual(times * 5)
    const lost: string[] = []
    for (const id of kept) {
      const { status } = await send(`${started.url}/api/v1/session/${id}/status`, 'GET', { key })
      if (status === 429) await wait(500)
      else if (status !== 200) lost.push(id)
    }
    expect(lost).toEqual([])
    expect(fyrOn(data, 'audit', 'verify')).toMatchObject({ code: 0 })
    process.kill(started.servicePid(), 'SIGTERM')
    await started.ended
    expect(await noDatabaseOn(data)).toBe(true)
  } finally {
    creator?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A service whose npm was killed ends by itself; one that stayed would answer in place of the next. */
async function gone(pid: number): Promise<void> {
  for (let attempt = 0; attempt < 4_000; attempt++) {
    try {
      if (/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))) return
    } catch {
      return
    }
    await wait(50)
  }
  throw new Error(`The service ${pid} is still there.`)
}

function acknowledged(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}
