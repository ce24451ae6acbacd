import type { Language } from '../../engine/content.ts'

/** The words that stand in the pages themselves: they remain when scripts or the service behind them fail. */
export type ShellWords = {
  call: (number: string) => string
  callClinic: (number: string) => string
  danger: string
  /** The same where no clinic is known: with the number, and without one. */
  callNow: (number: string) => string
  callLocal: string
  front: string
  wait: string
  late: string
  noScript: string
  missing: string
  away: string
  again: string
}

export const SHELL_WORDS: Record<Language, ShellWords> = {
  en: {
    call: (number) => `Call ${number}`,
    callClinic: (number) => `Call the clinic ${number}`,
    danger: 'If life may be in danger, call now. Do not wait for this page.',
    callNow: (number) => `If life may be in danger, call ${number} now.`,
    callLocal: 'If life may be in danger, call the local emergency number now.',
    front: 'Patients come here by a link from their clinic. Open the link you were given.',
    wait: 'Fetching the questions …',
    late: 'This is taking long. Reload the page, or call the clinic.',
    noScript: 'The questions need JavaScript. If you cannot turn it on, call the clinic.',
    missing: 'This address is not in use. Check the link you were given.',
    away: 'The service cannot be reached at the moment.',
    again: 'Your answers are kept. Reload the page in a minute.',
  },
  fi: {
    call: (number) => `Soita ${number}`,
    callClinic: (number) => `Soita vastaanotolle ${number}`,
    danger: 'Jos kyseessä voi olla hengenvaara, soita heti. Älä jää odottamaan tätä sivua.',
    callNow: (number) => `Jos kyseessä voi olla hengenvaara, soita heti ${number}.`,
    callLocal: 'Jos kyseessä voi olla hengenvaara, soita heti paikalliseen hätänumeroon.',
    front: 'Potilaat pääsevät palveluun vastaanottonsa antamalla linkillä. Avaa saamasi linkki.',
    wait: 'Kysymyksiä haetaan …',
    late: 'Tämä kestää tavallista kauemmin. Lataa sivu uudelleen tai soita vastaanotolle.',
    noScript: 'Kysymykset toimivat vain, kun JavaScript on käytössä. Jos et saa sitä päälle, soita vastaanotolle.',
    missing: 'Tämä osoite ei ole käytössä. Tarkista saamasi linkki.',
    away: 'Palveluun ei juuri nyt saada yhteyttä.',
    again: 'Vastauksesi ovat tallessa. Lataa sivu uudelleen hetken päästä.',
  },
  no: {
    call: (number) => `Ring ${number}`,
    callClinic: (number) => `Ring legekontoret ${number}`,
    danger: 'Hvis det kan stå om livet, ring med en gang. Ikke vent på denne siden.',
    callNow: (number) => `Hvis det kan stå om livet, ring ${number} med en gang.`,
    callLocal: 'Hvis det kan stå om livet, ring det lokale nødnummeret med en gang.',
    front: 'Pasienter kommer hit med en lenke fra legekontoret sitt. Åpne lenken du fikk.',
    wait: 'Henter spørsmålene …',
    late: 'Dette tar lang tid. Last siden på nytt, eller ring legekontoret.',
    noScript: 'Spørsmålene trenger JavaScript. Får du ikke slått det på, ring legekontoret.',
    missing: 'Denne adressen er ikke i bruk. Sjekk lenken du fikk.',
    away: 'Tjenesten er ikke tilgjengelig akkurat nå.',
    again: 'Svarene dine er tatt vare på. Last siden på nytt om litt.',
  },
  sv: {
    call: (number) => `Ring ${number}`,
    callClinic: (number) => `Ring mottagningen ${number}`,
    danger: 'Om det kan vara fara för livet, ring genast. Vänta inte på svar här.',
    callNow: (number) => `Om det kan vara fara för livet, ring genast ${number}.`,
    callLocal: 'Om det kan vara fara för livet, ring genast det lokala nödnumret.',
    front: 'Patienter kommer hit genom en länk från sin mottagning. Öppna länken du fick.',
    wait: 'Frågorna hämtas …',
    late: 'Det här tar lång tid. Ladda om sidan eller ring mottagningen.',
    noScript: 'Frågorna kräver JavaScript. Kan du inte slå på det, ring mottagningen.',
    missing: 'Den här adressen används inte. Kontrollera länken du fick.',
    away: 'Tjänsten går inte att nå just nu.',
    again: 'Dina svar finns kvar. Ladda om sidan om en stund.',
  },
}
