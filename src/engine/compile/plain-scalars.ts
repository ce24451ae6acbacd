import type { Located } from './document.ts'

/** Thrown where the plain reader meets YAML beyond its part. */
export const outside = new Error('Beyond the plain part of YAML')

export function scalarAt(path: string, line: number, value: unknown, source: string): Located {
  return { kind: 'scalar', place: [path, line], value, source }
}

/** A quoted text on one line: its source and its value. */
export function quoted(rest: string): [raw: string, value: string] {
  const raw = (rest[0] === "'" ? /^'(?:[^']|'')*'/ : /^"[^"\\]*"/).exec(rest)?.[0]
  if (raw === undefined) throw outside
  const inner = raw.slice(1, -1)
  return [raw, rest[0] === "'" ? inner.replaceAll("''", "'") : inner]
}

const INDICATOR = /^[&*!|>%@`'"[\]{},#]|^[?:-](?: |$)/

/** An unquoted text on one line: up to a comment. */
export function plainValue(rest: string): [raw: string, value: unknown] {
  const comment = rest.search(/\s#/)
  const raw = (comment < 0 ? rest : rest.slice(0, comment)).trimEnd()
  if (INDICATOR.test(raw) || /:(?:\s|$)/.test(raw)) throw outside
  return [raw, resolve(raw)]
}

/** The values of YAML's core schema. */
export function resolve(raw: string): unknown {
  if (raw === '' || /^(?:~|null|Null|NULL)$/.test(raw)) return null
  if (/^(?:true|True|TRUE)$/.test(raw)) return true
  if (/^(?:false|False|FALSE)$/.test(raw)) return false
  if (/^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/.test(raw)) return Number(raw)
  if (/^0o[0-7]+$|^0x[0-9a-fA-F]+$|^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/.test(raw)) throw outside
  return raw
}
