/** A clinic's own accent colour, adjusted: whatever it is, text on it and text in it stay readable, by day and by night. */

type Rgb = readonly [number, number, number]

const READABLE = 4.6 // a little above what WCAG asks (4.5), so that rounding never falls below
const TINT = 0.1 // the share of the accent in its own surface
const MOST_SATURATED = 0.85
const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
/** The darkest and the lightest surface that accent text stands on in each scheme; web/ui/tokens.css has the same. */
const DAY_SUNKEN: Rgb = [242, 240, 232]
const NIGHT_SURFACE: Rgb = [17, 36, 45]
const NIGHT_INK: Rgb = [6, 20, 27]

const hexOf = (colour: Rgb): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`

function rgbOf(hex: string): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

function luminance([red, green, blue]: Rgb): number {
  const linear = (part: number) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/** WCAG contrast of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  return contrastOf(rgbOf(one), rgbOf(other))
}

function contrastOf(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05)
}

const mixed = (one: Rgb, other: Rgb, share: number): Rgb => [
  one[0] + (other[0] - one[0]) * share,
  one[1] + (other[1] - one[1]) * share,
  one[2] + (other[2] - one[2]) * share,
]

/** The same hue, lighter or darker: `lightness` from 0 to 1. Greys stay grey, and nothing gets garish. */
function atLightness([red, green, blue]: Rgb, lightness: number): Rgb {
  const [most, least] = [Math.max(red, green, blue) / 255, Math.min(red, green, blue) / 255]
  const range = most - least
  const middle = (most + least) / 2
  const saturation = range === 0 ? 0 : Math.min(range / (1 - Math.abs(2 * middle - 1)), MOST_SATURATED)
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const part = (value: number) =>
    range === 0 ? lightness : lightness + reach * (((value / 255 - least) / range) * 2 - 1)
  return [part(red) * 255, part(green) * 255, part(blue) * 255]
}

/** The colour itself if it is readable on this surface, else the nearest of its hue that is. */
function readableOn(colour: Rgb, surface: Rgb, step: number): Rgb {
  if (contrastOf(colour, surface) >= READABLE) return colour
  const start = (Math.max(...colour) + Math.min(...colour)) / 510
  for (let lightness = start; lightness >= 0 && lightness <= 1; lightness += step) {
    const tried = rgbOf(hexOf(atLightness(colour, lightness)))
    if (contrastOf(tried, surface) >= READABLE) return tried
  }
  return step > 0 ? WHITE : BLACK
}

type Accent = { accent: string; strong: string; on: string; surface: string }

/** The four tones of an accent by day and by night. */
export function accentTones(hex: string): { day: Accent; night: Accent } {
  const own = rgbOf(hex)
  const day = readableOn(own, mixed(DAY_SUNKEN, BLACK, TINT / 2), -0.01)
  const night = readableOn(own, mixed(NIGHT_SURFACE, WHITE, TINT), 0.01)
  return {
    day: {
      accent: hexOf(day),
      strong: hexOf(mixed(day, BLACK, 0.25)),
      on: hexOf(WHITE),
      surface: hexOf(mixed(WHITE, day, TINT)),
    },
    night: {
      accent: hexOf(night),
      strong: hexOf(mixed(night, WHITE, 0.35)),
      on: hexOf(NIGHT_INK),
      surface: hexOf(mixed(NIGHT_SURFACE, night, TINT)),
    },
  }
}

/** The tokens of a clinic's accent as a style sheet; nothing when it has none. */
export function accentStyle(hex: string | null): string {
  if (!hex) return ''
  const tokens = ({ accent, strong, on, surface }: Accent, focus: string) =>
    `--accent:${accent};--accent-strong:${strong};--on-accent:${on};--accent-surface:${surface}${focus}`
  const { day, night } = accentTones(hex)
  return `:root{${tokens(day, `;--focus:${day.accent}`)}}@media (prefers-color-scheme:dark){:root{${tokens(night, '')}}}`
}
