import type { ComponentChildren } from 'preact'
import { CallPill } from '../ui/call.tsx'
import { Icon } from '../ui/icons.tsx'
import type { Language } from './api.ts'
import { useJourney } from './context.ts'
import { WORDS } from './words/words.ts'

/** What surrounds every page: the beam, whose service it is, the language, and the number to call. */
export function Frame({ reach, children }: { reach: number; children: ComponentChildren }) {
  const { journey, state, words } = useJourney()
  const name = state.configuration?.name ?? document.title
  const logo = state.configuration?.theme.logoUrl
  const number = journey.facts.emergencyNumber
  const isAlarmed = state.place.at === 'session' && state.place.view.alarm !== null
  return (
    <>
      <div class="beam" aria-hidden="true">
        <span style={{ transform: `scaleX(${reach})` }} />
      </div>
      <header class="bar">
        <div class="bar-inner">
          {logo ? <img class="bar-logo" src={logo} alt={name} /> : <span class="bar-name">{name}</span>}
          <LanguageMenu />
          <CallPill number={number} label={words.call(number)} isStanding={isAlarmed} />
        </div>
      </header>
      {children}
    </>
  )
}

/** A small icon with the browser's own list behind it. */
function LanguageMenu() {
  const { journey, state, words } = useJourney()
  const languages = state.configuration?.languages ?? []
  if (languages.length < 2) return null
  return (
    <label class="language">
      <Icon name="globe" size={20} />
      <span aria-hidden="true">{state.language.toUpperCase()}</span>
      <select
        aria-label={words.language}
        value={state.language}
        onChange={(event) => {
          const language = languages.find((one) => one === event.currentTarget.value)
          if (language) void journey.setLanguage(language)
        }}
      >
        {languages.map((language) => (
          <option key={language} value={language} lang={WORDS[language].tag}>
            {WORDS[language].name}
          </option>
        ))}
      </select>
    </label>
  )
}

/** The languages as words to tap, for the front page. */
export function LanguageRow() {
  const { journey, state, words } = useJourney()
  const languages: readonly Language[] = state.configuration?.languages ?? []
  if (languages.length < 2) return null
  return (
    <div class="languages" role="radiogroup" aria-label={words.language}>
      {languages.map((language) => (
        <label key={language} class="segment" lang={WORDS[language].tag}>
          <input
            type="radio"
            name="language"
            checked={state.language === language}
            onChange={() => void journey.setLanguage(language)}
          />
          <span>{WORDS[language].name}</span>
        </label>
      ))}
    </div>
  )
}
