#!/usr/bin/env node
// Runs the command line on the Node that the project installs, whatever Node started this file.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const NEEDED = 26
const source = new URL('../src/cli/main.ts', import.meta.url)
const compiled = new URL('../dist/cli/main.js', import.meta.url)
const entry = existsSync(source) && !import.meta.url.includes('/node_modules/') ? source : compiled

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  module.enableCompileCache() // a command is short; most of its time would go into reading the same code again
  await import(entry.href)
} else runOnOwnNode()

function runOnOwnNode() {
  const own = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url))
  if (!existsSync(own)) {
    console.error(
      `fyr needs Node.js ${NEEDED} or newer. In a checkout, \`npm ci\` brings it along; elsewhere install it.`,
    )
    process.exit(1)
  }
  const child = spawn(own, [fileURLToPath(entry), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
}
