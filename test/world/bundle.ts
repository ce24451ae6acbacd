import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

const BUNDLED = '.bundled' // one folder below the root, as `src` is

/** The service as one program of few files, for what tests start. */
export const SERVICE = `${BUNDLED}/main.js`
/** So is the command line. */
export const FYR = `${BUNDLED}/fyr.js`
const ENTRIES = { main: 'src/main.ts', fyr: 'src/cli/main.ts', 'pdf-thread': 'src/session/uploads/pdf-thread.ts' }

/**
 * Puts the sources and the packages they use together, once for a run. Tests start the service and the command line some
 * hundred times, and from a thousand small files most of a command's time goes into finding and reading them.
 *
 * Another run may be starting from what is there or copying it, a test that runs tests among them: nothing unfinished lies
 * in the folder, each file is whole when it takes its place, and what an older one asks for stays.
 */
export default async function setup(): Promise<void> {
  await mkdir(BUNDLED, { recursive: true })
  const fresh = await mkdtemp(`${BUNDLED}-`)
  await bundle(fresh)
  const entries = Object.keys(ENTRIES).map((name) => `${name}.js`)
  const chunks = (await readdir(fresh)).filter((name) => !entries.includes(name))
  for (const name of [...chunks, ...entries]) await rename(join(fresh, name), join(BUNDLED, name))
  await rm(fresh, { recursive: true })
}

async function bundle(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: true,
      outDir: folder,
      rolldownOptions: {
        input: ENTRIES,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
    ssr: { noExternal: true, external: ['sharp'] },
  })
}
