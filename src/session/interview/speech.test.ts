import { expect, test } from 'vitest'
import { realContent } from '../../../test/world/content.ts'
import { LANGUAGES } from '../../engine/content.ts'
import { speech } from './speech.ts'

test('where both numbers may be called each is named once, and the emergency number alone when the clinic gave none', async () => {
  const { content } = await realContent()
  for (const language of LANGUAGES)
    for (const who of ['self', 'other'] as const)
      for (const path of ['alarm.Level3.text', 'level.Level3.do']) {
        const said = (clinicPhone: string | null) =>
          speech(content, language, who, { emergencyNumber: '112', clinicPhone }).say(path) ?? ''
        expect(said('09 123').match(/112|09 123/g), path).toEqual(['09 123', '112'])
        expect(said(null).match(/112/g), path).toEqual(['112'])
      }
})
