import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noDatabaseOn, npmStart } from './started.ts'

type User = { name: string; uid: number; gid: number }

/** An ordinary user of this machine, to whom root can change; null when there is none or we are not root. */
function ordinaryUser(): User | null {
  if (process.getuid?.() !== 0 || spawnSync('setpriv', ['--version']).status !== 0) return null
  const [line] = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .filter((one) => one.startsWith('nobody:'))
  const [name = '', , uid = '', gid = ''] = line?.split(':') ?? []
  return name ? { name, uid: Number(uid), gid: Number(gid) } : null
}

/** Clones the project into a folder that nobody else can enter, starts it with npm alone, and pastes what it prints. */
async function firstMinute(user: User | null): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-stranger-'))
  const checkout = join(folder, 'fyr')
  const home = join(folder, 'home')
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim()
  process.env.npm_config_registry = registry
  process.env.npm_config_cache = join(folder, 'cache')
  try {
    execFileSync('git', ['clone', '--quiet', process.cwd(), checkout])
    mkdirSync(home)
    chmodSync(folder, 0o700)
    if (user) giveAway(folder, user)
    const as = user ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--'] : []
    const started = await npmStart({ folder: join(checkout, 'data'), checkout, as, home })
    const printed = /^\s*(curl .*)$/m.exec(started.log())?.[1] ?? ''
    const created = JSON.parse(execFileSync('bash', ['-c', `${printed} --silent`], { encoding: 'utf8' }))
    expect(created).toMatchObject({ sessionId: expect.any(String), sessionStatus: 'Created' })
    const status = printed.replace('-X POST ', '').replace('/session ', `/session/${created.sessionId}/status `)
    expect(JSON.parse(execFileSync('bash', ['-c', `${status} --silent`], { encoding: 'utf8' }))).toEqual({
      sessionStatus: 'Created',
    })
    process.kill(started.servicePid(), 'SIGTERM')
    expect(await started.ended).toBe(0)
    expect(await noDatabaseOn(join(checkout, 'data'))).toBe(true)
  } finally {
    delete process.env.npm_config_cache
    rmSync(folder, { recursive: true, force: true })
  }
}

function giveAway(folder: string, { uid, gid }: User): void {
  chownSync(folder, uid, gid)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), uid, gid)
  }
}

test('a stranger’s first minute: clone, npm start, paste the curl, read the status', () => firstMinute(null))

const user = ordinaryUser()
test.skipIf(!user)('the same as an ordinary user, with the clone in a folder of mode 0700', () => firstMinute(user))
