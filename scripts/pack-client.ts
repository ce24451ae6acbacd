// Packs the client into a package of its own, without dependencies: fyr-client.tgz in dist or in the given folder.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const CLIENT = 'src/client'
const BUILT = 'dist/client'
const manifestIn = (folder: string) => JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))

const destination = resolve(process.argv[2] ?? `${ROOT}dist`)
process.chdir(ROOT)
rmSync(BUILT, { recursive: true, force: true })
mkdirSync(destination, { recursive: true })

await build({
  configFile: false,
  logLevel: 'warn',
  publicDir: false,
  build: {
    target: 'es2022',
    outDir: BUILT,
    minify: 'oxc',
    lib: { entry: `${CLIENT}/index.ts`, formats: ['es'], fileName: 'index' },
  },
})
execFileSync('tsc', ['-p', 'tsconfig.client.json'], { stdio: 'inherit' })
// The compiler leaves the names of sources in declarations, and not everyone who reads them looks for a .d.ts then.
for (const file of globSync(`${BUILT}/*.d.ts`))
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<= from '\.\/[\w-]+)\.ts(?=')/g, '.js'))

const { version } = manifestIn('.')
writeFileSync(`${BUILT}/package.json`, JSON.stringify({ ...manifestIn(CLIENT), version }, null, 2))
cpSync(`${CLIENT}/README.md`, `${BUILT}/README.md`)
cpSync('LICENSE', `${BUILT}/LICENSE`)

const said = execFileSync('npm', ['pack', `./${BUILT}`, '--json', '--silent', '--pack-destination', destination])
const [{ filename }] = Object.values(JSON.parse(said.toString())) as [{ filename: string }]
// Without its version, so that examples and documents can name it.
const tarball = resolve(destination, 'fyr-client.tgz')
renameSync(resolve(destination, filename), tarball)
console.log(tarball)
