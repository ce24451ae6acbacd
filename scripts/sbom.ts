// Prints the bill of materials in CycloneDX: the contents of package-lock.json, nothing about this machine.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const ARGS = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only', '--offline']

const { status, stdout, stderr } = spawnSync('npm', ARGS, { cwd: ROOT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
if (status !== 0) throw new Error(stderr)
const bill = JSON.parse(stdout)
// npm names the project after its folder.
bill.metadata.component.name = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')).name
console.log(JSON.stringify(bill, null, 2))
