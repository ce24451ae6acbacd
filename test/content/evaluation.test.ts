import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { type Figures, figuresOf } from '../../evaluation/figures.ts'
import { ownWordsFigures } from '../../evaluation/own-words.ts'
import { pageOf } from '../../evaluation/page.ts'
import { readStories } from '../../evaluation/stories.ts'
import { realContent } from '../world/content.ts'

let figures: Figures
beforeAll(async () => {
  const { content } = await realContent()
  figures = figuresOf(content, readStories(content.release))
})

const told = (some: Figures['missed']) =>
  some.map(({ story, complaint, level }) => `${story.id} as ${complaint}: ${level}`)

test('no emergency of the stories comes out lower than Level3, also when a neighbour or no complaint is named', () => {
  expect(figures.emergencies).toBeGreaterThanOrEqual(180)
  expect(told(figures.missed)).toEqual([])
  expect(figures.astray).toBeGreaterThanOrEqual(450)
  expect(told(figures.missedAstray)).toEqual([])
})

test('no interview of the stories has more than 25 screens, and no sign is asked twice', () => {
  expect(figures.stories).toBeGreaterThanOrEqual(480)
  expect(figures.screens.most).toBeLessThanOrEqual(25)
  for (const { story, asked } of figures.played) expect(new Set(asked).size, story.id).toBe(asked.length)
})

test('the bars that are reached stay reached', () => {
  expect(figures.rightClass).toBeGreaterThanOrEqual(0.9)
  expect(figures.selfCareRight).toBeGreaterThanOrEqual(0.85)
  expect(figures.overToEmergency).toBeLessThanOrEqual(0.05)
  expect(figures.screens.median).toBeLessThanOrEqual(12)
  expect(figures.screens.p90).toBeLessThanOrEqual(18)
})

test('docs/evaluation.md tells what the stories show', async () => {
  const { content } = await realContent()
  expect(await readFile('docs/evaluation.md', 'utf8')).toBe(pageOf(figures, ownWordsFigures(content.release)))
})
