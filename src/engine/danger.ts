import { LANGUAGES, type Value } from './content.ts'
import type { Content } from './load.ts'

/** Whether the patient's own words contain any of the emergency check's danger words, in any language. */
export function soundsDangerous(content: Content, matter: Value): boolean {
  if (typeof matter !== 'string' || matter === '') return false
  const text = ` ${plain(matter)} `
  return LANGUAGES.some((language) => content.release.danger[language].some((phrase) => text.includes(` ${plain(phrase)}`)))
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[’'`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
