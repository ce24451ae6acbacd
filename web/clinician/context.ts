import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { PictureBody } from '../../src/http/decision-support/schemas.ts'
import type { Connection } from './visit/connection.ts'
import type { Words } from './words/words.ts'

/** What every part of the page may need. */
export type Bench = {
  words: Words
  picture: PictureBody
  connection: Connection
  /** Whether files may be downloaded where this is shown. */
  mayDownload: boolean
  say: (text: string) => void
  refresh: () => Promise<void>
}

export const BenchContext = createContext<Bench | null>(null)

export function useBench(): Bench {
  const bench = useContext(BenchContext)
  if (!bench) throw new Error('A part of the page was put outside it.')
  return bench
}
