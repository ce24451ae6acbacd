import { Problem } from '../problems.ts'

const DEEPEST = 32
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype'])

const refuse = (message: string): never => {
  throw new Problem('invalid-request', { errors: [{ pointer: '', message }] })
}

/**
 * Parses a JSON body by one strict rule: an object, no key twice, no key that could reach a prototype, no lone
 * surrogate, no NUL, not deeper than anything we document. `JSON.parse` alone would quietly keep the last of two keys.
 */
export function parseBody(bytes: Buffer): { value: Record<string, unknown>; text: string } {
  const text = decode(bytes)
  scan(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse('The body is not valid JSON.')
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return refuse('The body must be a JSON object.')
  return { value: value as Record<string, unknown>, text }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return refuse('The body is not valid UTF-8.')
  }
}

/** One pass over the text: checks depth, and the keys of each open object. Whether it is JSON is left to the parser. */
function scan(text: string): void {
  const open: (Set<string> | null)[] = []
  let expectsKey = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      const end = endOfString(text, at)
      if (expectsKey) noteKey(open.at(-1), text.slice(at, end + 1))
      else refuseBadText(text.slice(at, end + 1))
      expectsKey = false
      at = end
    } else if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : null)
      expectsKey = character === '{'
      if (open.length > DEEPEST) refuse(`The body is nested deeper than ${DEEPEST} levels.`)
    } else if (character === '}' || character === ']') {
      open.pop()
      expectsKey = false
    } else if (character === ',') {
      expectsKey = open.at(-1) instanceof Set
    }
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return refuse('The body is not valid JSON.')
}

function unquoted(literal: string): string {
  try {
    return JSON.parse(literal)
  } catch {
    return refuse('The body is not valid JSON.')
  }
}

function noteKey(keys: Set<string> | null | undefined, literal: string): void {
  refuseBadText(literal)
  const key = unquoted(literal)
  if (FORBIDDEN.has(key)) refuse('The body has a key that is never allowed.')
  if (keys?.has(key)) refuse('The body has the same key twice.')
  keys?.add(key)
}

function refuseBadText(literal: string): void {
  if (!literal.includes('\\u') && !/[\ud800-\udfff]/.test(literal)) return
  const value = unquoted(literal)
  if (value.includes('\0') || !value.isWellFormed())
    refuse('The body has a NUL or half a character (a lone surrogate) in a text.')
}
