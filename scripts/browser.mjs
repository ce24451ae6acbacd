// Finds a Chromium for the tests in a real browser: the one named in CHROMIUM, the one in the packages where it fits this
// machine, or an installed one. Run by itself it says which, and with --install asks the system's package manager for one.
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The path of a browser, or null. */
export async function findBrowser() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  const installed = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES].find(
    isExecutable,
  )
  if (installed) return installed
  if (process.platform !== 'linux' || process.arch !== 'x64') return null // the packaged one is built for this alone
  try {
    const { default: packaged } = await import('@sparticuz/chromium')
    return await packaged.executablePath()
  } catch {
    return null
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let found = await findBrowser()
  if (!found && process.argv.includes('--install')) {
    console.log('No Chromium was found for the tests in a browser: installing Debian’s with apt-get.')
    const options = {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }
    spawnSync('apt-get', ['update', '-qq'], options)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], options)
    found = await findBrowser()
  }
  console.log(found ?? 'No Chromium was found. Install one (Debian: apt-get install chromium) or name it in CHROMIUM.')
  process.exitCode = found ? 0 : 1
}
