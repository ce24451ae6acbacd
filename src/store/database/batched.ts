const MOST_IN_FLIGHT = 2
const LARGEST = 500

type Waiting<Ask, Answer> = { ask: Ask; done: (answer: Answer) => void; failed: (error: unknown) => void }

/**
 * Gathers concurrent requests into one run, so that each costs the database a fraction of a statement. While two runs
 * are in flight, new requests wait for the next: the busier it is, the larger the batches.
 */
export function batched<Ask, Answer>(run: (asks: Ask[]) => Promise<Answer[]>): (ask: Ask) => Promise<Answer> {
  const waiting: Waiting<Ask, Answer>[] = []
  let inFlight = 0
  let isDue = false

  function start(): void {
    isDue = false
    if (waiting.length > 0 && inFlight < MOST_IN_FLIGHT) void flush()
  }

  async function flush(): Promise<void> {
    const batch = waiting.splice(0, LARGEST)
    inFlight++
    try {
      const answers = await run(batch.map(({ ask }) => ask))
      batch.forEach(({ done }, at) => {
        done(answers[at] as Answer)
      })
    } catch (error) {
      for (const { failed } of batch) failed(error)
    } finally {
      inFlight--
      start()
    }
  }

  return (ask) =>
    new Promise((done, failed) => {
      waiting.push({ ask, done, failed })
      if (isDue || inFlight >= MOST_IN_FLIGHT) return
      isDue = true
      setImmediate(start)
    })
}
