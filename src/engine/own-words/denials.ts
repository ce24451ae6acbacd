import type { Role } from './known.ts'
import type { Word } from './read.ts'

/** "no fever, cough or pain": how far a denial reaches, in words that mean something. */
const LONGEST_DENIAL = 3
/** How far ahead of a comma an "or" may still belong to the same list. */
const LIST_AHEAD = 5

/** Why a word does not mean that the thing is there: "no fever", "does not hurt", "cannot swallow". */
export interface Denial {
  readonly kind: 'no' | 'not' | 'unable'
  /** Meaningful words between the denial and this word. */
  readonly distance: number
}

export type Token = Word | 'comma'

/** Marks the words of a sentence that are denied. */
export function markDenials(tokens: readonly Token[]): void {
  for (let at = 0; at < tokens.length; at++) {
    const kind = denialAt(tokens, at)
    if (kind && !denyAhead(tokens, at + 1, kind)) denyBehind(tokens, at - 1, kind)
  }
}

const roleAt = (tokens: readonly Token[], at: number): Role | undefined => {
  const token = at < 0 || at >= tokens.length ? undefined : tokens[at]
  return token === undefined || token === 'comma' ? undefined : token.known.role
}

function denialAt(tokens: readonly Token[], at: number): Denial['kind'] | undefined {
  const kind = roleAt(tokens, at)?.denies
  if (kind === undefined || kind === 'unable') return kind
  if (roleAt(tokens, at + 1)?.isOnly) return undefined
  const isAble = (near: number) => roleAt(tokens, near)?.isAble === true
  return isAble(at - 2) || isAble(at - 1) || isAble(at + 1) || isAble(at + 2) ? 'unable' : kind
}

/** Denies what follows; false when nothing meaningful does. */
function denyAhead(tokens: readonly Token[], from: number, kind: Denial['kind']): boolean {
  let distance = 0
  for (let at = from; at < tokens.length && distance < LONGEST_DENIAL; at++) {
    const token = tokens[at] as Token
    if (token === 'comma') {
      if (!listGoesOn(tokens, at + 1)) break
      distance = 0
      continue
    }
    const { role } = token.known
    if (role.isOr) distance = 0
    else if (role.ends || denialAt(tokens, at)) break
    else if (distance > 0 && role.isSubject) break
    else if (token.weight === 'meaning') token.denial = { kind, distance: distance++ }
    else if (token.weight === 'common' && !role.isAble) token.denial = { kind, distance }
  }
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (token !== 'comma' && token.weight === 'meaning' && token.denial !== undefined) return true
  }
  return false
}

/** "fever, cough or pain" is one list; "no fever, my throat hurts" is not. */
function listGoesOn(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < Math.min(from + LIST_AHEAD, tokens.length); at++) {
    const role = roleAt(tokens, at)
    if (role?.isOr) return true
    if (role?.ends) return false
  }
  return false
}

/** "kuumetta ei ole", "feber har hun ikke": the denial comes last. */
function denyBehind(tokens: readonly Token[], from: number, kind: Denial['kind']): void {
  let distance = 0
  for (let at = from; at >= 0 && distance < 2; at--) {
    const token = tokens[at]
    if (token === undefined || token === 'comma' || token.known.role.ends || denialAt(tokens, at)) break
    if (token.weight === 'meaning') token.denial = { kind, distance: distance++ }
  }
}
