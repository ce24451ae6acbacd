import type { DurationUnit, Language } from '../../content.ts'

/** A point in time, as own words name it: so long ago, at an hour some days back, on the last such weekday (Monday is 0), on a weekend, in the last such month. */
export type Moment =
  | { readonly amount: number; readonly unit: DurationUnit }
  | { readonly back: number; readonly hour: number }
  | { readonly weekday: number }
  | { readonly weekend: 'last' | 'before' }
  | { readonly month: number }

/** Phrases, apart by commas, and the moment that each of them names. */
export type Moments = readonly (readonly [phrases: string, moment: Moment])[]

/**
 * The words of a language that name moments. In small letters without accents. A moment that could as well lie ahead ("på lørdag", "i natt") counts where
 * its clause tells of what happened.
 */
export interface TimeWords {
  /** Before a moment these make it the beginning: "since yesterday". */
  readonly since: string
  /** Named with their beginning alone: "eilisestä", "all week". Not "all night": who coughs all night may have done so for months. */
  readonly lasting: Moments
  /** Only after "since": "breakfast", "spring". */
  readonly afterSince: Moments
  /** Surely over: "yesterday", "i lördags". */
  readonly over: Moments
  /** Over or to come. */
  readonly open: Moments
  /** Words of a clause that tells of what happened. */
  readonly happened: string
  /** Words of a clause that tells when the trouble itself began, or came back. */
  readonly began: string
  /** Words of a clause that tells of one time of many: "again". */
  readonly again: string
  /** Words of a clause that tells of what came to it later: "some spots as well". */
  readonly also: string
  /** They tell that it has lasted long without telling how long: "for weeks". */
  readonly vague: string
  /** It comes every night, every day: then the last time is not when it began. */
  readonly often: string
  /** Words of a clause that tells of what is to come. */
  readonly toCome: string
  /** May follow a weekday. */
  readonly dayParts: string
}

const so = (amount: number, unit: DurationUnit): Moment => ({ amount, unit })
const at = (back: number, hour: number): Moment => ({ back, hour })

/** Each weekday of a list, Monday first, in the ways in which it may stand; `$` is the day. A day may have several forms. */
const weekdays = (days: string, ways: string): Moments =>
  days.split(', ').map((forms, weekday) => [
    forms
      .split(' ')
      .flatMap((form) => ways.split(', ').map((way) => way.replace('$', form)))
      .join(', '),
    { weekday },
  ])

/** Each month of a list, January first. */
const months = (names: string): Moments => names.split(', ').map((name, place) => [name, { month: place + 1 }])

/** "The third day", "the fourth week". */
const ordinals = (words: string, days: string, weeks: string): Moments =>
  words.split(' ').flatMap(
    (word, place): Moments => [
      [
        days
          .split(' ')
          .map((day) => `${word} ${day}`)
          .join(', '),
        so(place + 3, 'days'),
      ],
      [
        weeks
          .split(' ')
          .map((week) => `${word} ${week}`)
          .join(', '),
        so(place + 3, 'weeks'),
      ],
    ],
  )

const ENGLISH_DAYS =
  'monday mondays, tuesday tuseday tues, wednesday wensday wednsday weds, thursday thrusday thurs, friday, saturday saterday, sunday'
const FINNISH_DAYS = 'maanantai, tiistai, keskiviikko, torstai, perjantai, lauantai, sunnuntai'
const NORWEGIAN_DAYS = 'mandag, tirsdag tysdag, onsdag, torsdag, fredag, lordag laurdag, sondag sundag'
const SWEDISH_DAYS = 'mandag, tisdag, onsdag, torsdag, fredag, lordag, sondag'
const SPOKEN_SWEDISH_DAYS = 'mandas, tisdas, onsdas, torsdas, fredas, lordas, sondas'
const SPRING = { month: 4 }
const SUMMER = { month: 7 }
const AUTUMN = { month: 10 }
const WINTER = { month: 1 }
export const CHRISTMAS = { month: 12 }
export const SEASONS: ReadonlySet<Moment> = new Set([SPRING, SUMMER, AUTUMN, WINTER, CHRISTMAS])
/** The weekend that was, or is; and the one that is over. */
const WEEKEND = { weekend: 'last' } as const
const LAST_WEEKEND = { weekend: 'before' } as const

export const TIME_WORDS: Readonly<Record<Language, TimeWords>> = {
  en: {
    since: 'since sinse scince',
    lasting: [
      ['all morning, all evening, all afternoon', so(4, 'hours')],
      ['all week, the past week, this past week, the last week', so(1, 'weeks')],
      ['fortnight, a week or two, week or two', so(2, 'weeks')],
      ['a day or two, day or two', so(2, 'days')],
      ['the past month, the last month', so(1, 'months')],
      ...ordinals('third fourth fifth sixth seventh', 'day', 'week'),
    ],
    afterSince: [
      ['breakfast, breakfast time, morning, the morning', at(0, 8)],
      ['lunch, lunchtime, lunch time, noon, midday', at(0, 12)],
      ['midnight', at(0, 0)],
      ['spring, the spring', SPRING],
      ['summer, the summer', SUMMER],
      ['autumn, the autumn, the fall', AUTUMN],
      ['winter, the winter', WINTER],
      ['christmas, xmas', CHRISTMAS],
      ...months('january, february, march, april, may, june, july, august, september, october, november, december'),
      ...weekdays(ENGLISH_DAYS, '$, on $'),
      ...weekdays('mon, tue, wed, thu, fri, sat, sun', '$'),
      ['the weekend', WEEKEND],
    ],
    over: [
      ['yesterday, yday, yesturday, yesteday', so(1, 'days')],
      ['yesterday morning', at(1, 8)],
      ['yesterday afternoon, yesterday arvo', at(1, 15)],
      ['yesterday evening, yesterday night, last night, last nite, last evening', at(1, 21)],
      ['day before yesterday, night before last', so(2, 'days')],
      ['this morning, this mornin', at(0, 7)],
      ['early this morning, the early hours', at(0, 5)],
      ['earlier today', so(4, 'hours')],
      ['just now, a moment ago, a minute ago, a few minutes ago, a little while ago', so(30, 'minutes')],
      ['an hour ago', so(1, 'hours')],
      ['the other day, a few days back', so(3, 'days')],
      ['last week', so(1, 'weeks')],
      ['last month', so(1, 'months')],
      ['last weekend', LAST_WEEKEND],
      ...weekdays(ENGLISH_DAYS, 'last $, this past $'),
    ],
    open: [
      ...weekdays(ENGLISH_DAYS, 'on $'),
      ['this afternoon', at(0, 14)],
      ['at the weekend, over the weekend', WEEKEND],
    ],
    began:
      'began begun started starting starts onset came_on flared flaring flare returned came_back kicked_off since_then first_noticed',
    also: 'as_well too$',
    again: 'again once_more another_night another_morning as_usual as_always',
    vague:
      'for_(?:days|weeks|months|years|ages|yonks|donkeys|ever|a_long_time) weeks_and_weeks months_and_months all_my_life all_his_life all_her_life a_while(?!_ago|_back) (?:these|past|last|some|many)_(?:weeks|months|years)',
    often:
      '(?:every|each|most)_(?:single_)?(?:night|nights|nite|nites|morning|mornings|evening|evenings) nightly at_nights night_after_night',
    happened:
      'was were had got fell hit hurt cut burnt burned stung bit bitten twisted slipped tripped dropped lifted pulled banged bumped started began came woke ate swallowed felt went did put noticed fainted collapsed vomited has_been have_been been flared returned',
    toCome:
      "will i'll tomorrow until till appointment booked book going_to have_to need should can could due next want wants not_until surgery operation",
    dayParts: 'morning afternoon evening night lunchtime',
  },
  fi: {
    since: 'jo heti',
    lasting: [
      ['eilisesta, eilisest', so(1, 'days')],
      ['eilisillasta, eilisesta illasta, eilis illasta, eilen illasta', at(1, 20)],
      ['eilisaamusta, eilisesta aamusta', at(1, 8)],
      ['toissapaivasta, toissa paivasta', so(2, 'days')],
      ['aamusta, tasta aamusta, tanaaamusta', at(0, 7)],
      ['aamuyosta', at(0, 4)],
      ['viime yosta, yosta asti, yosta lahtien', at(0, 2)],
      ['iltapaivasta', at(0, 14)],
      ['viime viikosta, viime viikolta', so(1, 'weeks')],
      ['viikonlopusta', WEEKEND],
      [
        'viikon paivat, viikon ajan, tassa viikon aikana, viikon aikana vaan, viikon aikana vain, viikon verran, jo viikon, ollut viikon, ollu viikon, kestanyt viikon, noin viikon',
        so(1, 'weeks'),
      ],
      ['kuukauden paivat, kuukauden ajan, jo kuukauden, noin kuukauden', so(1, 'months')],
      ['vuoden ajan, vuoden paivat, jo vuoden', so(1, 'years')],
      ['tunnin ajan, jo tunnin, noin tunnin', so(1, 'hours')],
      ['koko illan, tan illan, taman illan, koko aamun, koko iltapaivan', so(4, 'hours')],
      ['koko viikon', so(1, 'weeks')],
      ['kevaasta', SPRING],
      ['kesasta', SUMMER],
      ['syksysta', AUTUMN],
      ['talvesta', WINTER],
      ['joulusta', CHRISTMAS],
      ...months(
        'tammikuusta, helmikuusta, maaliskuusta, huhtikuusta, toukokuusta, kesakuusta, heinakuusta, elokuusta, syyskuusta, lokakuusta, marraskuusta, joulukuusta',
      ),
      ...weekdays('maanantai, tiistai, keskiviiko, torstai, perjantai, lauantai, sunnuntai', '$sta'),
      ...ordinals('kolmas neljas viides kuudes seitsemas', 'paiva', 'viikko'),
    ],
    afterSince: [],
    over: [
      ['eilen', so(1, 'days')],
      ['eilen aamulla, eilen aamupaivalla, eilisaamuna', at(1, 8)],
      ['eilen iltapaivalla, eilen ip', at(1, 15)],
      ['eilen illalla, eilisiltana, eilen iltana, eilen illala', at(1, 20)],
      ['viime yona, eilen yolla', at(0, 2)],
      ['toissapaivana, toissa paivana, toissailtana', so(2, 'days')],
      ['tana aamuna, tanaan aamulla, tanaaamuna, tana aamun', at(0, 7)],
      ['aamuyolla', at(0, 4)],
      ['asken, askettain, hetki sitten, juuri nyt', so(30, 'minutes')],
      ['tunti sitten', so(1, 'hours')],
      ['paiva sitten', so(1, 'days')],
      ['viikko sitten, viime viikolla', so(1, 'weeks')],
      ['kuukausi sitten, viime kuussa', so(1, 'months')],
      ['viime viikonloppuna', LAST_WEEKEND],
      ...weekdays(FINNISH_DAYS, 'viime $na'),
    ],
    open: [...weekdays(FINNISH_DAYS, '$na'), ['viikonloppuna', WEEKEND]],
    began: 'alkoi alko alkoivat alkanut alkanu alkaneet alkaen paheni puhkesi uusiutui palasi',
    also: 'myos lisaksi',
    again: 'taas uudestaan uudelleen jalleen taaskin tavalliseen_tapaan',
    vague:
      'viikkokausia paivakausia kuukausia(?!\\s\\d) vuosikausia viikkoja(?!\\s\\d) paivatolkulla viikkotolkulla pitkan_aikaa (?:jo|ollut|ollu|kestanyt|vaivannut)_(?:pitkaan|kauan) jonkin_aikaa(?!_sitten) jonkun_aikaa(?!_sitten) aina_ollut koko_ian',
    often: 'joka_(?:yo|oo|aamu|ilta) oisin yoaikaan aamuisin iltaisin melkein_joka_yo',
    happened:
      'alkoi alko alkanut alkanu uusiutui paheni oli kaatui kaaduin putosi putosin poltin poltti sain sai tuli tulin loin loi lomasin satutin satutti nostin venaytin nyrjaytin soin soi herasin puri pisti viilsin liukastui liukastuin kompastuin astuin pyorryin oksensi oksensin osui osuin',
    toCome:
      'vasta varattu varattuna aika ajan menen pitaa pitaako pitaisi tulee voiko voinko ensi lahden huomenna leikkaus leikataan laakari laakariin odottaa ootetaan',
    dayParts: 'aamulla iltapaivalla illalla yolla asti lahtien saakka alkaen',
  },
  no: {
    since: 'siden sia sida sidan helt_siden',
    lasting: [
      ['en halvtime, halvtime', so(30, 'minutes')],
      ['hele kvelden, hele formiddagen, hele morgenen', so(4, 'hours')],
      ['hele uka, hele uken, en ukes tid, siste uka, siste uken', so(1, 'weeks')],
      ['siste maneden', so(1, 'months')],
      ['et halvar, et halvt ar, halvt ar', so(6, 'months')],
      ['en uke eller to', so(2, 'weeks')],
      ['en dag eller to', so(2, 'days')],
      ...ordinals('tredje fjerde femte sjette sjuende', 'dag dagen dognet', 'uke uka uken'),
    ],
    afterSince: [
      ['frokost, frokosten', at(0, 8)],
      ['lunsj', at(0, 12)],
      ['midnatt', at(0, 0)],
      ['i var, varen', SPRING],
      ['i sommer, sommeren', SUMMER],
      ['i host', AUTUMN],
      ['i vinter, vinteren', WINTER],
      ['jul, jula', CHRISTMAS],
      ['nyttar', WINTER],
      ['helga, helgen', WEEKEND],
      ...months('januar, februar, mars, april, mai, juni, juli, august, september, oktober, november, desember'),
      ...weekdays(NORWEGIAN_DAYS, '$, pa $, sist $, forrige $'),
    ],
    over: [
      ['i gar, igar', so(1, 'days')],
      ['i gar morges, i gar formiddag, igar formiddag', at(1, 9)],
      ['i gar ettermiddag, igar ettermiddag', at(1, 15)],
      ['i gar kveld, igar kveld, i gar kvall', at(1, 20)],
      ['i forgars, iforgars, forgars', so(2, 'days')],
      ['natt til i dag, i natt tidlig', at(0, 2)],
      ['i morges, imorges, i dag tidlig, tidlig i dag, i dag morges', at(0, 7)],
      ['i formiddag', at(0, 10)],
      ['for litt siden, for en liten stund siden, for en stund siden, nettopp', so(30, 'minutes')],
      ['her om dagen, forleden', so(3, 'days')],
      ['forrige uke, forrige uka', so(1, 'weeks')],
      ['forrige maned', so(1, 'months')],
      ['forrige helg, sist helg', LAST_WEEKEND],
      ...weekdays(NORWEGIAN_DAYS, 'sist $, forrige $, i $s'),
    ],
    open: [
      ['i natt, inatt', at(0, 2)],
      ['i ettermiddag', at(0, 14)],
      ['i helga, i helgen', WEEKEND],
      ['i sommer', SUMMER],
      ...weekdays(NORWEGIAN_DAYS, 'pa $'),
    ],
    began: 'begynte begynt byrja byrjet starta startet start blusset kom_tilbake brot_ut slo_til',
    also: 'ogsa i_tillegg',
    again: '(?<!kjen[a-z]*\\s(?:[a-z]+\\s){0,2})igjen nok_en_gang enda_en_gang som_vanlig pa_nytt',
    vague:
      'i_(?:ukevis|dagevis|manedsvis|maneder|arevis|uker|mange_ar|evigheter) (?:hatt|hatt_det|vart|hostet|plaget|plagd|slitt)_(?:sa_)?lenge en_(?:god_)?stund(?!_siden|_sia) hele_livet',
    often: 'hver_(?:natt|morgen|kveld) kvar_natt nesten_hver_natt hver_eneste_natt om_nettene natt_etter_natt',
    happened:
      'var hadde fikk la blusset falt datt lofta loftet slo skar kuttet kutta brant brente brent stukket bitt bet begynte begynt startet starta vrikka vrikket trakka trakket kom vakna vaknet spiste ble blitt gikk spilte snubla snublet klemte klemt vart har svelget besvimte kasta kastet skrek',
    toCome: 'skal vil ma kan time timen bestilt neste i_morgen imorgen til venter operasjon tannlege',
    dayParts: 'morgen formiddag ettermiddag kveld natt',
  },
  sv: {
    since: 'sedan sen sedn sean alltsedan',
    lasting: [
      ['en halvtimme, halvtimme', so(30, 'minutes')],
      ['hela kvallen, hela formiddagen, hela morgonen', so(4, 'hours')],
      ['hela veckan, en veckas tid, senaste veckan', so(1, 'weeks')],
      ['senaste manaden', so(1, 'months')],
      ['ett halvar, ett halvt ar, halvar', so(6, 'months')],
      ['en vecka eller tva', so(2, 'weeks')],
      ['en dag eller tva', so(2, 'days')],
      ...ordinals('tredje fjarde femte sjatte sjunde', 'dagen dygnet', 'veckan'),
    ],
    afterSince: [
      ['frukost, frukosten', at(0, 8)],
      ['lunch, lunchen', at(0, 12)],
      ['midnatt', at(0, 0)],
      ['varen, i varas', SPRING],
      ['sommaren, i somras', SUMMER],
      ['hosten, i hostas', AUTUMN],
      ['vintern, i vintras', WINTER],
      ['jul, julen', CHRISTMAS],
      ['nyar', WINTER],
      ['helgen, i helgen', WEEKEND],
      ...months('januari, februari, mars, april, maj, juni, juli, augusti, september, oktober, november, december'),
      ...weekdays(SWEDISH_DAYS, '$, $s, i $s, forra $en'),
    ],
    over: [
      ['igar, i gar', so(1, 'days')],
      [
        'igar morse, igar morgon, i gar morse, i gar morgon, igar fm, i gar fm, igar formiddag, i gar formiddag',
        at(1, 9),
      ],
      ['igar em, i gar em, igar eftermiddag, i gar eftermiddag, igar eftermiddags', at(1, 15)],
      ['igar kvall, i gar kvall, igarkvall, i gar kvell', at(1, 20)],
      ['igar natt, i gar natt', at(0, 2)],
      ['i forrgar, iforrgar, forrgar, i forgar', so(2, 'days')],
      ['i morse, imorse, i morrse', at(0, 7)],
      ['i formiddags', at(0, 10)],
      ['i eftermiddags', at(0, 14)],
      ['i kvalls, ikvalls', at(1, 20)],
      ['nyss, for en stund sedan, for en stund sen, for en liten stund sedan', so(30, 'minutes')],
      ['haromdagen, har om dagen, haromdan', so(3, 'days')],
      ['forra veckan', so(1, 'weeks')],
      ['forra manaden', so(1, 'months')],
      ['forra helgen', LAST_WEEKEND],
      ['i varas', SPRING],
      ['i somras', SUMMER],
      ['i hostas', AUTUMN],
      ['i vintras', WINTER],
      ...weekdays(SWEDISH_DAYS, 'i $s, forra $en'),
      ...weekdays(SPOKEN_SWEDISH_DAYS, 'i $'),
    ],
    open: [
      ['i natt, inatt', at(0, 2)],
      ['i helgen', WEEKEND],
      ['i sommar', SUMMER],
    ],
    began: 'borjade borja borjat startade startat blossade debuterade kom_tillbaka brot_ut',
    also: 'ocksa aven dessutom',
    again: '(?<!kan(?:de|ns|ner|t|na)[a-z]*\\s(?:[a-z]+\\s){0,2})igen an_en_gang annu_en_gang pa_nytt som_vanligt',
    vague:
      'i_(?:veckor|dagar|manader|aratal|flera_ar|manga_ar|evigheter) (?:haft|haft_det|varit|hostat|besvar)_(?:sa_)?lange ett_(?:bra_)?tag(?!_sedan|_sen) hela_livet',
    often: 'varje_(?:natt|morgon|kvall) nastan_varje_natt varenda_natt om_natterna natt_efter_natt',
    happened:
      'var hade fick blossade foll ramlade ramlat lyfte slog skar brande branns stucken stucket biten bet borjade borjat startade vrickade stukade trampade kom vaknade at blev blivit gick snubblade klamde har svalde svimmade krakts kraktes skrek spelade',
    toCome:
      'ska skall maste kan kommer tid tiden bokad boka bokat nasta imorgon i_morgon till vantar operation tandlakare',
    dayParts: 'morgon morse formiddag eftermiddag kvall natt',
  },
}
