import type { Language } from '../content.ts'

/** What reading a patient's words requires of a language. Words are folded: lower case, no accents, no apostrophes. */
export interface LanguageRules {
  /** Words that only hold a sentence together: never part of what a phrase means. */
  readonly glue: ReadonlySet<string>
  /** Words that say little by themselves and are left out of search terms. */
  readonly common: ReadonlySet<string>
  /** "no fever": denies the things that follow. */
  readonly no: ReadonlySet<string>
  /** "does not hurt": denies what is done, and things as well. */
  readonly not: ReadonlySet<string>
  /** "cannot swallow": a complaint, not a denial. */
  readonly unable: ReadonlySet<string>
  /** Beside one of these a denial means being unable: "pysty", "får". */
  readonly able: ReadonlySet<string>
  /** "not only": denies nothing. */
  readonly only: ReadonlySet<string>
  /** A denial goes on over these … */
  readonly or: ReadonlySet<string>
  /** … and ends at these, … */
  readonly ends: ReadonlySet<string>
  /** … and where someone new begins to do something: "not unconscious she has". */
  readonly subjects: ReadonlySet<string>
  /** "years ago", "as a child": what is told of then is not of this illness. By their first word. */
  readonly past: ReadonlyMap<string, readonly (readonly string[])[]>
  /** "but now": what follows is of this illness again. */
  readonly present: ReadonlySet<string>
  /** "the same pain as in 2019": in the clause that tells of then, they make it of now. */
  readonly asThen: ReadonlySet<string>
  /** "was", "lost": what follows a story of long ago belongs to it where it tells of what was. */
  readonly was: ReadonlySet<string>
  /** Different words for the same: one group to a line. */
  readonly alike: readonly (readonly string[])[]
  /** The same for words of danger: only the surest, and none that means danger when it stands alone. */
  readonly alikeInDanger: readonly (readonly string[])[]
  /** Endings that inflection adds, by their last letter, longest first, and how many rounds of them a word may carry. */
  readonly endings: ReadonlyMap<string, readonly string[]>
  readonly rounds: number
  /** Letters that may stand between the parts of a compound. */
  readonly links: readonly string[]
  /** One known part of a compound already says something ("bröstkorg"); not so where compounds are written apart. */
  readonly joinsWords: boolean
  /** Endings are so rich that a long shared beginning means the same word. */
  readonly sharedBeginning: boolean
}

const set = (words: string) => new Set(words.split(' '))
const byFirstWord = (phrases: string) =>
  Map.groupBy(
    phrases.split(', ').map((phrase) => phrase.split(' ')),
    ([first = '']) => first,
  )
function byLastLetter(endings: string): Map<string, string[]> {
  const longestFirst = endings.split(' ').sort((a, b) => b.length - a.length)
  return Map.groupBy(longestFirst, (ending) => ending.slice(-1))
}

export const LANGUAGE_RULES: Readonly<Record<Language, LanguageRules>> = {
  en: {
    glue: set('a an the in on of at to for with is are was were am be been im its it i and or my the that this'),
    common: set(
      'me you he she we they his her him your our their have has had having get got getting feel feels feeling felt some any very really so too quite just now today yesterday since days day week weeks hours morning night need want please hello hi help doctor think know what why how when from about up out as by if then there anymore suddenly does do did would could should will properly',
    ),
    no: set('no without none zero denies neither nor'),
    not: set('not dont doesnt didnt isnt arent wasnt havent hasnt hadnt wont aint'),
    unable: set('cant cannot couldnt unable cannt cnt'),
    able: set('able can could manage'),
    only: set('only just'),
    or: set('or nor'),
    ends: set('but because when if although though and then so that since however except why what how after while'),
    subjects: set('i he she we they'),
    past: byFirstWord(
      'in YEAR, years ago, year ago, last year, last summer, last winter, last spring, last autumn, as a child, as a kid, as a baby, as a teenager, as a toddler, as a girl, as a boy, in my childhood, when i was little, when i was young, when i was a child, when i was a kid, when i was a teenager, when i was younger, back then, long ago, decades ago, used to have, used to get, in the past, history of, runs in the family, in our family, in my family, in my twenties, in his twenties, in her twenties, in my thirties, in my teens, in his teens, in her teens, once had',
    ),
    present: set('now today tonight again currently still but this since yesterday woke'),
    asThen: set('same again now today'),
    was: set(
      'had was were did didnt lost could couldnt got went took came fell felt broke spent needed recovered survived healed',
    ),
    alike: [
      'pain pains painful ache aches aching hurt hurts hurting sore soreness'.split(' '),
      'child kid son daughter toddler boy girl baby infant newborn children kids'.split(' '),
      'fever temperature feverish'.split(' '),
      'stomach belly tummy abdomen abdominal'.split(' '),
      'medicine medication meds pill pills tablet tablets drug drugs'.split(' '),
    ],
    alikeInDanger: [
      'want wish wanna wants wished'.split(' '),
      'die dead'.split(' '),
      'much lot lots heavily loads badly profusely'.split(' '),
      'swallowed swallow drank drunk drink'.split(' '),
      'ate eaten eats'.split(' '),
      'bleach cleaner acid detergent antifreeze lye weedkiller turpentine'.split(' '),
      'swelling swollen closing closes tightening tight puffing puffed ballooning'.split(' '),
      'blue grey gray purple'.split(' '),
      'breathing breathe breath breathes'.split(' '),
      'took taken necked downed'.split(' '),
      '30 15 16 18 20 24 25 28 32 35 40 45 48 50 60 70 80 90 100 twenty thirty forty fifty sixty hundred dozen whole entire all handful box packet pack bottle strip everything'.split(
        ' ',
      ),
      'tablets paracetamol ibuprofen aspirin codeine tramadol oxycodone diazepam valium xanax antidepressants painkillers capsules panadol tylenol'.split(
        ' ',
      ),
      'vomiting vomits vomited vomit puking puked puke throwing threw'.split(' '),
      'inhaler puffer ventolin reliever salbutamol'.split(' '),
      'nuts nut peanut peanuts cashew almond walnut shellfish prawn shrimp'.split(' '),
      'stool poo poop faeces feces'.split(' '),
      'sleepy drowsy groggy lethargic'.split(' '),
      'fever temperature temp'.split(' '),
      'confused disoriented'.split(' '),
      'child toddler kid son daughter boy girl'.split(' '),
      'hit banged bumped bang bashed smacked'.split(' '),
      'fell fallen falling'.split(' '),
      'chemo chemotherapy'.split(' '),
      'arm leg'.split(' '),
      '180 160 170 190 200 210 220'.split(' '),
      'spots dots blotches'.split(' '),
    ],
    endings: byLastLetter('ings ing edly ed ness es s ly er'),
    rounds: 2,
    links: ['', 's'],
    joinsWords: false,
    sharedBeginning: false,
  },
  fi: {
    glue: set('on ovat oli olivat olla ole ollut ja tai se ne'),
    common: set(
      'mina minulla minun mulla mun ma minua mua minulle sinulla han hanella hanen hanta meidan meilla mies vaimo ollut olen olet oon nyt tanaan eilen viime paivaa paivan paiva viikko viikon viikkoa tuntia yolla aamulla illalla ihan tosi todella hyvin vahan jotain jokin joku mita miksi kun etta taas jo viela aina vain pitaisi tarvitsen tarvitsisin haluan haluaisin voisiko voisinko saisinko hei moi terve apua kiitos oikein kunnolla enaa kovin niin yhtakkia akkia alkoi alkanut tullut tuli tulee tuntuu sen siita siina tama tassa taman',
    ),
    no: set('ilman'),
    not: set('ei en et emme ette eivat eika enka etka alkaa ala etten ettei jottei ettemme'),
    unable: set('kykenematon'),
    able: set(
      'pysty pystynyt voi voinut saa saanut saada kykene kyennyt paase paassyt jaksa jaksanut meinaa tahdo onnistu',
    ),
    only: set('vain pelkastaan ainoastaan'),
    or: set('tai eika enka'),
    ends: set('mutta koska kun jos vaikka ja vaan sitten silti mut muuten kuitenkin'),
    subjects: set('mina ma han ne minulla mulla hanella'),
    past: byFirstWord(
      'vuonna YEAR, vuotta sitten, vuosi sitten, vuosia sitten, viime vuonna, viime kesana, viime talvena, viime kevaana, viime syksyna, lapsena, lapsuudessa, nuorena, pienena, teinina, kauan sitten, aikoinaan, aikanaan, vuosikymmenia sitten, suvussa, suvussani, vauvana, joskus aiemmin, kouluaikana',
    ),
    present: set('nyt tanaan taas edelleen mutta mut nykyaan uudestaan eilen herasin'),
    asThen: set('sama samaa samat samanlainen samanlaista taas nyt tanaan'),
    was: set(
      'oli olin olivat sain sai jouduin joutui menin meni menetin menetti leikattiin hoidettiin oltiin toipui toivuin selvisin selvisi',
    ),
    alike: [
      'kipu kipua kivut kipea sarky sarkee sattuu sattunut koskee kolottaa juilii juilia vihloo arka aristaa jomottaa'.split(
        ' ',
      ),
      'lapsi lapsen lapsella lasta poika pojan pojalla tytto tyton tytolla vauva taapero tytar muksu lapset pikkuinen'.split(
        ' ',
      ),
      'vatsa maha masu'.split(' '),
      'kuume kuumetta kuumeinen kuumeilee kuumeilu'.split(' '),
      'laake laakkeet laakitys pilleri tabletti tabletit'.split(' '),
    ],
    alikeInDanger: [
      'haluan haluaa haluaisin toivon toivoisin kunpa'.split(' '),
      'kuolla kuollut kuolisin kuollu'.split(' '),
      'paljon runsaasti hirveasti kovasti'.split(' '),
      'joi join juonut nieli nielin nielaisi soi soin'.split(' '),
      'valkaisuainetta myrkkya pesuainetta lipeaa viemarinavausainetta'.split(' '),
      'turpoaa turvonnut turvoksissa umpeen pullistuu paisuu'.split(' '),
      'vino vinossa roikkuu vinoon'.split(' '),
      '30 15 16 18 20 24 25 28 32 35 40 45 48 50 60 70 80 90 100 kaksikymmenta kolmekymmenta neljakymmenta viisikymmenta purkin purkillisen kourallisen paketin paketillisen levyn levyllisen'.split(
        ' ',
      ),
      'tablettia tabletti tabletin panadolia panadol buranaa burana pamolia parasetamolia parasetamoli ibuprofeenia ibuprofeeni unilaakkeita unilaaketta kipulaakkeita kipulaaketta diapamia tramalia masennuslaakkeita'.split(
        ' ',
      ),
      'otin otti ottanut otettu'.split(' '),
      'lapsi lapsen lapsella lasta poika pojan pojalla tytto tyton tytolla taapero taaperon taaperolla'.split(' '),
      'kasi kaden katta kateen kadessa kateni katensa kasivarsi kasivarteen'.split(' '),
      'pilkut pilkkuja laiskat laiskia taplat taplia nappyja'.split(' '),
      'loi loin loinyt lyonyt iski kolautti'.split(' '),
      'puoli puolta puolen puolella'.split(' '),
      '180 160 170 190 200 210 220'.split(' '),
      'unelias uninen vasynyt tokkurainen'.split(' '),
      'sekava sekavia sekaisin'.split(' '),
    ],
    endings: byLastLetter(
      'kaan kin ni nsa mme nne ssa sta lla lta lle ksi tta ta na seen siin iin hin aan oon uun yyn een han hon hun hen n t a massa maan malla nut nyt neet vat taa taan isin isi in',
    ),
    rounds: 3,
    links: ['', 'n', 's'],
    joinsWords: true,
    sharedBeginning: true,
  },
  no: {
    glue: set('en et ei i pa av til for med er var vaere har hadde jeg og eller a det den de som om min mitt mi'),
    common: set(
      'meg du han hun vi dere hans hennes ham henne mine din ditt hatt fatt fikk blitt bli blir kjenner foler noe noen veldig ganske sa nar na idag dag i gar dager uke uker timer natt morgen siden trenger vil onsker hei hjelp lege tror vet hva hvorfor hvordan fra ved mye litt bare ogsa sin sitt mann kone ordentlig skikkelig riktig helt lenger plutselig kan skal ma gjor gjore',
    ),
    no: set('ingen intet uten inga verken hverken null'),
    not: set('ikke ikkje'),
    unable: set('umulig'),
    able: set('kan kunne klarer klare far fikk fatt orker orke greier greie makter'),
    only: set('bare kun'),
    or: set('eller heller'),
    ends: set('men fordi nar hvis selv og sa at da siden bortsett mens etter'),
    subjects: set('jeg han hun vi de det'),
    past: byFirstWord(
      'i YEAR, ar siden, i fjor, fjor, som barn, som liten, som ung, som baby, som tenaring, i barndommen, da jeg var liten, da jeg var ung, da jeg var barn, for lenge siden, i gamle dager, i familien, i slekta, i slekten, tidligere i livet, forrige ar, i sommer, en gang hadde',
    ),
    present: set('na idag igjen fortsatt men ennå naa morges vaknet'),
    asThen: set('samme igjen na idag'),
    was: set('hadde var fikk ble mistet kunne kunde la gikk matte operert overlevde'),
    alike: [
      'vondt vont vond smerte smerter verk verker verking sar sart smertefull ont'.split(' '),
      'barn barnet sonn sonnen datter dattera datteren jente jenta gutt gutten baby babyen unge ungen spedbarn smabarn'.split(
        ' ',
      ),
      'mage magen buk buken'.split(' '),
      'feber feberen feberaktig temperatur'.split(' '),
      'medisin medisinen medisiner legemiddel legemidler tablett tabletter pille piller medikament'.split(' '),
    ],
    alikeInDanger: [
      'vil onsker onske'.split(' '),
      'do dod dode'.split(' '),
      'mye kraftig voldsomt masse kjempemye'.split(' '),
      'drakk drukket svelget svelga'.split(' '),
      'klor gift syre vaskemiddel avlopsapner blekemiddel'.split(' '),
      'hovner hoven hovne hovnet tetter snorer'.split(' '),
      'skjev skjevt skjeve'.split(' '),
      'puste puster pust pusten'.split(' '),
      'trykk trykker knuser klemmer'.split(' '),
      '30 15 16 18 20 24 25 28 32 35 40 45 48 50 60 70 80 90 100 tjue tretti forti femti hundre hele helt eske esken pakke pakken brett brettet glass glasset neve'.split(
        ' ',
      ),
      'tabletter paracet paracetamol ibux ibuprofen pinex sovetabletter smertestillende valium tramadol vival sobril'.split(
        ' ',
      ),
      'tok tatt tatte'.split(' '),
      'spist spiste spiser'.split(' '),
      'kaster kastet kasta spyr spydde brekker'.split(' '),
      'inhalator inhalatoren ventoline ventolinen pufferen astmamedisin'.split(' '),
      'notter nott peanotter cashewnott mandel skalldyr reker'.split(' '),
      'avforing avforingen basj basjen'.split(' '),
      'sovnig dosig slov trott'.split(' '),
      'feber 38 39 40'.split(' '),
      'forvirret desorientert omtaket'.split(' '),
      'barnet gutten jenta sonnen datteren toaringen'.split(' '),
      'slo slatt smalt dunket'.split(' '),
      'falt ramlet'.split(' '),
      'bein beinet arm armen'.split(' '),
      '180 160 170 190 200 210 220'.split(' '),
      'prikker flekker'.split(' '),
    ],
    endings: byLastLetter(
      'enes ende ande ingen inger ing elsene elsen elser else heten het ene ane ere est ede ete et en er ar te de as es ig ige a e s',
    ),
    rounds: 2,
    links: ['', 's', 'e'],
    joinsWords: true,
    sharedBeginning: false,
  },
  sv: {
    glue: set('en ett i pa av till for med ar var vara har hade jag och eller att det den de som om min mitt mina'),
    common: set(
      'mig du han hon vi ni hans hennes honom henne din ditt haft fatt fick blivit bli blir kanner kanns nagot nagon nagra valdigt mycket ganska sa nu idag igar dag dagar vecka veckor timmar natt morgon sedan behover vill onskar hej hjalp lakare tror vet vad varfor hur fran vid lite bara ocksa sin sitt man fru ordentligt riktigt helt langre plotsligt kan ska maste gor gora skulle igen',
    ),
    no: set('ingen inget inga utan varken noll'),
    not: set('inte ej icke'),
    unable: set('omojligt'),
    able: set('kan kunde klarar far fick orkar gar lyckas formar'),
    only: set('bara endast'),
    or: set('eller heller'),
    ends: set('men eftersom nar fast och sa da sedan forutom medan efter darfor'),
    subjects: set('jag han hon vi de det'),
    past: byFirstWord(
      'i YEAR, ar sedan, i fjol, fjol, forra aret, som barn, som liten, som ung, som bebis, som tonaring, i barndomen, nar jag var liten, nar jag var ung, nar jag var barn, for lange sedan, forr i tiden, i slakten, i familjen, forra sommaren, forra vintern, forra varen, forra hosten, tidigare i livet',
    ),
    present: set('nu idag igen fortfarande men morse igar vaknade'),
    asThen: set('samma igen nu idag'),
    was: set('hade var fick blev tappade kunde lag gick matte opererades overlevde'),
    alike: [
      'ont ondt smarta smartor smartan vark varker varken om omma omt smartsam smartar varkar'.split(' '),
      'barn barnet son sonen dotter dottern flicka flickan pojke pojken bebis bebisen unge ungen spadbarn smabarn'.split(
        ' ',
      ),
      'mage magen buk buken'.split(' '),
      'feber febern febrig temp'.split(' '),
      'medicin medicinen mediciner lakemedel lakemedlet tablett tabletter piller medicinerna'.split(' '),
    ],
    alikeInDanger: [
      'vill onskar onskade'.split(' '),
      'do dod doda'.split(' '),
      'mycket kraftigt ymnigt jattemycket massor'.split(' '),
      'drack druckit svalt svalde'.split(' '),
      'klorin gift syra rengoringsmedel propplosare blekmedel'.split(' '),
      'svullnar svullen svullna svullet snors snor'.split(' '),
      'sned snett snedt'.split(' '),
      'andas andades andning andningen'.split(' '),
      'tryck trycker krossar klammer'.split(' '),
      '30 15 16 18 20 24 25 28 32 35 40 45 48 50 60 70 80 90 100 tjugo trettio fyrtio femtio hundra hel hela helt ask asken burk burken karta kartan forpackning nave'.split(
        ' ',
      ),
      'tabletter alvedon panodil paracetamol ipren ibuprofen somntabletter vartabletter treo tramadol citodon stesolid'.split(
        ' ',
      ),
      'tog tagit tagna'.split(' '),
      'atit at ater'.split(' '),
      'kraks kraktes krakts kraker spyr spydde spytt'.split(' '),
      'inhalator inhalatorn bricanyl ventoline astmamedicin'.split(' '),
      'notter not jordnotter jordnot cashewnot mandel skaldjur rakor'.split(' '),
      'avforing avforingen bajs bajset'.split(' '),
      'somnig dasig slo trott'.split(' '),
      'feber 38 39 40'.split(' '),
      'forvirrad desorienterad virrig'.split(' '),
      'barnet pojken flickan sonen dottern tvaaringen'.split(' '),
      'slog slagit dunkade'.split(' '),
      'foll ramlade ramlat trillade'.split(' '),
      'ben benet arm armen'.split(' '),
      '180 160 170 190 200 210 220'.split(' '),
      'prickar flackar'.split(' '),
    ],
    endings: byLastLetter(
      'arnas ernas orna arna erna anden andet ande ende ningar ningen ning heten het aste ade are ast at ar er or en et an na as es igt iga ig a e s',
    ),
    rounds: 2,
    links: ['', 's', 'e'],
    joinsWords: true,
    sharedBeginning: false,
  },
}
