/** Lower case without accents, so that "bröstsmärta" and "brostsmarta" are one word. */
export function fold(text: string): string {
  const lower = text.toLowerCase()
  return /^[a-z0-9]*$/.test(lower) ? lower : (foldedCommon(lower) ?? foldedAny(lower))
}

/** Folded letter by letter where all of them are common ones, as those of our languages are: in little of the time. */
function foldedCommon(text: string): string | undefined {
  let folded = ''
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit >= FOLDED.length) return undefined
    folded += FOLDED[unit]
  }
  return folded
}

function foldedAny(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/ø/g, 'o')
    .replace(/æ/g, 'a')
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, '')
}

/** By unit. */
const FOLDED: readonly string[] = Array.from({ length: 0x180 }, (_, unit) => foldedAny(String.fromCharCode(unit)))
