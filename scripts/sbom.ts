// Prints the bill of materials, in CycloneDX: what package-lock.json holds, and nothing of the machine it is printed on.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const ARGS = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only', '--offline']

const { status, stdout, stderr } = spawnSync('npm', ARGS, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
if (status !== 0) throw new Error(stderr)
const bill = JSON.parse(stdout)
// npm calls the project by the name of its folder.
bill.metadata.component.name = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).name
console.log(JSON.stringify(bill, null, 2))
