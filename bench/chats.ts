import { answersTo, type Chat } from './client.ts'
import type { Stage } from './stage.ts'

/** Sessions entered by headless clients, each with its first question. */
export async function entered({ port }: Pick<Stage, 'port'>, count: number, slug = 'demo'): Promise<Chat[]> {
  const chats: Chat[] = []
  for (let at = 0; at < count; at += 50) {
    const some = Array.from({ length: Math.min(50, count - at) }, async () => {
      const reply = await fetch(`http://127.0.0.1:${port}/api/triage/v1/configurations/${slug}/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"credential":"bearer"}',
      })
      if (reply.status !== 201) throw new Error(`Entering was answered ${reply.status}: ${await reply.text()}`)
      const { secret, session } = await reply.json()
      return { secret, version: session.version, answers: answersTo(session.step.questions) }
    })
    chats.push(...(await Promise.all(some)))
  }
  return chats
}
