import { useId, useState } from 'preact/hooks'
import { Icon } from '../../ui/icons.tsx'
import { useJourney } from '../context.ts'
import { useFocusOn } from '../focus.ts'
import { numberFrom } from '../questions/numbers.ts'

const FIRST_YEAR = 1880

/** Another device holds this session: anyone who knows the patient may continue here. */
export function Takeover({ refused }: { refused: boolean }) {
  const { journey, state, words } = useJourney()
  const { takeover } = words
  const [text, write] = useState('')
  const [hasTried, setTried] = useState(false)
  const heading = useFocusOn<HTMLHeadingElement>('takeover')
  const id = useId()
  const isBusy = state.sending !== null
  const number = numberFrom(text)
  const isWhole = number !== null && (number <= 130 || (number >= FIRST_YEAR && number <= new Date().getFullYear()))
  const fault = hasTried && !isWhole ? takeover.fault : refused && !hasTried ? takeover.refused : null
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isBusy) return
    setTried(true)
    if (number === null || !isWhole) return
    await journey.start(number >= FIRST_YEAR ? { birthYear: number } : { age: number })
    setTried(false)
  }
  return (
    <main class="page">
      <form class="ask" noValidate onSubmit={submit}>
        <h1 class="question" tabIndex={-1} ref={heading}>
          {takeover.title}
        </h1>
        <p class="help">{takeover.text}</p>
        <label class="labelled control">
          <span>{takeover.label}</span>
          <input
            class="field number"
            type="text"
            inputMode="numeric"
            autocomplete="off"
            aria-invalid={fault !== null}
            aria-describedby={fault ? `${id}fault` : undefined}
            value={text}
            onInput={(event) => {
              write(event.currentTarget.value)
              setTried(false)
            }}
          />
        </label>
        <div class="actions">
          <div role="alert">
            {fault && (
              <p class="fault" id={`${id}fault`}>
                <Icon name="warning" size={20} />
                {fault}
              </p>
            )}
          </div>
          <button type="submit" class="primary" aria-disabled={isBusy}>
            {takeover.go}
          </button>
        </div>
      </form>
    </main>
  )
}
