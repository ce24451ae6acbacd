// Retakes the pictures in docs/screenshots, of the patient's pages and the clinician's.
import { chromium } from 'playwright-core'
import { findBrowser } from './browser.mjs'
import { takeClinicians } from './pictures/clinicians.ts'
import { takePatients } from './pictures/patients.ts'
import { startPlace } from './pictures/place.ts'

const place = await startPlace()
const browser = await chromium.launch({ executablePath: (await findBrowser()) ?? '', args: ['--no-sandbox'] })
try {
  await takePatients(place, browser)
  await takeClinicians(place, browser)
} finally {
  await browser.close()
  await place.leave()
}
