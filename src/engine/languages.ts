/** What the world outside calls a language, and how its people write numbers. */
export interface LanguageFacts {
  /** Its name in itself. */
  readonly name: string
  readonly inEnglish: string
  /** As browsers, PDF readers and FHIR know it. */
  readonly tag: string
  /** Other tags whose readers are given this language. */
  readonly alsoFor?: readonly string[]
  readonly locale: string
  readonly decimal: '.' | ','
}

/**
 * The languages of Fyr. A row is a language: the compiler then names every place that needs words or rules for it, and
 * everything else follows by itself. Its content is `<code>.yaml` in every folder of content, which compiling asks for.
 */
const TABLE = {
  en: { name: 'English', inEnglish: 'English', tag: 'en', locale: 'en-GB', decimal: '.' },
  fi: { name: 'Suomi', inEnglish: 'Finnish', tag: 'fi', locale: 'fi-FI', decimal: ',' },
  // The interface says `no`; what is written is bokmål, and who reads nynorsk is given it too.
  no: { name: 'Norsk', inEnglish: 'Norwegian', tag: 'nb', alsoFor: ['no', 'nn'], locale: 'nb-NO', decimal: ',' },
  sv: { name: 'Svenska', inEnglish: 'Swedish', tag: 'sv', locale: 'sv-SE', decimal: ',' },
} as const satisfies Record<string, LanguageFacts>

export type Language = keyof typeof TABLE
export const LANGUAGES = Object.keys(TABLE) as readonly Language[]

export const factsOf = (language: Language): LanguageFacts => TABLE[language]

/** The language as browsers, PDF readers and FHIR know it. */
export const tagOf = (language: Language): string => TABLE[language].tag

/** The language of a tag without its region, in small letters (`nb`, `sv`); undefined when Fyr does not speak it. */
export const languageTagged = (tag: string): Language | undefined =>
  LANGUAGES.find((language) => tagOf(language) === tag || factsOf(language).alsoFor?.includes(tag))

/** A number as the readers of a language write it. */
export const decimalText = (value: number, language: Language): string =>
  String(value).replace('.', TABLE[language].decimal)

/** The same for every language. */
export const perLanguage = <T>(make: (language: Language) => T): Record<Language, T> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<Language, T>
