/** On the page that says that the service is away: leads to the real one as soon as it answers, so that nobody need reload. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 15_000

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

async function isBack(): Promise<boolean> {
  try {
    return (await fetch(location.href, { cache: 'no-store' })).status < 500
  } catch {
    return false
  }
}

let wait = FIRST_WAIT_MS
do {
  await pause(wait * (1 + Math.random() / 2)) // not everyone at once
  wait = Math.min(wait * 2, LONGEST_WAIT_MS)
} while (!(await isBack()))
location.reload()

export {}
