import { LEVELS } from '../src/engine/content.ts'
import type { Figures } from './figures.ts'
import { rankOf } from './play.ts'

const CELL = 44
const LEFT = 92
const TOP = 48

/** Expected against actual level: one square per pair of levels, darker the more stories it holds. */
export function chartOf({ played }: Figures): string {
  const counts = new Map<string, number>()
  for (const { story, level } of played) {
    const key = `${rankOf(story.expect)} ${rankOf(level)}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const most = Math.max(1, ...counts.values())
  const cells = LEVELS.flatMap((_, truth) =>
    LEVELS.map((__, came) => {
      const count = counts.get(`${truth} ${came}`) ?? 0
      const [x, y] = [LEFT + came * CELL, TOP + truth * CELL]
      const hue = came === truth ? '#1f6f54' : came < truth ? '#b7791f' : '#b3261e'
      const fill = count === 0 ? '#eef1f2' : hue
      const opacity = count === 0 ? 1 : 0.35 + (0.65 * count) / most
      const label =
        count === 0
          ? ''
          : `<text x="${x + CELL / 2}" y="${y + CELL / 2 + 5}" text-anchor="middle" fill="#fff">${count}</text>`
      return `<rect x="${x + 1}" y="${y + 1}" width="${CELL - 2}" height="${CELL - 2}" rx="4" fill="${fill}" fill-opacity="${opacity.toFixed(2)}"/>${label}`
    }),
  )
  const names = LEVELS.flatMap((level, at) => [
    `<text x="${LEFT - 8}" y="${TOP + at * CELL + CELL / 2 + 5}" text-anchor="end">${level}</text>`,
    `<text x="${LEFT + at * CELL + CELL / 2}" y="${TOP - 8}" text-anchor="middle">${level.slice(-1)}</text>`,
  ])
  const [width, height] = [LEFT + LEVELS.length * CELL + 12, TOP + LEVELS.length * CELL + 34]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="13" fill="#22313a" role="img">
<title>Should be (rows) against came out (columns)</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${LEFT}" y="18">came out as level</text>
${names.join('\n')}
${cells.join('\n')}
<text x="8" y="${height - 10}">green as it should be, amber more urgent, red less urgent</text>
</svg>
`
}

const BAR = { left: 190, height: 18, width: 280, top: 40 }

/** One bar for each complaint: its stories by what came of them. */
export function complaintsChartOf({ byComplaint }: Figures): string {
  const lines = byComplaint.map(({ complaint, stories, accepted, under, over, screens, rows }, at) => {
    const y = BAR.top + at * BAR.height
    const px = (count: number) => Math.round((count * BAR.width) / stories)
    const part = (from: number, count: number, fill: string) =>
      count === 0
        ? ''
        : `<rect x="${BAR.left + px(from)}" y="${y}" width="${px(from + count) - px(from)}" height="${BAR.height - 4}" fill="${fill}"/>`
    const bars = [
      part(0, accepted, '#1f6f54'),
      part(accepted, over, '#b7791f'),
      part(accepted + over, under, '#b3261e'),
    ]
    const name = `<text x="${BAR.left - 8}" y="${y + 11}" text-anchor="end">${complaint}</text>`
    const told = `<text x="${BAR.left + BAR.width + 8}" y="${y + 11}">${accepted} of ${stories} · ${screens} screens, ${rows} rows</text>`
    return [name, ...bars, told].join('')
  })
  const [width, height] = [BAR.left + BAR.width + 200, BAR.top + byComplaint.length * BAR.height + 12]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12" fill="#22313a" role="img">
<title>What came of the stories, by complaint</title>
<rect width="100%" height="100%" fill="#fff"/>
<text x="${BAR.left}" y="22">as acceptable, more urgent, less urgent</text>
${lines.join('\n')}
</svg>
`
}
