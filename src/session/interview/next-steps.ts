import type { Language, Outcome } from '../../engine/content.ts'

type Words = {
  received: (clinic: string) => string
  stopped: string
  doNotWait: string
  contact: (clinic: string) => string
  notHeard: string
  arrange: (clinic: string, number: string | null) => string
  unreached: (clinic: string) => string
  selfCare: (clinic: string) => string
}

const WORDS: Record<Language, Words> = {
  en: {
    received: (clinic) => `${clinic} has received your answers.`,
    stopped: 'You stopped before the end. The clinic sees what you had answered.',
    doNotWait: 'Do not wait for the clinic to contact you.',
    contact: (clinic) => `${clinic} contacts you, or tells you how to go on.`,
    notHeard: 'If you hear nothing, or want to ask something, call the clinic.',
    arrange: (clinic, number) =>
      number
        ? `${clinic} has no number to reach you at. Please call ${number}, or book a time.`
        : `${clinic} has no number to reach you at. Please call or book a time yourself.`,
    unreached: (clinic) =>
      `${clinic} has no number to reach you at. If you hear nothing within a few days, contact the clinic.`,
    selfCare: (clinic) => `You need not do anything more here. If you want to talk to someone, contact ${clinic}.`,
  },
  fi: {
    received: (clinic) => `${clinic} on saanut vastauksesi.`,
    stopped: 'Lopetit ennen loppua. Vastaanotto näkee, mitä ehdit vastata.',
    doNotWait: 'Älä jää odottamaan, että vastaanotto ottaa yhteyttä.',
    contact: (clinic) => `${clinic} ottaa sinuun yhteyttä tai kertoo, miten jatketaan.`,
    notHeard: 'Jos sinuun ei oteta yhteyttä tai haluat kysyä jotakin, soita vastaanotolle.',
    arrange: (clinic, number) =>
      number
        ? `Vastaanotolla (${clinic}) ei ole numeroa, josta sinut tavoittaa. Soita ${number} tai varaa aika.`
        : `Vastaanotolla (${clinic}) ei ole numeroa, josta sinut tavoittaa. Soita tai varaa aika itse.`,
    unreached: (clinic) =>
      `Vastaanotolla (${clinic}) ei ole numeroa, josta sinut tavoittaa. Jos et kuule asiasta muutamassa päivässä, ota yhteyttä vastaanottoon.`,
    selfCare: (clinic) =>
      `Sinun ei tarvitse tehdä täällä enää mitään. Jos haluat puhua jonkun kanssa, ota yhteyttä: ${clinic}.`,
  },
  no: {
    received: (clinic) => `${clinic} har fått svarene dine.`,
    stopped: 'Du avsluttet før du var ferdig. Legekontoret ser det du rakk å svare.',
    doNotWait: 'Ikke vent på at legekontoret tar kontakt.',
    contact: (clinic) => `${clinic} tar kontakt med deg, eller forteller hvordan du går videre.`,
    notHeard: 'Hvis du ikke hører noe, eller lurer på noe, ring legekontoret.',
    arrange: (clinic, number) =>
      number
        ? `${clinic} har ikke noe nummer å nå deg på. Ring ${number}, eller bestill time.`
        : `${clinic} har ikke noe nummer å nå deg på. Ring eller bestill time selv.`,
    unreached: (clinic) =>
      `${clinic} har ikke noe nummer å nå deg på. Ta kontakt hvis du ikke hører noe i løpet av noen dager.`,
    selfCare: (clinic) => `Du trenger ikke gjøre noe mer her. Vil du snakke med noen, ta kontakt med ${clinic}.`,
  },
  sv: {
    received: (clinic) => `${clinic} har fått dina svar.`,
    stopped: 'Du avslutade i förtid. Mottagningen ser vad du hann svara.',
    doNotWait: 'Vänta inte på att mottagningen hör av sig.',
    contact: (clinic) => `${clinic} hör av sig eller berättar hur du går vidare.`,
    notHeard: 'Om du inte hör något, eller vill fråga något, ring mottagningen.',
    arrange: (clinic, number) =>
      number
        ? `${clinic} har inget nummer att nå dig på. Ring ${number}, eller boka en tid.`
        : `${clinic} har inget nummer att nå dig på. Ring eller boka en tid själv.`,
    unreached: (clinic) =>
      `${clinic} har inget nummer att nå dig på. Ta kontakt om du inte hör något inom några dagar.`,
    selfCare: (clinic) => `Du behöver inte göra något mer här. Vill du prata med någon, kontakta ${clinic}.`,
  },
}

type Clinic = { name: string; clinicPhone: string | null; adviceNumber?: string | null }

/** What happens now, and who acts, as this clinic can keep it: a sentence each. */
export function nextSteps(
  language: Language,
  { level, complete }: Pick<Outcome, 'level' | 'complete'>,
  { name, clinicPhone, adviceNumber }: Clinic,
  isReachable: boolean,
): string[] {
  const words = WORDS[language]
  const received = complete ? words.received(name) : `${words.received(name)} ${words.stopped}`
  if (level !== null && level <= 'Level3') return [received, words.doNotWait]
  if (level === 'Level8') return [received, words.selfCare(name)]
  // At Level4 the number to call stands in the verdict itself.
  const notHeard = clinicPhone && level !== 'Level4' ? [words.notHeard] : []
  // A prescription or certificate goes its way without anyone being called.
  if (!isReachable && level === null) return [received, words.unreached(name)]
  // "Call now" stands there already; "or book a time" beside it would take it back.
  if (!isReachable && level === 'Level4') return [received, words.doNotWait]
  if (!isReachable) return [received, words.arrange(name, clinicPhone ?? adviceNumber ?? null)]
  return [received, words.contact(name), ...notHeard]
}
