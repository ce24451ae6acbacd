import './patient.css'
import { render } from 'preact'
import { App } from './app.tsx'
import { followBackGesture } from './back-gesture.ts'
import { JourneyContext } from './context.ts'
import { announceHeight, announcerTo } from './embed.ts'
import { readFacts } from './facts.ts'
import { Journey } from './journey.ts'
import { Tab } from './tab.ts'

const LONGEST_LOOK_MS = 400

const facts = readFacts()
const announce = announcerTo(facts)
const journey = new Journey(facts, new Tab(), announce)
followBackGesture(journey)
const app = document.getElementById('app')
if (app) {
  document.documentElement.classList.toggle('framed', facts.isFramed)
  // Rendered aside first: until it is complete, the page keeps the words and the number it came with.
  const drawn = document.createElement('div')
  drawn.className = 'shell'
  // A newcomer sees the front page at once; for a returning user the session is looked up first, but not for long.
  await Promise.race([journey.begin(), new Promise((done) => setTimeout(done, LONGEST_LOOK_MS))])
  render(
    <JourneyContext.Provider value={journey}>
      <App />
    </JourneyContext.Provider>,
    drawn,
  )
  app.replaceChildren(drawn)
  announce({ type: 'ready' })
  if (facts.isFramed) announceHeight(announce, drawn)
}
