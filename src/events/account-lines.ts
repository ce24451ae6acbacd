/**
 * One queue for each account: while a batch is being written, new items wait and form the next one. `batched` in the
 * store gathers reads and answers of all accounts with two runs in flight; here an account's batches follow each other,
 * and no account waits for another. `write` settles its batch itself and does not throw; `take` removes the next batch
 * from the queue.
 */
export function accountLines<One>(
  write: (accountId: string, batch: One[]) => Promise<void>,
  take: (waiting: One[]) => One[] = (waiting) => waiting.splice(0),
): (accountId: string, one: One) => void {
  const lines = new Map<string, One[]>()

  async function run(accountId: string, line: One[]): Promise<void> {
    await Promise.resolve() // let everything of this turn of the event loop join
    while (line.length > 0) await write(accountId, take(line))
    lines.delete(accountId)
  }

  return (accountId, one) => {
    const line = lines.get(accountId)
    if (line) return void line.push(one)
    const fresh = [one]
    lines.set(accountId, fresh)
    void run(accountId, fresh)
  }
}
