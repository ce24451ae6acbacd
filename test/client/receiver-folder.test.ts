import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const FOLDER = new URL('../../examples/webhook-receiver/', import.meta.url)
const read = (name: string): string => readFileSync(new URL(name, FOLDER), 'utf8')

test('the sample receiver’s folder brings what it imports, in the version that is tested', () => {
  const [own, ours] = [read('package.json'), read('../../package.json')].map((text) => JSON.parse(text))
  expect(own.dependencies).toEqual({ standardwebhooks: ours.devDependencies.standardwebhooks })
  const imported = [...read('receiver.mjs').matchAll(/from '([^':]+)'/g)].map(([, name]) => name)
  expect(imported).toEqual(Object.keys(own.dependencies))
})

test('its README leaves the folder for every command of Fyr, whose data is elsewhere', () => {
  const lines = [...read('README.md').matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  )
  const ofFyr = lines.filter((line) => /\b(npx fyr|npm start)\b/.test(line))
  expect(ofFyr).toHaveLength(3)
  for (const line of ofFyr) expect(line).toMatch(/^\(cd \.\.\/\.\. && .*\)$/)
})
