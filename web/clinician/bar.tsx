import { LANGUAGES, type Language } from '../../src/engine/content.ts'
import { useBench } from './context.ts'
import { timeOfDay } from './moments.ts'
import { Sign } from './signs.tsx'
import { WORDS } from './words/words.ts'

type Props = { language: Language; onLanguage: (language: Language) => void; onHelp: () => void; onEnd: () => void }

/** Whose page this is, who is looking, and until when. */
export function Bar({ language, onLanguage, onHelp, onEnd }: Props) {
  const { words, picture } = useBench()
  const { auditUserIdentifier, endsTimestamp } = picture.viewer
  return (
    <header class="bar">
      <p class="bar-name">
        <Sign name="lighthouse" size={24} />
        <span>
          <span class="bar-title">{words.title}</span> <span class="bar-clinic">{picture.clinic}</span>
        </span>
      </p>
      <p class="bar-viewer">
        <span>
          {words.viewingAs} <strong>{auditUserIdentifier}</strong>
        </span>{' '}
        <span class="bar-ends">{words.visitEnds(timeOfDay(words, picture, endsTimestamp))}</span>
      </p>
      <div class="bar-tools">
        <label class="bar-language">
          <span class="unseen">{words.language}</span>
          <select
            value={language}
            onChange={(event) => onLanguage(LANGUAGES.find((one) => one === event.currentTarget.value) ?? language)}
          >
            {LANGUAGES.map((one) => (
              <option key={one} value={one}>
                {WORDS[one].name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="bar-button" onClick={onHelp} aria-label={words.shortcuts} title={words.shortcuts}>
          <Sign name="keys" size={22} />
        </button>
        <button type="button" class="bar-button wide" onClick={onEnd}>
          {words.endVisit}
        </button>
      </div>
    </header>
  )
}
