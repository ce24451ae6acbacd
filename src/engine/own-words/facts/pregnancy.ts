import { type DurationUnit, type Language, MINUTES_IN } from '../../content.ts'
import type { WrittenAt } from '../../heard.ts'
import { perLanguage } from '../../languages.ts'
import { beginsWithTime, weeksAgoIn } from './duration.ts'
import type { Found } from './facts.ts'
import { anyOf } from './letters.ts'
import { FACT_WORDS } from './words.ts'

/** After a birth "recent" holds for so long. */
const RECENT_WEEKS = 6
const LONGEST_WEEKS = 42
/** In years. */
const YOUNGEST_MOTHER = 12
/** How far before or after the word the words stand that turn it around, in letters. */
const NEAR = 30
/** How far a clause is looked through for the time of a birth, in letters. */
const FAR = 60
const CLAUSE_ENDS = /[.,;:!?()\n]| (?:and|but|ja|mutta|mut|og|men|och|o) /
const ENDS_CLAUSE = new RegExp(`^ ?(?:$|${CLAUSE_ENDS.source})`)

/** Words of a clause in which a birth that is named is one that was. */
const WAS_BORN: Readonly<Record<Language, string>> = {
  en: 'had|was|after|since|post|ago|from',
  fi: 'oli|ollut|olleesta|jalkeen|tehtiin|sitten|viime|eilen|eilinen',
  no: 'var|hadde|hatt|tok|ble|etter|siden|sia|sidan|sist|forrige|i gar',
  sv: 'var|hade|haft|gjorde|gjordes|blev|efter|sedan|sen|forra|igar',
}

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
  /** What tells that somebody has given birth. */
  readonly birth: string
  /** What may be a birth or something else: it is one where nothing but its time is told of it. "Fick en pojke igår", not "fick en pojke i magen igår". */
  readonly birthTimed: string
  /** A birth, a section, that may lie ahead as well: a weekday counts where the clause tells that it was. */
  readonly birthNamed: string
  /** A birth of late, without any time. */
  readonly newlyBorn: string
  readonly breastfeeding: string
}

/** "A little girl", "our second" */
const A_CHILD =
  '(?:(?:a|the|my|our|her|his)(?:_(?:first|second|third|healthy|beautiful|little|baby))*_(?:baby|babies|twins|son|daughter|boy|girl|child|little_one)|(?:my|our|her)_(?:first|second|third))'

const WORDS: Readonly<Record<Language, PregnancyWords>> = {
  en: {
    pregnant: `pregnant preggers preggo in_pregnancy this_pregnancy expecting_a_baby expecting_twins baby_on_the_way up_the_duff bun_in_the_oven ${EXPECTING}`,
    week: 'pregnancy_week week_of_pregnancy gestation_week',
    inWeek: 'week wk at about now in_week',
    along: 'pregnant preggers preg along gestation gone(?!_by) into_my_pregnancy of_pregnancy',
    amIn: String.raw`\b(?:i'?m|i am|am) (?:about |now |nearly |almost |at )?(\d{1,2})(?:\+\d)? ?(?:weeks|wks?)(?= ?(?:$|[.,;:!?)\n])| (?:and|but|with (?:my|twins)|today|now)\b)`,
    not: "not no never isn't aren't wasn't can't cannot cant couldn't without trying get getting become becoming got when_i_was if for_a before_my before after_my since_my first_ last_ previous avoid every other a_pregnant when than like sister friend colleague cousin niece",
    notAfter:
      'women woman people test_negative test_was_negative wife friend colleague before last_year years_ago two_years ten_years again_soon',
    perhaps: "maybe perhaps might_be could_be may_be possibly think_i_am think_im think_i'm can_i_be could_i_be am_i",
    birth: String.raw`gave_birth given_birth giving_birth had_(?:a|my|our|the|her|his|another)_(?:baby|babies|twins|(?:baby|little|wee)_(?:boy|girl|one)) had_baby have_baby had_twins post[_-]?partum post[_-]?natal (?<=(?:days?|weeks?|wks?)\s)pp (?:after|post)_(?:birth|delivery|section|caesarean|c-section) home_from_(?:maternity|the_labour_ward)`,
    birthTimed: String.raw`had_(?:${A_CHILD}|him|her|them) (?<=(?:^|[.,;:(!?\n]\s?|\b(?:i|we|she|who|wife|girlfriend|partner|have|has|had|i've|just|and|then|finally|safely|(?:baby|babies|twins|son|daughter|boy|girl|i|he|she|they)_(?:was|were))\s))delivered(?:_(?:${A_CHILD}|him|her))?(?:_(?:vaginally|naturally|at_home|in_hospital|early|(?:by|with|via)(?:_[a-z]+)?_(?:section|c-section|caesarean|forceps|ventouse)))?`,
    birthNamed: 'c-section c_section csection caesarean cesarean caesarian had_a_section my_section',
    newlyBorn:
      'just_(?:gave_birth|given_birth|had_(?:a|my|our|the|her)_(?:baby|twins|section|c-section)) newly_delivered',
    breastfeeding: 'breastfeeding breast_feeding breastfeed nursing_my nursing_mum',
  },
  fi: {
    pregnant:
      'raskaana odotan_vauvaa odotan_lasta odotan_esikoista odotan_kaksosia odotamme_vauvaa vauva_tulossa pieni_tulossa olen_paksuna pieniin_pain',
    week: 'raskausviikko raskausviikolla raskausviikkoja raskausviikot rv rvlla rv:lla',
    inWeek: 'viikolla rv vk vko noin nyt',
    along: 'raskaana raskautta raskausviikkoa raskausviikolla',
    amIn: String.raw`\bolen (?:nyt )?(?:(?:viikolla|vko|vk) (\d{1,2})\b|(\d{1,2})\.? ?(?:viikolla|vkolla|vk:lla)(?: raskaana)?)`,
    not: 'ei en eika enka ole_en yritan yritamme tulla tulen jos kun_olin olin edellisessa edellinen aiemmin ilman raskausaikana ensimmaisessa joka kuin siskoni sisko ystavani kaverini serkku serkkuni miniani',
    notAfter: 'ei_ole en_ole oleva olevan testi_negatiivinen negatiivinen aikana_viimeksi yrityk',
    perhaps: 'ehka voinko voisinko voiko saatan saattaisin mahdollisesti luulen taidan (?<!en_voi_)olla olenko',
    birth:
      'synnytin synnytti synnytimme synnyttanyt synnyttany synnytyksesta synnytyksest synnytyksen_jalkeen sektiosta sektiost keisarinleikkauksesta keisarileikkauksesta synnarilta synnaril',
    birthTimed:
      '(?:sain|sai|saatiin|saimme)_(?:(?:pienen|ensimmaisen|toisen|kolmannen)_)?(?:vauvan|vauva|tyton|pojan|lapsen|kaksoset|esikoisen|esikoisemme)(?:_(?:sektiolla|alateitse))?',
    birthNamed: 'synnytys sektio sektion keisarinleikkaus keisarileikkaus',
    newlyBorn: '(?:juuri|just|vasta|hiljattain)_(?:synnytin|synnyttanyt|synnyttany) vastasynnyttanyt lapsivuodeaika',
    breastfeeding: 'imetan imettaa imetys imetyksen imettava taysimetan',
  },
  no: {
    pregnant:
      'gravid gravide svanger venter_barn venter_baby venter_tvillinger venter_mitt_forste venter_mitt_andre pa_tjukken pa_smellen bolle_i_ovnen',
    week: 'svangerskapsuke svangerskapsuka graviditetsuke',
    inWeek: 'i uke uka pa_vei ca na',
    along: 'gravid pa_vei uker_pa_vei inn_i_svangerskapet',
    amIn: String.raw`\ber (?:na )?i uke (\d{1,2})\b`,
    not: 'ikke ingen aldri bli blitt blir prover_a hvis da_jeg_var forrige forste uten var som soster sosteren venninne venninna kollega kusine kusina',
    notAfter: 'kone venninne kvinner test_negativ for_to for_ti ikke sist',
    perhaps: 'kanskje kan_jeg_vaere kan_vaere muligens tror_jeg_er tror er_jeg',
    birth: 'fodte fodde har_(?:(?:nettopp|akkurat|nylig|na)_)?fodt nedkom (?:fra|pa)_barsel etter_fodsel(?:en)?',
    birthTimed:
      'f[ie]kk(?:_(?:en|ei|ein|et|min|mitt|var|vart|hennes))?(?:_(?:frisk|forste|andre|tredje|liten|lita|lille|vesle))*_(?:barn|barnet|baby|babyen|gutt?|gutt?en|jente|jenta|sonn|datter|tvillinger|tvillingene|liten|lita|forste|andre|tredje)(?:_(?:min|mi|var))?',
    birthNamed: 'fodsel fodselen fodsla keisersnitt keisersnittet',
    newlyBorn: '(?:nettopp|akkurat|nylig)_(?:fodt|fodte|blitt_mor) nybakt_mor barseltid barseltiden',
    breastfeeding: 'ammer amming ammingen fullammer ammende delammer',
  },
  sv: {
    pregnant:
      'gravid gravida havande vantar_barn vantar_bebis vantar_smatt vantar_tvillingar pa_smallen pa_tjocken bulle_i_ugnen',
    week: 'graviditetsvecka graviditetsveckan gv graviditetsv',
    inWeek: 'i vecka v vecka_nr ca nu',
    along: 'gravid havande in_i_graviditeten',
    amIn: String.raw`\bar (?:nu )?i (?:vecka|v\.?) ?(\d{1,2})\b`,
    not: 'inte ej ingen aldrig bli blivit blir forsoker om nar_jag_var forra forsta utan var som syster syrran kompis kollega kusin',
    notAfter: 'fru van kvinnor test_negativt for_tva for_tio inte sist',
    perhaps: 'kanske kan_jag_vara kan_vara mojligen tror_jag_ar tror ar_jag',
    birth: 'fodde fodd_barn har_fott fott_barn forlostes (?:blev_)?snittad snittades fran_bb efter_forlossning(?:en)?',
    birthTimed:
      'fick(?:_(?:en|ett|min|mitt|sitt|var|vart))?(?:_(?:frisk|forsta|andra|tredje|liten|lilla))*_(?:barn|bebis|bebisen|tvillingar|son|dotter|pojke|flicka|kille|tjej|forsta|andra|tredje)',
    birthNamed: 'forlossning forlossningen kejsarsnitt kejsarsnittet snittet',
    newlyBorn: '(?:nyss|precis|nyligen|nylig)_(?:fott|fodde|blivit_mamma) nyforlost nybliven_mamma',
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
  readonly newlyBorn: RegExp
  readonly notBorn: RegExp
  readonly wasBorn: RegExp
  readonly since: RegExp
  readonly breastfeeding: RegExp
}

const GRAMMARS = perLanguage((language: Language): Grammar => {
  const { pregnant, week, inWeek, along, amIn, not, notAfter, perhaps, breastfeeding } = WORDS[language]
  const { birth, birthTimed, birthNamed, newlyBorn } = WORDS[language]
  const { numbers, units } = FACT_WORDS[language]
  const many = anyOf(
    Object.keys(numbers)
      .map((word) => word.replaceAll(' ', '_'))
      .join(' '),
  )
  const spans = anyOf(`${units.hours} ${units.days} ${units.weeks} ${units.months} ${units.years}`)
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
    birth: new RegExp(
      `(?<![a-z])(?:${anyOf(birth)}|(?<timed>${anyOf(birthTimed)})|(?<named>${anyOf(birthNamed)}))\\b`,
      'g',
    ),
    newlyBorn: new RegExp(`\\b(?:${anyOf(newlyBorn)})\\b`),
    notBorn:
      /(?:\b(?:not|never|before|until|ikke|aldri|inte|aldrig|ej|en ole|ei ole|ennen|innan)|n't) [^.,;!?\n]{0,12}$/,
    wasBorn: new RegExp(`\\b(?:${WAS_BORN[language]})\\b`),
    // "Six days", "viikko": in Finnish one is not said.
    since: new RegExp(
      `\\b(?:(?:(\\d{1,2}) ?|(${many}) )(${spans})${language === 'fi' ? '|()(viikko|viikon|kuukausi|kuukauden)' : ''})\\b`,
      'g',
    ),
    breastfeeding: new RegExp(`\\b(?:${anyOf(breastfeeding)})\\b`),
  }
})

/** Pregnancy with its week, or that there was one of late: by a birth so long ago, or by breastfeeding. A denial proposes nothing: it is asked. */
export function pregnancyIn(
  plain: string,
  language: Language,
  isPast: (at: number) => boolean,
  writtenAt?: WrittenAt,
): Found[] {
  const grammar = GRAMMARS[language]
  return (
    weekIn(plain, language, grammar) ??
    nowIn(plain, language, grammar, isPast) ??
    afterBirthIn(plain, language, grammar, writtenAt)
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

function afterBirthIn(plain: string, language: Language, grammar: Grammar, writtenAt: WrittenAt | undefined): Found[] {
  for (const birth of plain.matchAll(grammar.birth)) {
    const { at, length } = placeOf(birth)
    if (grammar.notBorn.test(plain.slice(Math.max(0, at - NEAR), at))) continue
    const time = timeOfBirth(plain, language, grammar, birth, writtenAt)
    if (!time) continue
    if (time.weeks > RECENT_WEEKS) return []
    const from = Math.min(at, time.at)
    const end = Math.max(at + length, time.at + time.length)
    return [{ question: 'pregnancy', value: 'recent', at: from, length: end - from }]
  }
  const newly = grammar.newlyBorn.exec(plain)
  if (newly && !isOlderChild(plain, language, grammar))
    return [{ question: 'pregnancy', value: 'recent', ...placeOf(newly) }]
  const feeds = grammar.breastfeeding.exec(plain)
  if (
    !feeds ||
    isOlderChild(plain, language, grammar) ||
    grammar.not.test(plain.slice(Math.max(0, feeds.index - NEAR), feeds.index))
  )
    return []
  return [{ question: 'pregnancy', value: 'recent', ...placeOf(feeds) }]
}

interface TimeAgo {
  readonly weeks: number
  readonly at: number
  readonly length: number
}

/** When a birth was that a text names: the time that stands nearest in its clause, else one close by. */
function timeOfBirth(
  plain: string,
  language: Language,
  grammar: Grammar,
  birth: RegExpExecArray,
  writtenAt: WrittenAt | undefined,
): TimeAgo | undefined {
  const { at, length } = placeOf(birth)
  const end = at + length
  const start =
    at -
    (
      plain
        .slice(Math.max(0, at - FAR), at)
        .split(CLAUSE_ENDS)
        .at(-1) ?? ''
    ).length
  const clause = plain.slice(start, end + (plain.slice(end, end + FAR).split(CLAUSE_ENDS, 1)[0] ?? '').length)
  const { timed, named } = birth.groups ?? {}
  const isTold = timed === undefined || beginsWithTime(plain.slice(end, end + FAR), language)
  if (!isTold && !ENDS_CLAUSE.test(plain.slice(end))) return undefined
  const own = amountsIn(clause, start, language, grammar)
  const far = (time: TimeAgo) => (time.at < at ? at - time.at - time.length : time.at - end)
  const [nearest] = own.sort((one, other) => far(one) - far(other))
  if (nearest) return nearest
  const wasBorn = named === undefined || grammar.wasBorn.test(clause)
  const moment = wasBorn ? weeksAgoIn(clause, language, writtenAt) : undefined
  if (moment) return { ...moment, at: start + moment.at }
  if (!isTold) return undefined
  const from = Math.max(0, at - NEAR)
  return amountsIn(plain.slice(from, end + NEAR), from, language, grammar).find(({ weeks }) => !isOfWriter(weeks))
}

/** The amounts of time in a piece of a text that starts at `from`: not those ahead, nor hours that are not ago. */
function amountsIn(piece: string, from: number, language: Language, grammar: Grammar): TimeAgo[] {
  return [...piece.matchAll(grammar.since)].flatMap((match): TimeAgo[] => {
    const weeks = weeksOf(match, language)
    const { at, length } = placeOf(match)
    const after = piece.slice(at + length)
    const isAhead =
      /\b(?:in|om|within|next|every) (?:about |ca )?$/.test(piece.slice(0, at)) || /^ (?:paasta|kuluttua)\b/.test(after)
    const isLong = weeks < 1 / 7 && !/^ (?:ago|after|post|sitten|siden|sia|sidan|etter|sedan|sen|efter)/.test(after)
    return isAhead || isLong || !(weeks > 0) ? [] : [{ weeks, at: from + at, length }]
  })
}

/** Whether a time is told that is longer than what counts as of late: "breastfeeding, he is 5 months". */
const isOlderChild = (plain: string, language: Language, { since }: Grammar): boolean =>
  [...plain.matchAll(since)]
    .map((match) => weeksOf(match, language))
    .some((weeks) => weeks > RECENT_WEEKS && !isOfWriter(weeks))

/** "Breastfeeding, 32 years": no child's age, but the writer's own. */
const isOfWriter = (weeks: number): boolean => weeks * MINUTES_IN.weeks >= YOUNGEST_MOTHER * MINUTES_IN.years

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
function weeksOf([, digits, word = '', unit = '', , one]: RegExpExecArray, language: Language): number {
  if (one !== undefined) return inWeeks(1, one, language)
  const amount = digits === undefined ? (FACT_WORDS[language].numbers[word.replace(/ +/g, ' ')] ?? 0) : Number(digits)
  return inWeeks(amount, unit, language)
}

const inWeeks = (amount: number, unit: string, language: Language): number =>
  (amount * MINUTES_IN[unitOf(unit, language)]) / MINUTES_IN.weeks

const unitOf = (word: string, language: Language): DurationUnit => {
  const { units } = FACT_WORDS[language]
  return (
    (['hours', 'days', 'weeks', 'months', 'years'] as const).find((unit) => units[unit].split(' ').includes(word)) ??
    'weeks'
  )
}
