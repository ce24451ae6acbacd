import type { Language } from '../content.ts'

/** The part of ICU MessageFormat that content uses: variables, `select` and `plural`. */
export type Message = readonly Part[]
type Part = string | { readonly kind: 'value'; readonly name: string } | { readonly kind: 'count' } | Choice
type Choice = {
  readonly kind: 'select' | 'plural'
  readonly name: string
  readonly cases: ReadonlyMap<string, Message>
}

export type Variables = Readonly<Record<string, string | number>>

/** Parses a message; throws a SyntaxError with a sentence for the author. */
export function parseMessage(text: string): Message {
  let at = 0
  const fail = (message: string): never => {
    throw new SyntaxError(message)
  }
  const word = () => {
    const found =
      /^\s*([\w=-]+)\s*/.exec(text.slice(at)) ??
      fail(`A name is missing after "${text.slice(Math.max(0, at - 12), at)}".`)
    at += found[0].length
    return found[1] ?? ''
  }
  const parts = (depth: number, plural: boolean): Part[] => {
    const found: Part[] = []
    let plain = ''
    const flush = () => {
      if (plain) found.push(plain)
      plain = ''
    }
    for (; at < text.length; at++) {
      const char = text[at]
      const next = text[at + 1]
      if (char === "'" && next === "'") {
        plain += "'"
        at++
      } else if (char === "'" && (next === '{' || next === '}')) {
        const end = text.indexOf("'", at + 1)
        plain += text.slice(at + 1, end < 0 ? text.length : end)
        at = end < 0 ? text.length : end
      } else if (char === '{') {
        flush()
        at++
        found.push(argument(depth))
      } else if (char === '}') {
        if (depth === 0) fail('There is a "}" too many.')
        break
      } else if (char === '#' && plural) {
        flush()
        found.push({ kind: 'count' })
      } else plain += char
    }
    flush()
    return found
  }
  const argument = (depth: number): Part => {
    const name = word()
    if (text[at] === '}') return { kind: 'value', name }
    if (text[at] !== ',') fail(`After {${name} comes a comma or a "}".`)
    at++
    const kind = word()
    if (kind !== 'select' && kind !== 'plural') fail(`"${kind}" is not known: use select or plural.`)
    if (text[at] !== ',') fail(`After {${name}, ${kind} comes a comma.`)
    at++
    const cases = new Map<string, Message>()
    while (at < text.length && /[^}]/.test(text.slice(at).trimStart()[0] ?? '}')) {
      const label = word()
      if (text[at] !== '{') fail(`The text for "${label}" stands in braces: ${label} {…}.`)
      at++
      cases.set(label, parts(depth + 1, kind === 'plural'))
      if (text[at] !== '}') fail('A "}" is missing.')
      at++
    }
    at += (/^\s*/.exec(text.slice(at)) ?? [''])[0].length
    if (text[at] !== '}') fail('A "}" is missing.')
    if (!cases.has('other')) fail(`{${name}, ${kind}, …} needs the case "other".`)
    return { kind: kind === 'plural' ? 'plural' : 'select', name, cases }
  }
  return parts(0, false)
}

/** A formatted message, with the plural forms of its language. */
export function formatMessage(message: Message, variables: Variables, language: Language, count?: number): string {
  let text = ''
  for (const part of message) {
    if (typeof part === 'string') text += part
    else if (part.kind === 'count') text += formatValue(count ?? 0, language)
    else if (part.kind === 'value') text += formatValue(variables[part.name] ?? '', language)
    else {
      const value = variables[part.name]
      const number = part.kind === 'plural' && typeof value === 'number' ? value : count
      text += formatMessage(caseFor(part, value, language), variables, language, number)
    }
  }
  return text
}

const PLURALS: Readonly<Record<Language, Intl.PluralRules>> = {
  en: new Intl.PluralRules('en'),
  fi: new Intl.PluralRules('fi'),
  no: new Intl.PluralRules('nb'),
  sv: new Intl.PluralRules('sv'),
}

function caseFor({ kind, cases }: Choice, value: string | number | undefined, language: Language): Message {
  const isCounted = kind === 'plural' && typeof value === 'number'
  const exact = isCounted ? cases.get(`=${value}`) : undefined
  const label = isCounted ? PLURALS[language].select(value) : String(value)
  return exact ?? cases.get(label) ?? cases.get('other') ?? []
}

/** Decimals take the point in English and the comma in the other languages. */
const formatValue = (value: string | number, language: Language) =>
  typeof value === 'number' && language !== 'en' ? String(value).replace('.', ',') : String(value)

/** Every variable a message needs, and for `select` the cases it has. */
export function variablesIn(message: Message, into = new Map<string, Set<string>>()): Map<string, Set<string>> {
  for (const part of message) {
    if (typeof part === 'string' || part.kind === 'count') continue
    const cases = into.get(part.name) ?? new Set()
    into.set(part.name, cases)
    if (part.kind === 'value') continue
    for (const [label, inner] of part.cases) {
      cases.add(label)
      variablesIn(inner, into)
    }
  }
  return into
}

/** The names whose value a message uses without making sure that there is one: outside the `other` of a select by that very name. */
export function bareValuesIn(message: Message, names: readonly string[]): string[] {
  return message.flatMap((part) => {
    if (typeof part === 'string' || part.kind === 'count') return []
    if (part.kind === 'value') return names.includes(part.name) ? [part.name] : []
    return [...part.cases].flatMap(([label, inner]) =>
      bareValuesIn(inner, label === 'other' ? names.filter((name) => name !== part.name) : names),
    )
  })
}
