import { escaped } from '../html.ts'

/** More lines than this are folded away. */
const MOST_LINES = 24

const pre = (html: string): string => `<pre><code>${html}</code></pre>`

/** The same request in several languages: one is open, the others a press away. */
export function choices(group: string, blocks: readonly (readonly [name: string, code: string])[]): string {
  const parts = blocks.map(
    ([name, code], at) =>
      `<details name="${group}"${at === 0 ? ' open' : ''}><summary>${name}</summary>${pre(escaped(code))}</details>`,
  )
  return `<div class="code choices">${parts.join('')}</div>`
}

export const plain = (name: string, code: string): string =>
  `<figure class="code"><figcaption>${escaped(name)}</figcaption>${pre(escaped(code))}</figure>`

/** JSON with its parts told apart; a long one is folded. */
export function json(name: string, value: unknown): string {
  const text = JSON.stringify(value, null, 2)
  const html = pre(coloured(text))
  if (text.split('\n').length > MOST_LINES)
    return `<div class="code"><details><summary>${escaped(name)}</summary>${html}</details></div>`
  return `<figure class="code"><figcaption>${escaped(name)}</figcaption>${html}</figure>`
}

const PARTS = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null|-?\d+(?:\.\d+)?)\b/g

function coloured(text: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(PARTS)) {
    const [whole, quoted, colon] = match
    const kind = quoted === undefined ? 'value' : colon ? 'name' : 'text'
    html += `${escaped(text.slice(end, match.index))}<span class="${kind}">${escaped(quoted ?? whole)}</span>${colon ?? ''}`
    end = match.index + whole.length
  }
  return html + escaped(text.slice(end))
}
