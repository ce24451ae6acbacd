import { createContext } from 'preact'
import { useContext, useLayoutEffect, useReducer } from 'preact/hooks'
import type { Journey } from './journey.ts'
import type { State } from './state.ts'
import { WORDS, type Words } from './words/words.ts'

export const JourneyContext = createContext<Journey | null>(null)

/** The journey this page shows. Components that call this are rendered again when its state changes. */
export function useJourney(): { journey: Journey; state: State; words: Words } {
  const journey = useContext(JourneyContext)
  if (!journey) throw new Error('There is no journey here.')
  const [, redraw] = useReducer((times: number) => times + 1, 0)
  useLayoutEffect(() => journey.subscribe(() => redraw(undefined)), [journey])
  return { journey, state: journey.state, words: WORDS[journey.state.language] }
}
