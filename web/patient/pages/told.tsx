import { useJourney } from '../context.ts'
import { Text } from '../text.tsx'

/** What to say on the phone and what to do first: right below the number, before anything else. */
export function FirstSteps({ say, firstActions }: { say: string | null; firstActions: readonly string[] }) {
  const { alarm } = useJourney().words
  return (
    <>
      {say && (
        <section>
          <h2>{alarm.say}</h2>
          <p>
            <Text text={say} />
          </p>
        </section>
      )}
      {firstActions.length > 0 && (
        <section>
          <h2>{alarm.first}</h2>
          <ol class="first-actions">
            {firstActions.map((action) => (
              <li key={action}>
                <Text text={action} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </>
  )
}

/** What made a card appear, as it was answered: below what is to be done. */
export function ToldUs({ because, id }: { because: readonly string[]; id?: string }) {
  const { alarm } = useJourney().words
  if (because.length === 0) return null
  return (
    <div class="told" id={id}>
      <p>{alarm.told}</p>
      <ul>
        {because.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </div>
  )
}

/** What it can mean: not what was said, so it stands apart from that. */
export function Meaning({ title, reasons }: { title: string; reasons: readonly string[] }) {
  if (reasons.length === 0) return null
  return (
    <section class="meaning">
      <h2>{title}</h2>
      {reasons.map((reason) => (
        <p key={reason}>
          <Text text={reason} />
        </p>
      ))}
    </section>
  )
}
