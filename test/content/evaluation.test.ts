import { beforeAll, expect, test } from 'vitest'
import { type Figures, figuresOf } from '../../evaluation/figures.ts'
import { readStories } from '../../evaluation/stories.ts'
import { realContent } from '../world/content.ts'

/** A slice: all stories, and the page that tells of them, are checked by `npm run check:evaluation`. */
const EVERY = 5

let figures: Figures
beforeAll(async () => {
  const { content } = await realContent()
  figures = figuresOf(
    content,
    readStories(content.release).filter((_, at) => at % EVERY === 0),
  )
})

const told = (some: Figures['missed']) =>
  some.map(({ story, complaint, level }) => `${story.id} as ${complaint}: ${level}`)

test('no emergency of the stories comes out lower than Level3, also when a neighbour or no complaint is named', () => {
  expect(figures.emergencies).toBeGreaterThanOrEqual(30)
  expect(told(figures.missed)).toEqual([])
  expect(figures.astray).toBeGreaterThanOrEqual(60)
  expect(told(figures.missedAstray)).toEqual([])
})

test('no interview of the stories has more than 25 screens, and no sign is asked twice unless later words tell of it', () => {
  expect(figures.stories).toBeGreaterThanOrEqual(100)
  expect(figures.screens.most).toBeLessThanOrEqual(25)
  for (const { story, askedTwice } of figures.played) expect(askedTwice, story.id).toEqual([])
})
