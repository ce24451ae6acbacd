// Finds a Chromium for the browser tests: the one named in CHROMIUM, an installed one, or the packaged one where it
// fits this machine. Run directly, it says which; with --install it asks the system's package manager for one.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

export const NO_BROWSER =
  'no Chromium that starts was found; on Debian: apt-get install chromium, elsewhere install Chrome or name one in CHROMIUM'

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** An existing file is not enough: some are stubs for a missing package, some lack system libraries. */
const starts = (path) => spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 60_000 }).status === 0

/** The path of a browser that starts, or null. If CHROMIUM is set, only that one is tried. */
export async function findBrowser() {
  const named = process.env.CHROMIUM
  if (named) return starts(named) ? named : null
  const folders = (process.env.PATH ?? '').split(delimiter)
  const places = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES]
  return places.find((path) => isExecutable(path) && starts(path)) ?? (await packagedBrowser())
}

async function packagedBrowser() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null // the package is built for this platform only
  try {
    const { default: packaged } = await import('@sparticuz/chromium')
    const path = await packaged.executablePath()
    return starts(path) ? path : null
  } catch {
    return null
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let found = await findBrowser()
  if (!found && !process.env.CHROMIUM && process.argv.includes('--install')) {
    console.log('No Chromium was found for the tests in a browser: installing Debian’s with apt-get.')
    const options = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }
    spawnSync('apt-get', ['update', '-qq'], options)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options)
    found = await findBrowser()
  }
  console.log(found ?? `The tests in a browser cannot run: ${NO_BROWSER}.`)
  process.exitCode = found ? 0 : 1
}
