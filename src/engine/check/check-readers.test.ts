import { expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { checkReaders } from './check-readers.ts'

test('a reader that was not trained on the examples as they are now is told, and a kind of danger that nobody knows', async () => {
  const { files, content } = await realContent()
  expect(checkReaders(files, content.release)).toEqual([])
  const more = [...files, { path: 'content/own-words/sv/dangers/dragons.txt', text: 'en drake bet mig\n' }]
  expect(checkReaders(more, content.release).map(({ file, message }) => `${file}: ${message}`)).toEqual([
    'content/own-words/sv.model: The reader was not trained on the examples in sv as they are now: run fyr content train.',
    'content/own-words/sv.model: There are examples of "dragons", which own-words/dangers.yaml does not know: add it there.',
  ])
}, 60_000)
