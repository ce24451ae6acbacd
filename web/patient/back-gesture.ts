import type { Journey } from './journey.ts'
import { isUnread, type State } from './state.ts'

/**
 * The browser's own Back, and the phone's gesture, lead to the question before instead of out of the page. The history
 * has one entry for each answer given in this tab, and one for an answer that is open to be changed. It follows the
 * session: where there is nothing to go back to, at the first question and at the result, Back leaves as it does anywhere.
 */
export function followBackGesture(journey: Journey): void {
  // A frame's history entries outlive the frame in the page around it, so there Back belongs to that page.
  if (journey.facts.isFramed) return
  history.scrollRestoration = 'manual'
  let depth = depthOf(history.state)
  /** How many steps there were before our first entry. */
  let before: number | null = null
  let isOwnMove = false

  const follow = () => {
    const { place, sending } = journey.state
    if (sending || isOwnMove || place.at === 'loading') return
    const steps = stepsIn(journey.state)
    before = steps === 0 ? 0 : Math.min(before ?? Math.max(0, steps - depth), steps)
    const wanted = steps - before
    while (depth < wanted) history.pushState({ depth: ++depth }, '')
    if (depth === wanted) return
    isOwnMove = true
    history.go(wanted - depth)
  }

  journey.subscribe(follow)
  addEventListener('popstate', ({ state }) => {
    if (location.hash) return // a link opened in this tab: the journey begins with it
    const isBack = depthOf(state) < depth
    depth = depthOf(state)
    if (isBack && !isOwnMove) stepBack(journey)
    isOwnMove = false
    follow()
  })
}

const depthOf = (state: unknown): number =>
  typeof state === 'object' && state !== null && 'depth' in state && typeof state.depth === 'number' ? state.depth : 0

/** How many times Back has something to do. */
function stepsIn({ place, editing }: State): number {
  if (place.at !== 'session' || place.view.step.kind === 'outcome') return 0
  return place.view.ledger.length + (editing ? 1 : 0)
}

/** One step: closes what is open; from an emergency card to the answer behind it, the alarm stands; else one question back. */
function stepBack(journey: Journey): void {
  const { place, editing } = journey.state
  if (place.at !== 'session') return
  if (editing) journey.keep()
  else if (isUnread(journey.state, place.view, 'alarm')) void journey.correct()
  else void journey.back()
}
