import type { Language } from '../content.ts'
import type { Content } from '../load.ts'
import { formatMessage, parseMessage, type Variables } from './icu.ts'

/** A text of the release by its path (`question.fever.text`), filled in; undefined when the release has no such text. */
export function say(content: Content, language: Language, path: string, variables: Variables = {}): string | undefined {
  const known = content.messages[language].get(path)
  const source = content.release.words[language][path]
  if (!known && source === undefined) return undefined
  const message = known ?? parseMessage(source ?? '')
  if (!known) content.messages[language].set(path, message)
  return formatMessage(message, variables, language)
}
