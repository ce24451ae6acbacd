import { resolve } from 'node:path'
import type { Settings } from '../settings.ts'
import { DEPLOYMENT } from '../store/accounts.ts'
import { findActivation } from '../store/content/activations.ts'
import type { Db } from '../store/database/db.ts'

export interface Started {
  readonly url: string
  /** The key of the demo account, if it was made now. */
  readonly demoKey: string | null
  /** Without content nobody can be interviewed. */
  readonly hasContent: boolean
}

export const hasContent = async (db: Db): Promise<boolean> =>
  (await findActivation(db, DEPLOYMENT, DEPLOYMENT)) !== null

const NO_CONTENT = `
Nobody can be interviewed yet: no content is active. The content folder is not as it was when its checks passed,
or could not be used (the log says which). Check and publish it:

  npx fyr content check
  npx fyr content publish
`

/** What whoever started an embedded service reads: where it is and, the first time, how to try it. */
export function greet(settings: Pick<Settings, 'PUBLIC_URL' | 'DATA_DIR'>, started: Started): void {
  const { url, demoKey } = started
  if (demoKey === null) console.log(`Fyr answers at ${url} (data in ${resolve(settings.DATA_DIR)}).`)
  else console.log(welcome(settings.PUBLIC_URL ?? url.replace('127.0.0.1', 'localhost'), demoKey, started.hasContent))
  if (!started.hasContent) console.log(NO_CONTENT)
}

const welcome = (url: string, demoKey: string, isReady: boolean): string => `
Fyr ${isReady ? 'is ready' : 'runs'}, with a demo clinic to try.

  Answer as a patient   ${url}/t/demo
  The API               ${url}/api/docs
  A key for it          ${demoKey}
                        (shown this once; another: npx fyr key issue --configuration demo)

Create a session:

  curl -X POST ${url}/api/v1/session -H 'X-Service-API-Key: ${demoKey}'
`
