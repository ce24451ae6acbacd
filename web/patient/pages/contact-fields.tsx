import { useState } from 'preact/hooks'
import { isPhoneNumber } from '../../../src/engine/phone.ts'
import type { SessionView } from '../api.ts'
import { useJourney } from '../context.ts'
import type { Words } from '../words/words.ts'

type Contact = {
  asked: 'optional' | 'required' | null
  phone: string
  when: string
  setPhone: (text: string) => void
  setWhen: (text: string) => void
  isChanged: boolean
  given: { phone: string | null; when: string | null }
}

/** How the clinic can reach the patient: as typed here, starting from what was given before. */
export function useContact({ contact }: SessionView): Contact {
  const before = contact?.given ?? null
  const [phone, setPhone] = useState(before?.phone ?? '')
  const [when, setWhen] = useState(before?.when ?? '')
  const given = { phone: phone.trim() || null, when: (phone.trim() && when.trim()) || null }
  const isChanged =
    contact !== null && (given.phone !== (before?.phone ?? null) || given.when !== (before?.when ?? null))
  return { asked: contact?.asked ?? null, phone, when, setPhone, setWhen, isChanged, given }
}

export function contactFault({ asked, given }: Contact, words: Words, name: string): string | null {
  if (asked === null) return null
  if (given.phone === null) return asked === 'required' ? words.faults.phoneMissing(name) : null
  return isPhoneNumber(given.phone) ? null : words.faults.phone
}

/** Asked last, after everything that may be urgent. */
export function ContactFields({ contact, name }: { contact: Contact; name: string }) {
  const { words } = useJourney()
  const { review } = words
  return (
    <fieldset class="contact">
      <legend>{review.contact(name)}</legend>
      <p class="hint" id="contact-hint">
        {review.phoneHint(name)} {contact.asked === 'optional' && review.phoneOptional}
      </p>
      <label class="labelled">
        <span>{review.phone}</span>
        <input
          class="field"
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          maxLength={40}
          aria-describedby="contact-hint"
          aria-required={contact.asked === 'required'}
          value={contact.phone}
          onInput={(event) => contact.setPhone(event.currentTarget.value)}
        />
      </label>
      <label class="labelled">
        <span>{review.when}</span>
        <input
          class="field"
          maxLength={200}
          value={contact.when}
          onInput={(event) => contact.setWhen(event.currentTarget.value)}
        />
      </label>
    </fieldset>
  )
}
