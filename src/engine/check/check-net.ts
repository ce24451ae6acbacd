import { type Complaint, LANGUAGES, LEVELS, type Level } from '../content.ts'
import { flagAt, hasteOf } from '../flags.ts'
import type { Language } from '../languages.ts'
import type { Content } from '../load.ts'
import { say } from '../text/words.ts'

/** How a text says "today": later than a verdict of hours. */
const SAME_DAY: Readonly<Record<Language, RegExp>> = {
  en: /\bthe same day|\btoday/i,
  fi: /\bsama\S* päivä|\btänään/i,
  no: /samme dag|\bi dag/i,
  sv: /samma dag|\bi dag/i,
}

/** Lines of the safety net that tell a time which is later than a verdict beside which they stand. */
export function laterThanVerdict(content: Content, { id, safetyNet }: Complaint): string[] {
  const isHours = (level: Level) => flagAt(LEVELS.indexOf(level)) !== null
  return safetyNet
    .filter(({ levels }) => levels.some(isHours))
    .flatMap((item) =>
      LANGUAGES.filter((language) =>
        SAME_DAY[language].test(spoken(content, language, `safetyNet.${id}.${item.id}`)),
      ).map(
        (language) =>
          `Safety net "${item.id}" (${language}) says "the same day" beside a verdict of hours: write {haste, select, now {at once} other {the same day}}, or give it milder levels.`,
      ),
    )
}

/** The line as it stands beside a verdict of hours. */
const spoken = (content: Content, language: Language, path: string): string =>
  say(content, language, path, { who: 'self', clinic: 'phone', reach: 'yes', haste: hasteOf('warning') }) ?? ''
