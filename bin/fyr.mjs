#!/usr/bin/env node
// Runs the command line on the Node that the project installs, whatever Node started this file.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const own = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
const source = fileURLToPath(new URL('../src/cli/main.ts', import.meta.url))
const compiled = fileURLToPath(new URL('../dist/src/cli/main.js', import.meta.url))
const entry = existsSync(source) && !import.meta.url.includes('/node_modules/') ? source : compiled
const node = Number(process.versions.node.split('.')[0]) >= 26 ? process.execPath : own

if (!existsSync(node)) {
  console.error('fyr needs Node.js 26 or newer. In a checkout, `npm ci` brings it along; elsewhere install Node.js 26.')
  process.exit(1)
}
const run = spawnSync(node, [entry, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exit(run.status ?? 1)
