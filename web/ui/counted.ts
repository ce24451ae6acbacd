/** What is said of none, of one, of more; `#` stands for the number. */
type Forms = { readonly [form in Intl.LDMLPluralRule]?: string } & { readonly none?: string; readonly other: string }

/** Says how many there are, in the plural forms of a language. */
export function counting(locale: string): (forms: Forms) => (n: number) => string {
  const rules = new Intl.PluralRules(locale)
  return (forms) => (n) => ((n === 0 && forms.none) || forms[rules.select(n)] || forms.other).replace('#', String(n))
}
