import { type Command, InvalidArgumentError } from 'commander'
import { LANGUAGES, type Language } from '../../engine/content.ts'

/** Adds the option that says in which language a patient is told. */
export const inLanguage = (command: Command): Command =>
  command.option('--language <code>', LANGUAGES.join(', '), languageOf)

function languageOf(code: string): Language {
  const known = LANGUAGES.find((language) => language === code)
  if (!known) throw new InvalidArgumentError(`It must be one of ${LANGUAGES.join(', ')}.`)
  return known
}
