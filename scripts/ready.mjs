// Installs and builds what is missing before `npm start` and `npm test`; quickly does nothing when all is there. Plain
// JavaScript that an older Node understands, because it runs before the project's own Node is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error('Fyr needs at least Node.js 20 to install itself; it then runs on the Node.js 26 it brings along.')
  process.exit(1)
}

const hashOf = (text) => createHash('sha256').update(text).digest('hex')

function ran(command, args) {
  const { status } = spawnSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (status !== 0) process.exit(status ?? 1)
}

const installedMark = join('node_modules', '.fyr-installed')
const lock = hashOf(readFileSync('package-lock.json', 'utf8'))
if (!existsSync(installedMark) || readFileSync(installedMark, 'utf8') !== lock) {
  console.log('Installing what Fyr needs (once, about half a minute) …')
  ran('npm', ['ci', '--loglevel=error', '--no-fund', '--no-audit'])
  writeFileSync(installedMark, lock)
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  )
}

if (existsSync('vite.config.ts')) {
  const sources = [...filesBelow('web'), 'vite.config.ts'].sort()
  const state = hashOf(sources.map((file) => `${file} ${statSync(file).mtimeMs} ${statSync(file).size}`).join('\n'))
  const builtMark = join('dist', 'web', '.built')
  if (!existsSync(builtMark) || readFileSync(builtMark, 'utf8') !== state) {
    console.log('Building the pages …')
    ran('npm', ['run', '--silent', 'build:web'])
    mkdirSync(join('dist', 'web'), { recursive: true })
    writeFileSync(builtMark, state)
  }
}
