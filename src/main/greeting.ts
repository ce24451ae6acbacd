import { resolve } from 'node:path'
import type { Settings } from '../settings.ts'

/** What whoever started an embedded service reads: where it is and, the first time, how to try it. */
export function greet(settings: Pick<Settings, 'PUBLIC_URL' | 'DATA_DIR'>, url: string, demoKey: string | null): void {
  if (demoKey === null) {
    console.log(`Fyr answers at ${url} (data in ${resolve(settings.DATA_DIR)}).`)
    return
  }
  const shown = settings.PUBLIC_URL ?? url.replace('127.0.0.1', 'localhost')
  console.log(`
Fyr is ready, with a demo clinic to try.

  Answer as a patient   ${shown}/t/demo
  The API               ${shown}/api/docs
  A key for it          ${demoKey}
                        (shown this once; another: npx fyr key issue --configuration demo)

Create a session:

  curl -X POST ${shown}/api/v1/session -H 'X-Service-API-Key: ${demoKey}'
`)
}
