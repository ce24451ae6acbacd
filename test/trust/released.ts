import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** What was released, the oldest first. A tag says the same, but does not come along with every clone. */
const RELEASED = [{ version: '0.1.0', commit: '485bb548' }]

/** A released version as it was, as programs in a folder of their own. */
export type Released = { version: string; service: string; fyr: string; remove: () => void }

/** Whether this clone holds its own past; a shallow one does not. */
export function hasReleased(): boolean {
  const isHere = RELEASED.every(({ commit }) => spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`]).status === 0)
  if (!isHere) console.log('This clone does not hold the released versions: an upgrade from one is left out.')
  return isHere
}

/** The version that was released last, from its sources and with its own packages. */
export function lastReleased(): Released {
  const { version, commit } = RELEASED.at(-1) as (typeof RELEASED)[number]
  const folder = mkdtempSync(join(tmpdir(), 'fyr-released-'))
  const sources = execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: sources })
  const lock = 'package-lock.json'
  if (readFileSync(lock).equals(readFileSync(join(folder, lock))))
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  else execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'inherit' })
  cpSync('dist/web', join(folder, 'dist/web'), { recursive: true }) // its pages are not looked at
  return {
    version,
    service: join(folder, 'src/main.ts'),
    fyr: join(folder, 'src/cli/main.ts'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
