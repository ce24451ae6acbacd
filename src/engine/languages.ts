/** What a language is called outside Fyr, and how its readers write numbers. */
export interface LanguageFacts {
  /** Its name in itself. */
  readonly name: string
  readonly inEnglish: string
  /** As browsers, PDF readers and FHIR know it. */
  readonly tag: string
  /** Other tags whose readers get this language. */
  readonly alsoFor?: readonly string[]
  readonly locale: string
  readonly decimal: '.' | ','
}

/**
 * The languages of Fyr, one row each: the compiler then names every place that needs words or rules for it. Its content
 * is `<code>.yaml` in every content folder, which compiling the content asks for.
 */
const TABLE = {
  en: { name: 'English', inEnglish: 'English', tag: 'en', locale: 'en-GB', decimal: '.' },
  fi: { name: 'Suomi', inEnglish: 'Finnish', tag: 'fi', locale: 'fi-FI', decimal: ',' },
  // The interface says `no`; the texts are bokmål, and readers of nynorsk get them too.
  no: { name: 'Norsk', inEnglish: 'Norwegian', tag: 'nb', alsoFor: ['no', 'nn'], locale: 'nb-NO', decimal: ',' },
  sv: { name: 'Svenska', inEnglish: 'Swedish', tag: 'sv', locale: 'sv-SE', decimal: ',' },
} as const satisfies Record<string, LanguageFacts>

export type Language = keyof typeof TABLE
export const LANGUAGES = Object.keys(TABLE) as readonly Language[]

export const factsOf = (language: Language): LanguageFacts => TABLE[language]

/** The language as browsers, PDF readers and FHIR know it. */
export const tagOf = (language: Language): string => TABLE[language].tag

/** The language of a tag without its region, in lower case (`nb`, `sv`); undefined when Fyr does not have it. */
export const languageTagged = (tag: string): Language | undefined =>
  LANGUAGES.find((language) => tagOf(language) === tag || factsOf(language).alsoFor?.includes(tag))

/** A number as the readers of a language write it. */
export const decimalText = (value: number, language: Language): string =>
  String(value).replace('.', TABLE[language].decimal)

/** One value for every language. */
export const perLanguage = <T>(make: (language: Language) => T): Record<Language, T> =>
  Object.fromEntries(LANGUAGES.map((language) => [language, make(language)])) as Record<Language, T>
