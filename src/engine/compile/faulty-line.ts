const NEVER_CLOSED = /^deficient indentation|^unexpected end of the (?:stream|document) within/
const ENTRY = /^\s*(?:-(?: |$)|(?:[^\s'"#]+|'[^']*'|"[^"]*"):(?: |$))/
const OPEN_QUOTE = /(?:^|[:,[{-]) *(["'])(?:(?!\1).)*$/

/** The line to fix, counted from 0. Many YAML faults are noticed only below the line where they begin. */
export function lineToMend(lines: readonly string[], noticed: number, reason: string): number {
  if (NEVER_CLOSED.test(reason) && !/^\s*\t/.test(lines[noticed] ?? '')) {
    const opening = lines.findLastIndex((line, at) => at <= noticed && opensMore(line))
    return opening < 0 ? noticed : opening
  }
  const indent = indentOf(lines[noticed] ?? '')
  const above = lines.findLastIndex((line, at) => at < noticed && !/^\s*(?:#|$)/.test(line) && indentOf(line) <= indent)
  // A key without its colon is parsed as text that continues below.
  return above < 0 || ENTRY.test(lines[above] ?? '') ? noticed : above
}

/** Whether a quote or bracket of this line is still open at its end. */
function opensMore(line: string): boolean {
  if (OPEN_QUOTE.test(line.replace(/''|\\./g, ''))) return true
  const bare = line.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, '')
  return (bare.match(/[[{]/g)?.length ?? 0) > (bare.match(/[\]}]/g)?.length ?? 0)
}

const indentOf = (line: string): number => line.length - line.trimStart().length
