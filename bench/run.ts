import { runBenches } from './benches.ts'

/** `npm run bench`: runs every *.bench.ts here, or those whose name begins with a word given. */
process.exitCode = (await runBenches(new URL('.', import.meta.url), process.argv.slice(2))) ? 0 : 1
