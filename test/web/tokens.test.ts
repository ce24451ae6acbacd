import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { accentTones, contrast } from '../../src/http/pages/theme.ts'

const css = readFileSync(new URL('../../web/ui/tokens.css', import.meta.url), 'utf8')
const [day = '', night = ''] = css.split('@media (prefers-color-scheme: dark)')
const tokensOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name = '', value = '']) => [name, value]),
  )
const THEMES = { day: tokensOf(day), night: { ...tokensOf(day), ...tokensOf(night) } }

const GROUNDS = ['paper', 'surface', 'sunken']
const TONES = ['emergency', 'warning', 'care', 'selfcare']
/** Text on what it stands on: at least 4.5. */
const TEXT = [
  ...GROUNDS.flatMap((ground) =>
    ['ink', 'ink-quiet', 'accent', 'emergency-ink'].map((text) => [text, ground] as const),
  ),
  ...TONES.flatMap((tone) => [`${tone}-ink`, 'ink'].map((text) => [text, `${tone}-surface`] as const)),
  ['ink', 'accent-surface'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-strong'],
  ['on-emergency', 'emergency-solid'],
] as const
/** Borders of controls, signs and the focus ring: at least 3. */
const SHAPES = [
  ...GROUNDS.flatMap((ground) => ['line-strong', 'focus', 'accent'].map((line) => [line, ground] as const)),
  ...TONES.map((tone) => [`${tone}-line`, `${tone}-surface`] as const),
] as const

test.each(Object.entries(THEMES))('every pair of tokens that meets can be told apart (%s)', (_name, tokens) => {
  const of = ([one, other]: readonly [string, string]) => contrast(tokens[one] ?? '', tokens[other] ?? '')
  expect(TEXT.filter((pair) => !(of(pair) >= 4.5))).toEqual([])
  expect(SHAPES.filter((pair) => !(of(pair) >= 3))).toEqual([])
})

test('an accent of any colour gives tones that can be read, by day and by night', () => {
  for (let step = 0; step < 4_096; step += 7) {
    const part = (shift: number) => ((step >> shift) & 15).toString(16).repeat(2)
    const { day, night } = accentTones(`#${part(8)}${part(4)}${part(0)}`)
    for (const ground of GROUNDS) {
      expect(contrast(day.accent, THEMES.day[ground] ?? '')).toBeGreaterThanOrEqual(4.5)
      expect(contrast(night.accent, THEMES.night[ground] ?? '')).toBeGreaterThanOrEqual(4.5)
    }
    for (const { accent, strong, on, surface } of [day, night])
      for (const [one, other] of [
        [on, accent],
        [on, strong],
        [accent, surface],
      ] as const)
        expect(contrast(one, other)).toBeGreaterThanOrEqual(4.5)
  }
})
