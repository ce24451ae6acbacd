import { type DurationUnit, type Language, MINUTES_IN } from '../../content.ts'
import { perLanguage } from '../../languages.ts'
import type { Found } from './facts.ts'
import { anyOf } from './letters.ts'
import { FACT_WORDS } from './words.ts'

/** After a birth "recent" holds for so long. */
const RECENT_WEEKS = 6
const LONGEST_WEEKS = 42
/** How far before or after the word the words stand that turn it around, in letters. */
const NEAR = 30

/** "I'm expecting", and no more: not results, nor that it gets worse. */
const EXPECTING = String.raw`(?:i'?m|i_am)_expecting(?=\s*(?:$|[.,;!?)]|lol\b|and\b|but\b|so\b|too\b|my_(?:first|second|third)|our|baby\b|number\b))`

/** The words of a language for pregnancy, birth and breastfeeding, in small letters without accents; an underscore stands for a space. */
interface PregnancyWords {
  readonly pregnant: string
  /** "Week 27", "rv 27+3": a week that can only be of a pregnancy. */
  readonly week: string
  /** Between "pregnant" and its week. */
  readonly inWeek: string
  /** After so many weeks: "pregnant", "along". */
  readonly along: string
  /** "I'm 33 weeks", "är i vecka 33": nobody but the pregnant says so. A regular expression with the number as its group. */
  readonly amIn: string
  /** Before it: denied, wished for, of another time or another person. */
  readonly not: string
  /** After it: denied, a test, of old. */
  readonly notAfter: string
  readonly perhaps: string
  readonly birth: string
  readonly breastfeeding: string
}

const WORDS: Readonly<Record<Language, PregnancyWords>> = {
  en: {
    pregnant: `pregnant preggers preggo in_pregnancy this_pregnancy expecting_a_baby expecting_twins baby_on_the_way up_the_duff bun_in_the_oven ${EXPECTING}`,
    week: 'pregnancy_week week_of_pregnancy gestation_week',
    inWeek: 'week wk at about now in_week',
    along: 'pregnant preggers preg along gestation gone(?!_by) into_my_pregnancy of_pregnancy',
    amIn: String.raw`\b(?:i'?m|i am|am) (?:about |now |nearly |almost |at )?(\d{1,2})(?:\+\d)? ?(?:weeks|wks?)(?= ?(?:$|[.,;:!?)\n])| (?:and|but|with (?:my|twins)|today|now)\b)`,
    not: "not no never isn't aren't wasn't can't cannot cant couldn't without trying get getting become becoming got when_i_was if for_a before_my before after_my since_my first_ last_ previous avoid every other a_pregnant when than like sister friend colleague",
    notAfter:
      'women woman people test_negative test_was_negative wife friend colleague before last_year years_ago two_years ten_years again_soon',
    perhaps: "maybe perhaps might_be could_be may_be possibly think_i_am think_im think_i'm can_i_be could_i_be am_i",
    birth: 'gave_birth had_a_baby had_my_baby had_baby delivered c-section caesarean had_a_section',
    breastfeeding: 'breastfeeding breast_feeding breastfeed nursing_my nursing_mum',
  },
  fi: {
    pregnant:
      'raskaana odotan_vauvaa odotan_lasta odotan_esikoista odotan_kaksosia odotamme_vauvaa vauva_tulossa pieni_tulossa olen_paksuna pieniin_pain',
    week: 'raskausviikko raskausviikolla raskausviikkoja raskausviikot rv rvlla rv:lla',
    inWeek: 'viikolla rv vk vko noin nyt',
    along: 'raskaana raskautta raskausviikkoa raskausviikolla',
    amIn: String.raw`\bolen (?:nyt )?(?:(?:viikolla|vko|vk) (\d{1,2})\b|(\d{1,2})\.? ?(?:viikolla|vkolla|vk:lla)(?: raskaana)?)`,
    not: 'ei en eika enka ole_en yritan yritamme tulla tulen jos kun_olin olin edellisessa edellinen aiemmin ilman raskausaikana ensimmaisessa joka kuin siskoni sisko ystavani kaverini',
    notAfter: 'ei_ole en_ole oleva olevan testi_negatiivinen negatiivinen aikana_viimeksi yrityk',
    perhaps: 'ehka voinko voisinko voiko saatan saattaisin mahdollisesti luulen taidan (?<!en_voi_)olla olenko',
    birth: 'synnytin synnytys synnytyksesta synnytti sain_vauvan sektiosta',
    breastfeeding: 'imetan imettaa imetys imetyksen imettava taysimetan',
  },
  no: {
    pregnant:
      'gravid gravide svanger venter_barn venter_baby venter_tvillinger venter_mitt_forste venter_mitt_andre pa_tjukken pa_smellen bolle_i_ovnen',
    week: 'svangerskapsuke svangerskapsuka graviditetsuke',
    inWeek: 'i uke uka pa_vei ca na',
    along: 'gravid pa_vei uker_pa_vei inn_i_svangerskapet',
    amIn: String.raw`\ber (?:na )?i uke (\d{1,2})\b`,
    not: 'ikke ingen aldri bli blitt blir prover_a hvis da_jeg_var forrige forste uten var som soster sosteren venninne venninna kollega',
    notAfter: 'kone venninne kvinner test_negativ for_to for_ti ikke sist',
    perhaps: 'kanskje kan_jeg_vaere kan_vaere muligens tror_jeg_er tror er_jeg',
    birth: 'fodte fodsel fodselen har_fodt keisersnitt fikk_barn',
    breastfeeding: 'ammer amming ammingen fullammer ammende delammer',
  },
  sv: {
    pregnant:
      'gravid gravida havande vantar_barn vantar_bebis vantar_smatt vantar_tvillingar pa_smallen pa_tjocken bulle_i_ugnen',
    week: 'graviditetsvecka graviditetsveckan gv graviditetsv',
    inWeek: 'i vecka v vecka_nr ca nu',
    along: 'gravid havande in_i_graviditeten',
    amIn: String.raw`\bar (?:nu )?i (?:vecka|v\.?) ?(\d{1,2})\b`,
    not: 'inte ej ingen aldrig bli blivit blir forsoker om nar_jag_var forra forsta utan var som syster syrran kompis kollega',
    notAfter: 'fru van kvinnor test_negativt for_tva for_tio inte sist',
    perhaps: 'kanske kan_jag_vara kan_vara mojligen tror_jag_ar tror ar_jag',
    birth: 'fodde fodde_barn forlossning forlossningen har_fott kejsarsnitt fick_barn',
    breastfeeding: 'ammar amning amningen amma helammar delammar ammande',
  },
}

interface Grammar {
  readonly pregnant: RegExp
  readonly weekNamed: RegExp
  readonly weekAfter: RegExp
  readonly weeksAlong: RegExp
  readonly amIn: RegExp
  readonly not: RegExp
  readonly notAfter: RegExp
  readonly perhaps: RegExp
  readonly birth: RegExp
  readonly since: RegExp
  readonly breastfeeding: RegExp
}

const GRAMMARS = perLanguage((language: Language): Grammar => {
  const { pregnant, week, inWeek, along, amIn, not, notAfter, perhaps, birth, breastfeeding } = WORDS[language]
  const { numbers, units } = FACT_WORDS[language]
  const many = anyOf(
    Object.keys(numbers)
      .map((word) => word.replaceAll(' ', '_'))
      .join(' '),
  )
  const spans = anyOf(`${units.days} ${units.weeks} ${units.months}`)
  const weekly = anyOf(`${units.weeks} ${units.months}`)
  return {
    pregnant: new RegExp(`\\b(?:${anyOf(pregnant)})\\b`),
    // "raskausviikko 27", "gv 24+3"
    weekNamed: new RegExp(`\\b(?:${anyOf(week)}):?\\.? ?(\\d{1,2})(?:\\+\\d)?\\b`),
    // "pregnant, week 24", "gravid i vecka 24"
    weekAfter: new RegExp(`^,? (?:(?:${anyOf(inWeek)}) ){0,3}(\\d{1,2})(?:\\+\\d)?(?: ?(${weekly}))?\\b`),
    // "24 weeks pregnant", "24 uker på vei"
    weeksAlong: new RegExp(`\\b(?:(\\d{1,2})(?:\\+\\d)? ?|(${many}) )(${weekly})[ -](?:${anyOf(along)})\\b`),
    amIn: new RegExp(amIn),
    not: new RegExp(`\\b(?:${anyOf(not)})\\b[^.;!?\\n]{0,12}$`),
    notAfter: new RegExp(`^[^.,;!?\\n]{0,12}\\b(?:${anyOf(notAfter)})`),
    perhaps: new RegExp(`\\b(?:${anyOf(perhaps)})\\b[^.;!?\\n]{0,12}$`),
    birth: new RegExp(`\\b(?:${anyOf(birth)})\\b`),
    since: new RegExp(`\\b(?:(\\d{1,2}) ?|(${many}) )(${spans})\\b`),
    breastfeeding: new RegExp(`\\b(?:${anyOf(breastfeeding)})\\b`),
  }
})

/** Pregnancy with its week, or that there was one of late: by a birth so long ago, or by breastfeeding. A denial proposes nothing: it is asked. */
export function pregnancyIn(plain: string, language: Language, isPast: (at: number) => boolean): Found[] {
  const grammar = GRAMMARS[language]
  return (
    weekIn(plain, language, grammar) ??
    nowIn(plain, language, grammar, isPast) ??
    afterBirthIn(plain, language, grammar)
  )
}

function weekIn(plain: string, language: Language, grammar: Grammar): Found[] | undefined {
  const named = grammar.weekNamed.exec(plain)
  if (named) return pregnantFor(Number(named[1]), placeOf(named))
  const am = grammar.amIn.exec(plain)
  if (am) return pregnantFor(Number(am[1] ?? am[2]), placeOf(am))
  const along = grammar.weeksAlong.exec(plain)
  return along ? pregnantFor(weeksOf(along, language), placeOf(along)) : undefined
}

function nowIn(
  plain: string,
  language: Language,
  grammar: Grammar,
  isPast: (at: number) => boolean,
): Found[] | undefined {
  const match = grammar.pregnant.exec(plain)
  if (!match || isPast(match.index)) return undefined
  const { at, length } = placeOf(match)
  const before = plain.slice(Math.max(0, at - NEAR), at)
  const after = plain.slice(at + length, at + length + NEAR)
  if (grammar.perhaps.test(before)) return [{ question: 'pregnancy', value: 'possible', at, length }]
  if (grammar.not.test(before) || grammar.notAfter.test(after)) return undefined
  const week = grammar.weekAfter.exec(after)
  const weeks = week ? inWeeks(Number(week[1]), week[2] ?? '', language) : 0
  const place = { at, length: length + (week?.[0].length ?? 0) }
  return pregnantFor(weeks, place) ?? [{ question: 'pregnancy', value: 'yes', at, length }]
}

function afterBirthIn(plain: string, language: Language, grammar: Grammar): Found[] {
  const birth = grammar.birth.exec(plain)
  if (birth) {
    const from = Math.max(0, birth.index - NEAR)
    const since = grammar.since.exec(plain.slice(from, birth.index + birth[0].length + NEAR))
    const weeks = since ? weeksOf(since, language) : 0
    if (since && weeks > 0 && weeks <= RECENT_WEEKS) {
      const at = Math.min(birth.index, from + since.index)
      const end = Math.max(birth.index + birth[0].length, from + since.index + since[0].length)
      return [{ question: 'pregnancy', value: 'recent', at, length: end - at }]
    }
    if (since) return []
  }
  const feeds = grammar.breastfeeding.exec(plain)
  if (
    !feeds ||
    isOlderChild(plain, language, grammar) ||
    grammar.not.test(plain.slice(Math.max(0, feeds.index - NEAR), feeds.index))
  )
    return []
  return [{ question: 'pregnancy', value: 'recent', ...placeOf(feeds) }]
}

/** Whether a time is told that is longer than what counts as of late: "breastfeeding, he is 5 months". */
const isOlderChild = (plain: string, language: Language, { since }: Grammar): boolean =>
  [...plain.matchAll(new RegExp(since, 'g'))].some((match) => weeksOf(match, language) > RECENT_WEEKS)

/** Pregnant for so many weeks, where that can be. */
function pregnantFor(told: number, place: { at: number; length: number }): Found[] | undefined {
  const weeks = Math.round(told)
  if (weeks < 1 || weeks > LONGEST_WEEKS) return undefined
  return [
    { question: 'pregnancy', value: 'yes', ...place },
    { question: 'pregnancy_weeks', value: weeks, ...place },
  ]
}

const placeOf = (match: RegExpExecArray) => ({ at: match.index, length: match[0].length })

/** The weeks that a match tells: a number in digits or as a word, and its unit. */
function weeksOf([, digits, word = '', unit = '']: RegExpExecArray, language: Language): number {
  const amount = digits === undefined ? (FACT_WORDS[language].numbers[word.replace(/ +/g, ' ')] ?? 0) : Number(digits)
  return inWeeks(amount, unit, language)
}

const inWeeks = (amount: number, unit: string, language: Language): number =>
  (amount * MINUTES_IN[unitOf(unit, language)]) / MINUTES_IN.weeks

const unitOf = (word: string, language: Language): DurationUnit => {
  const { units } = FACT_WORDS[language]
  return (['days', 'weeks', 'months'] as const).find((unit) => units[unit].split(' ').includes(word)) ?? 'weeks'
}
