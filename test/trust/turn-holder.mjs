import { openPostgres } from '../../src/store/database/postgres.ts'

// Takes a turn and keeps it until it is told to end.
const [url, turn] = process.argv.slice(2)
const db = await openPostgres(url, 2)
await db.exclusively(Number(turn), async () => {
  process.stdout.write('held\n')
  await new Promise((done) => process.once('SIGTERM', done))
})
await db.close()
