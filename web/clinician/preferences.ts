import { LANGUAGES, type Language } from '../../src/engine/content.ts'

/** This browser's preferences; in frames without storage they are not kept. */
function kept(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function keep(name: string, value: string): void {
  try {
    localStorage.setItem(name, value)
  } catch {
    // not kept
  }
}

export const rememberedLanguage = (): Language | null =>
  LANGUAGES.find((language) => language === kept('fyr-clinician-language')) ?? null

export const rememberLanguage = (language: Language): void => keep('fyr-clinician-language', language)

/** Single keys can interfere with dictation and other tools, so they can be switched off. */
export const areKeysOn = (): boolean => kept('fyr-clinician-keys') !== 'off'
export const switchKeys = (on: boolean): void => keep('fyr-clinician-keys', on ? 'on' : 'off')
