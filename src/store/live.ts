import pg from 'pg'

/** Marks the running service on an embedded database (exclusive) and the commands that use it meanwhile (shared). */
const SERVICE_LOCK = 0x46_59_52_02
const USE_LOCK = 0x46_59_52_03

export type Hold = { release: () => Promise<void> }

/** Takes the place of the one service on this data folder, or null when another holds it. */
export async function holdAsService(url: string): Promise<Hold | null> {
  const client = await connected(url)
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [SERVICE_LOCK])
  if (!rows[0].taken) {
    await client.end()
    return null
  }
  await client.query('select pg_advisory_lock_shared($1)', [USE_LOCK])
  return { release: () => client.end() }
}

/** Marks a command as using the database. `isLastUser` tells whether it may be stopped without pulling it from under anyone. */
export async function holdAsCommand(url: string): Promise<Hold & { isLastUser: () => Promise<boolean> }> {
  const client = await connected(url)
  await client.query('select pg_advisory_lock_shared($1)', [USE_LOCK])
  return {
    release: () => client.end(),
    isLastUser: async () => {
      await client.query('select pg_advisory_unlock_shared($1)', [USE_LOCK])
      const { rows } = await client.query('select pg_try_advisory_lock($1) as alone', [USE_LOCK])
      return rows[0].alone
    },
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'fyr hold' })
  client.on('error', () => {})
  await client.connect()
  return client
}
