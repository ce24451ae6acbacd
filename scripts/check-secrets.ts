// Searches for secrets by their shape, in every file that git tracks here or in the given files and folders. Reports
// file and line, never the secret.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { isWellFormedKey } from '../src/account/key.ts'

type Allowed = { file: string; sha256: string; reason: string }

/** The shape of a secret: a pattern, and what else must hold for a match to count. */
type Shape = { what: string; pattern: RegExp; isSecret?: (found: string) => boolean }

const SHAPES: readonly Shape[] = [
  { what: 'a key of this service', pattern: /\bfyr_[0-9A-Za-z]{38}\b/g, isSecret: isWellFormedKey },
  { what: 'a webhook secret', pattern: /\bwhsec_[0-9A-Za-z+/]{24,}=*/g, isSecret: isVaried },
  { what: 'a private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*[0-9A-Za-z+/]{16}/g },
  { what: 'a key of a cloud', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  {
    what: 'a token of a forge or a registry',
    pattern: /\b(?:gh[pousr]_[0-9A-Za-z]{36}|npm_[0-9A-Za-z]{36}|xox[abpr]-[0-9A-Za-z-]{20,})/g,
  },
  {
    what: 'a value that is random, under a name that is secret',
    pattern:
      /(?:secret|passw(?:or)?d|token|api_?key|master_?key|private_?key)\w{0,12}["']?\s{0,4}[:=]\s{0,4}["'`]?([0-9A-Za-z+/_=-]{40,})/gi,
    isSecret: isRandom,
  },
]

const LEAST_BITS_PER_CHARACTER = 3.3

/** Random text rarely repeats itself. */
function isVaried(text: string): boolean {
  const counts = new Map<string, number>()
  for (const sign of text) counts.set(sign, (counts.get(sign) ?? 0) + 1)
  const bits = [...counts.values()].reduce((sum, n) => sum - (n / text.length) * Math.log2(n / text.length), 0)
  return bits > LEAST_BITS_PER_CHARACTER
}

/** Identifiers are varied too, but rarely hold digits or the punctuation of base64. */
function isRandom(text: string): boolean {
  return /[\d+/=]/.test(text) && /[A-Za-z]/.test(text) && isVaried(text)
}

const ALLOWED = load(readFileSync(join(import.meta.dirname, '../safety/secrets.yaml'), 'utf8')) as {
  allowed: Allowed[]
}

function* secretsIn(file: string): Generator<string> {
  const text = readFileSync(file, 'latin1')
  for (const { what, pattern, isSecret = () => true } of SHAPES)
    for (const match of text.matchAll(pattern)) {
      const found = match[1] ?? match[0]
      const sha256 = createHash('sha256').update(found).digest('hex').slice(0, 16)
      if (!isSecret(found) || ALLOWED.allowed.some((one) => one.file === file && one.sha256 === sha256)) continue
      const line = text.slice(0, match.index).split('\n').length
      yield `${file}:${line}: this looks like ${what} (${sha256}).`
    }
}

function tracked(): string[] {
  const { status, stdout, stderr } = spawnSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`git cannot tell which files it knows: ${stderr}`)
  return stdout.split('\0').filter((file) => file && existsSync(file))
}

const below = (path: string): string[] =>
  statSync(path).isDirectory() ? readdirSync(path, { recursive: true }).map((file) => join(path, String(file))) : [path]

const given = process.argv.slice(2)
const files = (given.length > 0 ? given.flatMap(below) : tracked()).filter((file) => statSync(file).isFile())
const faults = files.flatMap((file) => [...secretsIn(file)])
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
