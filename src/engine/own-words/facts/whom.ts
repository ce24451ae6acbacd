import type { Language } from '../../content.ts'
import { perLanguage } from '../../languages.ts'
import { anyOf } from './letters.ts'
import { FACT_WORDS, type FactWords } from './words.ts'

/** How far before or after a person the words stand that say what they are in the sentence, in letters. */
const NEAR = 40
/** A grown-up who is named later than this, in letters, is whom it is about where the text goes on about them. */
const EARLY = 60

/** "My baby toe", "baby blues": what follows says that it is no child. */
const NO_CHILD = '(?! (?:toes?|fingers?|bump|tooth|teeth|shower|blues|aspirin|fat|weight|food)\\b)'

/** "My eye with the baby's nail": after these it is no longer said whose child it is. */
const BETWEEN = '(?:with|from|and|of|for|by|the|had|have|has|is|was|med|fra|fran|av|och|og|har|er|ar|som|ja|on)'

/** The words of a language that tell whom a text is about, in small letters without accents; an underscore stands for a space. */
interface WhomWords {
  /** After "I": the writer tells of what they do for somebody, not of themselves. */
  readonly cares: string
  /** "I". */
  readonly i: string
  /** Before "I": the writer asks what to do. */
  readonly asks: string
  /** Other words in which the writer tells of themselves; a regular expression. */
  readonly myself: string
  /** Before a person: the sentence is not about them. "From my son", "expecting our first child". */
  readonly notOf: string
  /** Before a child that is not said to be ours: "safe for baby", "a girl I met". */
  readonly notOfAny: string
  /** After a person: they say, think or give something; a regular expression. */
  readonly says: string
  readonly they: string
  /** Ends of words that make them ours: "poikani". */
  readonly ours: string
  /** "One": it may as well be nobody. */
  readonly one: string
  /** People whose troubles a writer rather mentions than asks about. */
  readonly friends: string
}

const WORDS: Readonly<Record<Language, WhomWords>> = {
  en: {
    cares:
      "think thought know knew notice noticed saw see found find gave give given took take_(?:him|her|my) put checked check call called rang phoned tried try want wanted wonder need would_like wish hope read googled believe guess suppose can should shall must do don't_know dont_know do_not_know also just ask asked tell told say said heard hear look looked came picked left am_(?:worried|concerned|scared|writing|asking|calling|the|his|her|a_(?:mum|mom|mother|father|dad)) was_(?:told|wondering) have_(?:given|tried|noticed|checked|put|a_(?:son|daughter|boy|girl|baby|child|toddler|newborn|\\d+)) let measured managed rub rubbed bathed changed won't wont dont_want don't_want",
    i: 'i',
    asks: 'should can could do must shall may will would did',
    myself:
      "(?:i'?m|im) (?!worried|concerned|scared|not sure|unsure|writing|asking|calling|his|her|the|a (?:mum|mom|mother|father|dad|bit worried)|just wondering|wondering)|(?:i've|ive) (?!given|tried|noticed|checked|put|got a (?:son|daughter|baby)|been (?:giving|putting|told)|read|used|heard|looked)|my (?:own )?(?:head|hair|belly|tummy|stomach|back|chest|throat|knee|leg|legs|foot|feet|arm|hand|hands|neck|shoulder|skin|eye|eyes|ear|ears|nose|mouth|tooth|teeth|breast|breasts|nipple|nipples|boobs?|period|periods|heart|heartburn|heart rate|memory|voice|sleep|bladder|bowels?|temperature|blood pressure|bp|cough|cold|milk supply|stitches|scar)",
    notOf:
      'from with by than like as since after before without between expecting trying_for_a had having holding changing feeding carrying lifting nursing breastfeeding picked_up pick_up visiting staying_with told_to',
    notOfAny: 'a an another any no for for_the for_a have having had each',
    says: "(?:(?:is |has been |isn't |hasn't been )?(?:moving|moves|kicking|kicks)|movements?|says|said|thinks|thought|reckons|told|tells|wants (?:me|us)|swears|insists|suggest(?:s|ed)|recommend(?:s|ed)|claims|believes|keeps (?:telling|saying|sending|on at)|bought|brought|sent|lent|made me|gave me|give me|got me|gets me|got this|does the|uses?|used|puts?|takes? (?:the|a|it|one)|photographs|will (?:kill|nag|say)|caught me|had it|had the same|had one|won't let me|wont let me|has (?:the same|had it|one|some)|is (?:driven|fed up|sick of|at work|worried|a (?:nurse|doctor)))|'s (?:wedding|christening|birthday|party|school|nursery|house|place|advice|friend|bed|car|room|funeral|graduation)",
    they: "he she he's she's hes shes his her him hers",
    ours: '-',
    one: '-',
    friends: 'friend neighbour neighbor colleague flatmate uncle aunt',
  },
  fi: {
    cares: '-',
    i: '-',
    asks: '-',
    myself:
      '(?:mulla|minulla|mul|mullon|mua|minua|multa|minulta|minuun|muhun|itsellani|minuakin)\\b|(?:olen|oon)\\b (?!(?:antanut|antanu|laittanut|laittanu|huolissani|yrittanyt|soittanut|mitannut|mittaillut|vaihtanut|isa|aiti|hanen|taman|kokeillut|miettinyt|koittanut)\\b)|en (?:saa unta|jaksa|pysty|nuku|saanu|saanut nukuttua|syo|pysy)|oma (?:vatsa|paa|selka)|(?:heraan|heratessani|nukuin|kaaduin|loin|sairastuin|imetan|itken|pelkaan|saan kohtauk)\\b',
    notOf: 'kuin niinku sain saimme saatiin odotamme odotan imetan kannoin kannan nostin nostan',
    notOfAny: '-',
    says: '(?:liikkeet|liikkeita|potkii|potkut|sanoi|sano|sanoo|sannoo|neuvoi|neuvo|kaski|kaskee|vaittaa|vannoo|luulee|ehdotti|kehuu|toi|osti|epailee|arvelee|pakotti|kehotti|tuumi|tuumas|mielesta|mukaan|kanssa|kans|kaa|luo|luona|luota|luokse|haat|haita|haissa|synttar[a-z]*|syntymapaiv[a-z]*|rippijuhl[a-z]*|takia|,? ?jonka kanssa)',
    they: 'han hanella hanen hanta hanelle hanesta han_on',
    ours: 'ni mme',
    one: '-',
    friends: 'kaveri kaverini kaverilla naapuri naapurilla ystavani ystavallani',
  },
  no: {
    cares:
      'tror tenker tenkte vet veit lurer lurte ser sa så fant finn gav ga gir gi ringte ringe ringer vil vill onsker trenger haper leste googlet skriver skriv sporre spor kan skal bor ma matte prove provde prover male malte merket merka la kontakte komme ta vekke behandle bestille har_(?:gitt|provd|malt|merket|sett|smurt|lest|hort|kjopt|en|ei|ringt|tatt_temp) er_(?:bekymret|redd|usikker|mor|far|litt_bekymret) ikke hente hentet snudde holder holdt jeg',
    i: 'jeg eg je',
    asks: 'kan skal bor ma far kunne skulle burde vil',
    myself:
      '(?:hodet|magen|ryggen|brystet|halsen|kneet|haret|leggen|foten|handa|handen|huden|brystene|brystvortene|stemmen|hukommelsen|kroppen|skulderen|nakken) (?:min|mi|mitt|mine)\\b|(?:plager|gir|gjor|holder) (?:meg|mæ) (?!beskjed)',
    notOf:
      'fra med av enn som etter uten stelle holde baere bære lofte amme ammer venter ventar fekk fikk fodte henter hente passe passer mellom',
    notOfAny: 'en ei et ett for til_ alle sma mange to tre har noen hver_gang',
    says: '(?:(?:min|mi|mitt|var|vart|mine) )?(?:beveger seg|bevegelser|sparker|sparkar|sier|seier|sa|mener|meiner|tror|trur|synes|syns|syntes|ba|foreslo|anbefal[a-z]*|kjopte|kom med|ga meg|gav meg|gav mæ|maser|vil (?:at|ha meg)|insister[a-z]*|lurer|er pa jobb|er (?:bekymret|redd|lege|sykepleier|helt fra seg)|har (?:sagt|hatt det|kjopt|augedrop[a-z]*|oyedrap[a-z]*|en sann|noe|noen)|smorer|tok med)',
    they: 'han hun ho ham henne hans hennes hennar n',
    ours: '-',
    one: '-',
    friends: 'venn venninne nabo naboen',
  },
  sv: {
    cares:
      'tror tankte vet undrar undrade ser sag hittade gav ger ge ringde ringa vill onskar behover hoppas laste googlade skriver fraga kan ska skall bor maste provade marker markte matte mata kontakta boka ta lagga vacka har_(?:gett|provat|matt|markt|sett|smort|last|hort|kopt|en|ringt) ar_(?:orolig|radd|osaker|mamma|pappa|lite_orolig) inte hamtade hamta vande jag',
    i: 'jag ja jao',
    asks: 'kan ska skall bor maste far kunde skulle borde vill',
    myself:
      '(?:min|mitt|mina) (?:eg(?:en|et|na) )?(?:huvud|mage|rygg|brost|hals|kna|har|vad|fot|hand|hud|brostvart[a-z]*|rost|minne|kropp|axel|nacke|mens|astma|bada ben)',
    notOf:
      'fran med av an som efter utan skota halla bara lyfta amma ammar vantar fick fodde hamta passa passar mellan mot',
    notOfAny: 'en ett for till alla sma manga tva tre har nagra varje_gang',
    says: '(?:(?:min|mitt|var|vart) )?(?:ror sig|rorelser|sparkar|sager|sajer|sa|sade|tror|menar|tycker|tjatar|foreslog|rekommender[a-z]*|kopte|gav mig|vill att|undrar|bad|pastar|ar (?:pa jobb|e pa jobb|orolig|radd|lakare|sjukskoterska)|e pa jobb|har (?:sagt|haft det|kopt|en sadan|nagra|nagot|tittat)|smorjer)',
    they: 'han hon honom henne hans hennes',
    ours: '-',
    one: 'man',
    friends: 'van vaninna granne grannen',
  },
}

export type Sex = 'male' | 'female' | undefined

interface Grammar {
  readonly child: RegExp
  readonly adult: RegExp
  readonly iHave: RegExp
  readonly myself: RegExp
  readonly notOf: RegExp
  readonly notOfAny: RegExp
  readonly says: RegExp
  readonly they: RegExp
  /** "My 2 year old". */
  readonly oursBefore: RegExp
  readonly i: RegExp
  readonly isOurs: (match: string, after: string) => boolean
  readonly isAny: (word: string) => boolean
  readonly one: string
  readonly sexOf: (word: string) => Sex
}

const all = ({ male, female, either }: FactWords['adults']) => anyOf(`${male} ${female} ${either}`)

const GRAMMARS = perLanguage((language: Language): Grammar => {
  const { my, children, adults, ails, iHave, man, woman } = FACT_WORDS[language]
  const { cares, i, asks, myself, notOf, notOfAny, says, they, ours, one, friends } = WORDS[language]
  const male = new Set(`${children.male} ${adults.male} ${man}`.split(' '))
  const female = new Set(`${children.female} ${adults.female} ${woman}`.split(' '))
  const weak = new Set(`${children.either} ${friends}`.split(' '))
  const possessive = new RegExp(`^(?:${anyOf(my)}) | (?:${anyOf(my)})\\b|(?:${anyOf(ours)})$`)
  const possessiveAfter = new RegExp(`^ (?:${anyOf(my)})\\b`)
  return {
    child: new RegExp(
      `\\b(?:(?:${anyOf(my)}) (?:(?!${BETWEEN}\\b)[a-z0-9-]+ ){0,3}?)?(${all(children)})\\b${NO_CHILD}`,
      'g',
    ),
    adult: new RegExp(`\\b(?:(?:${anyOf(my)}) )?(${all(adults)})(?: (?:${anyOf(my)}))?,? (?:${anyOf(ails)})\\b`, 'g'),
    iHave: new RegExp(`\\b(?:${anyOf(iHave)})\\b`),
    myself: new RegExp(`\\b(?:(?<!\\b(?:${anyOf(asks)}) )(?:${anyOf(i)}) (?!(?:${anyOf(cares)})\\b)[a-z']|${myself})`),
    notOf: new RegExp(`\\b(?:${anyOf(notOf)}) $`),
    notOfAny: new RegExp(`\\b(?:${anyOf(notOfAny)}) (?:[a-z]+ )?$`),
    says: new RegExp(`^ ?(?:${says})(?![a-z])`),
    they: new RegExp(`\\b(?:${anyOf(they)})\\b`),
    oursBefore: new RegExp(`\\b(?:${anyOf(my)}) $`),
    i: new RegExp(`\\b(?:${anyOf(i)}) `),
    isOurs: (match, after) => possessive.test(match) || possessiveAfter.test(after),
    isAny: (word) => weak.has(word),
    one,
    sexOf: (word) => (male.has(word) ? 'male' : female.has(word) ? 'female' : undefined),
  }
})

export interface Person {
  readonly at: number
  readonly length: number
  readonly sex: Sex
}

/** Whether the writer tells of themselves before a place, or after it, where nobody else is told of from there on. */
function writerTells(plain: string, at: number, { iHave, myself, they }: Grammar): boolean {
  const before = plain.slice(0, at)
  if (iHave.test(before) || myself.test(before)) return true
  const after = plain.slice(at)
  return (iHave.test(after) || myself.test(after)) && !they.test(after)
}

/** Whether a text may be about the young child that it names only by its age. */
export function isAboutYoung(plain: string, language: Language, at: number): boolean {
  const grammar = GRAMMARS[language]
  const before = plain.slice(0, at)
  const ours = grammar.oursBefore.exec(before)
  if (!ours) return !writerTells(plain, at, grammar)
  return !grammar.iHave.test(before) && !grammar.myself.test(before) && !grammar.notOf.test(before.slice(0, ours.index))
}

/** Whether the writer tells of themselves anywhere. */
export const tellsOfWriter = (plain: string, language: Language): boolean =>
  GRAMMARS[language].iHave.test(plain) || GRAMMARS[language].myself.test(plain)

/**
 * Somebody else than the writer: a child, or a grown-up whom something ails, when the writer has not spoken of themselves before. Nobody of whom the sentence
 * tells something else: "my son bought me", "from my daughter", "safe for baby". A child or a friend who is only named ("the baby wakes") is whom it is about where
 * the writer tells nothing of themselves.
 */
export function otherIn(
  plain: string,
  language: Language,
  isPast: (at: number) => boolean,
  age: { readonly at: number; readonly length: number } | undefined,
  isMother: boolean,
  tellsOwnAge: boolean,
): Person | undefined {
  const grammar = GRAMMARS[language]
  const people = [
    ...[...plain.matchAll(grammar.child)].map((match) => ({ match, isAdult: false })),
    ...[...plain.matchAll(grammar.adult)].map((match) => ({ match, isAdult: true })),
  ].sort((a, b) => a.match.index - b.match.index)
  for (const { match, isAdult } of people) {
    const { 0: whole, 1: name = '', index: at } = match
    const before = plain.slice(0, at)
    if (grammar.iHave.test(before)) return undefined
    if (isPast(at)) continue
    const end = at + whole.indexOf(name) + name.length
    const after = plain.slice(end)
    if (grammar.notOf.test(before.slice(-NEAR)) || isSaying(after, grammar)) continue
    const isOurs = grammar.isOurs(whole, after)
    if (name === grammar.one && !isOurs) continue
    const isAged = age !== undefined && age.at < end + 12 && age.at + age.length > at - 12
    if (!isOurs && !isAged && grammar.notOfAny.test(before.slice(-NEAR))) continue
    const isNamed = tellsOwnAge || (grammar.isAny(name) && (!isOurs || isAdult))
    if (isMother && !isAdult && !isAged) continue
    if (isNamed && (isMother || writerTells(plain, at, grammar))) continue
    if (grammar.myself.test(before)) continue
    if (isAdult && at > EARLY && !grammar.they.test(after)) continue
    return { at, length: whole.length, sex: grammar.sexOf(name) }
  }
  return undefined
}

/** "My wife says it is nothing", but not "my wife says she cannot breathe". */
function isSaying(after: string, { says, they, i }: Grammar): boolean {
  const sentence = after.slice(0, NEAR).split(/[.!?\n]/, 1)[0] ?? ''
  const said = says.exec(sentence)
  if (!said) return false
  const told = sentence.slice(said[0].length)
  return !they.test(told.split(i, 1)[0] ?? '')
}
