import type { DurationUnit, Language } from '../../content.ts'

/**
 * The words of a language that tell numbers, time and people. They stand here and not in the content because a grammar goes with them: which word may stand
 * before which is code, and neither says anything clinical. Words are in small letters without accents, apart by spaces; an underscore stands for a space.
 */
export interface FactWords {
  readonly numbers: Readonly<Record<string, number>>
  readonly units: Readonly<Record<DurationUnit, string>>
  /** Words that mean one and as often mean nothing of time ("a pack a day"): what must stand before or after the amount for it to be how long. */
  readonly article: string
  readonly beforeOne: string
  readonly afterOne: string
  /** Before or after an amount these mean that it is not how long it has lasted. */
  readonly notBefore: string
  readonly notAfter: string
  readonly fever: string
  readonly degrees: string
  /** Beginnings of words whose time is not that of the trouble: a birth, an operation, a medicine, a journey, a long illness. */
  readonly events: string
  /** "He had it three years ago": what is told of it then is another time. */
  readonly earlier: string
  /** Beginnings of words of sleep: so many hours are how long somebody sleeps. */
  readonly sleep: string
  /** Where another thing begins to be told: "and", "but now". */
  readonly joins: string
  /** "age", before an amount of time. */
  readonly age: string
  /** "old", after an amount of time. */
  readonly old: string
  /** A whole word for an age in years after a number: "vuotias", "åring"; the unit may stand without "old" after "am". */
  readonly aged: string
  readonly iAm: string
  readonly my: string
  readonly children: { readonly male: string; readonly female: string; readonly either: string }
  readonly adults: { readonly male: string; readonly female: string; readonly either: string }
  /** So young that their age is told in weeks: "baby 6 weeks". */
  readonly babies: string
  /** So young that their age is told in days: "newborn 8 days". */
  readonly newborns: string
  /** "of", "aged", between a child and its age. */
  readonly ofAge: string
  /** "She is", before an age. */
  readonly heIs: string
  /** Before an age that surprises: "she is only 8 days". */
  readonly only: string
  /** "born", before or after the time since then. */
  readonly born: string
  /** Ends of one word that holds the amount: "kaksiviikkoinen". */
  readonly agedIn: readonly (readonly [ends: string, DurationUnit])[]
  /** Ends of words of which such a word says how long and not how old: "kaksiviikkoinen yskä". */
  readonly lasts: string
  /** After a grown-up these say that something is the matter with them now. */
  readonly ails: string
  /** "I have": then it is about the writer. */
  readonly iHave: string
  /** "is", between a person and their age. */
  readonly is: string
  /** "it", "that": before "is" they say that the amount is not somebody's age. */
  readonly it: string
  readonly man: string
  readonly woman: string
}

const upTo = (words: string): Record<string, number> =>
  Object.fromEntries(words.split(' ').map((word, at) => [word, at + 1]))

export const FACT_WORDS: Readonly<Record<Language, FactWords>> = {
  en: {
    numbers: {
      ...upTo('one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'),
      a: 1,
      an: 1,
      twenty: 20,
      thirty: 30,
      'a couple of': 2,
      'couple of': 2,
      'a couple': 2,
      couple: 2,
      'cpl of': 2,
      'a good': 1,
      'a few': 3,
      few: 3,
      several: 3,
      'half an': 0.5,
      'half a': 0.5,
      'one and a half': 1.5,
    },
    article: 'a an one',
    beforeOne: 'for about around over nearly almost roughly lasted past just_over just_under good',
    afterOne: 'ago now already long back',
    units: {
      minutes: 'minute minutes min mins',
      hours: 'hour hours hr hrs h',
      days: 'day days dys',
      weeks: 'week weeks wk wks weeek weeeks',
      months: 'month months mth mths mnths',
      years: 'year years yr yrs',
    },
    notBefore:
      "in at i'm im every within next per once twice times each after than off_work note_for off_for line_for sit sitting stand standing drive driving feet",
    notAfter:
      "old of_age pregnant postpartum apart before later time a_week a_day a_night per_day per_night left supply's_worth off ago_we baby newborn infant late scan regression check check-up check_up",
    fever: 'fever temp temperature feverish',
    degrees: 'degrees degree c celsius f fahrenheit',
    events:
      'birthday at_the_(?:cabin|cottage) gave_birth given_birth had_(?:a|my|our|the|her)_(?:baby|twins|little_one) had_baby have_baby had_him had_her birth born deliver pregnan c-section caesarean menopause period surgery operat vaccin jab_ tetanus moved stitch antibiotic penicillin tablet pill_ pills medicine medication taking prescri smok diabet asthma doctor gp hospital travel holiday trip_ flew came_back chemo party post_?partum post-partum quit stopped_drinking work_as worked_as working_as i_live i_lived came_off twins last_time last_attack last_one since_last pierc helix tattoo tooth_out been_dry was_dry (?:felt|was|were|been|seemed)_(?:great|fine|ok|okay|good|well|better)_(?!.*(?:until|till)) test_ walking_boot in_(?:a|the)_(?:boot|cast) in_plaster',
    earlier: 'had_it had_this had_that had_one had_the_same',
    sleep: 'sleep slept',
    joins: 'and but now then also',
    age: 'age aged',
    old: 'old of_age',
    aged: 'yo y.o. yrs_old',
    iAm: "i_am i'm im",
    my: 'my our',
    children: {
      male: 'son boy grandson toddler_son',
      female: 'daughter girl granddaughter',
      either: 'child kid baby toddler infant newborn little_one grandchild',
    },
    babies: 'baby newborn infant',
    newborns: 'newborn',
    ofAge: 'of aged',
    heIs: "he_is she_is he's she's hes shes",
    only: 'only just now barely',
    born: 'born',
    agedIn: [],
    lasts: '-',
    adults: {
      male: 'husband father dad brother grandfather grandad grandpa boyfriend uncle',
      female: 'wife mother mum mom sister grandmother grandma gran nan girlfriend aunt',
      either: 'partner friend neighbour neighbor colleague flatmate',
    },
    ails: "is has can can't cannot cant doesn't does_not won't wont keeps fell took just got gets seems feels says woke looks suddenly started isn't can't gave had_our had_the_baby had_her_baby had_a_baby delivered",
    iHave:
      "i_have i've i_am i'm im i_feel i_got my_throat my_head my_stomach my_back my_chest i_can't i_cant i_cannot i_had i_need",
    is: 'is',
    it: 'it that this',
    man: 'man male',
    woman: 'woman female',
  },
  fi: {
    numbers: {
      ...upTo('yksi kaksi kolme nelja viisi kuusi seitseman kahdeksan yhdeksan kymmenen'),
      ...upTo('yks kaks kolm nel viis kuus seitteman kaheksan yheksan'),
      ...upTo('yhdetta toista kolmatta neljatta viidetta kuudetta seitsematta'),
      parisen: 2,
      kolmisen: 3,
      nelisen: 4,
      viitisen: 5,
      kuutisen: 6,
      kymmenisen: 10,
      kaksikymmenta: 20,
      reilu: 1,
      reilun: 1,
      vajaa: 1,
      vajaan: 1,
      yli: 1,
      monta: 3,
      monen: 3,
      useita: 3,
      usean: 3,
      kuuden: 6,
      yhden: 1,
      kahden: 2,
      kolmen: 3,
      neljan: 4,
      viiden: 5,
      pari: 2,
      parin: 2,
      kolmi: 3,
      neli: 4,
      muutama: 3,
      muutaman: 3,
      puoli: 0.5,
      puolen: 0.5,
      puolentoista: 1.5,
      puolitoista: 1.5,
    },
    article: '-',
    beforeOne: 'noin',
    afterOne: '-',
    units: {
      minutes: 'minuutti minuuttia minuutin minuuttii minsaa min',
      hours: 'tunti tuntia tunnin tuntii h t',
      days: 'paiva paivaa paivan paivee paivia pv pva vrk vuorokausi vuorokautta vuorokauden',
      weeks: 'viikko viikkoa viikon viikkoo viikkoja vko vkoa vkon vk',
      months: 'kuukausi kuukautta kuukauden kuukausia kk',
      years: 'vuosi vuotta vuoden vuosia v',
    },
    notBefore:
      'joka kuin kun kerran kertaa raskausviikko viikolla rv sairaslomaa sairauslomaa saikkua istun istuen seison seisoen',
    notAfter:
      'vanha vanhan vanhalla ikainen ikaisella ikaisen ikasen ikasella ikanen raskaana valein kuluttua paasta myohassa yossa paivassa viikossa iltaan sairasloma sairaslomaa saikkua',
    fever: 'kuume kuumetta kuumeessa lampo lampoa mittari',
    degrees: 'astetta aste c celsius',
    events:
      'synttar syntymapaiv taytt mokil raskaan synnyt synty [a-z]*leikat [a-z]*leikkau vaihdevuo rokot jaykkakour kuukauti menkat antibioot penisilliin laak tablet resepti alotettiin aloitettiin aloitin alotin rauta tupako diabet astma sairaala terveyskesku neuvola matka reissu lomalt palasin muutin muutto solusalpaaj tikit juhl bilei kaksos viimeksi viime_kerra edelli lavist tatuoi kuiva_jo kuivana voin_hyvin (?:oli|tuntui)_(?:hyva|parem|kunno) testi_ testin_ testasin kipsi asun_ asunut tyoskennel',
    earlier: 'oli_sama oli_samaa oli_samanlaista sama_oli',
    sleep: 'nuku nukk uni unta',
    joins: 'ja mutta mut nyt niin sitten_alkoi seka',
    age: 'ika ikaa ialtaan',
    old: 'vanha vanhan vanhalla ikainen ikaisella ikaisen ikaisena ikasen ikasella ikanen',
    aged: 'vuotias vuotiaan vuotiaalla vuotiasta vuotiaani vuotiaallani v',
    iAm: 'olen oon',
    my: 'minun mun meidan',
    children: {
      male: 'poika pojan pojalla poikani pojallani pojallamme poikamme',
      female: 'tytto tyton tytolla tyttareni tyttarellani tyttaren tyttarella tytar tyttoni tyttarellamme',
      either:
        'lapsi lapsen lapsella lapseni lapsellani lapsellamme vauva vauvan vauvalla vauvamme taapero taaperon taaperolla',
    },
    babies: 'vauva vauvan vauvalla vauvamme',
    newborns: 'vastasyntynyt vastasyntyneen vastasyntyneella',
    ofAge: 'ialtaan',
    heIs: 'han_on',
    only: 'vasta nyt juuri vain',
    born: 'syntyi syntynyt',
    agedIn: [
      ['paivainen paivaisen paivaisella', 'days'],
      ['viikkoinen viikkoisen viikkoisella viikkoiseni viikkoisellani', 'weeks'],
      ['kuinen kuisen kuisella kuukautinen kuukautisen kuukautisella', 'months'],
    ],
    lasts: 'kuume kuumeilu yska nuha flunssa tauti kipu sarky ripuli oire oireilu vaiva huimaus vasymys',
    adults: {
      male: 'mieheni miehellani aviomieheni isani isallani veljeni ukki ukilla vaari isa isalla',
      female: 'vaimoni vaimollani aitini aidillani siskoni mummo mummolla mummi aiti aidilla',
      either: 'puolisoni puolisollani ystavani ystavallani naapuri naapurilla kaverilla kaverini',
    },
    ails: 'on ei synnytti valittaa kaatui sai meni ottanut tuntuu nayttaa alkoi heraa puhuu hengittaa',
    iHave: 'minulla mulla olen oon minua mua kurkkuni paani',
    is: 'on',
    it: 'se siita tasta nyt jo',
    man: 'mies',
    woman: 'nainen',
  },
  no: {
    numbers: {
      ...upTo('en to tre fire fem seks syv atte ni ti elleve tolv tretten fjorten femten'),
      tjue: 20,
      ett: 1,
      et: 1,
      ei: 1,
      sju: 7,
      'et par': 2,
      par: 2,
      noen: 3,
      flere: 3,
      'en halv': 0.5,
      halvannen: 1.5,
    },
    article: 'en ett et ei',
    beforeOne: 'i pa over rundt omtrent ca nesten snart knapt droyt siden for minst godt cirka vart',
    afterOne: 'siden sia sida na allerede tid',
    units: {
      minutes: 'minutt minutter min',
      hours: 'time timer timar timene t',
      days: 'dag dager dagar dagr dagene dagane dogn dognene',
      weeks: 'uke uker uka veke veker ukene vekene',
      months: 'maned maneder manader mnd mnder manedene manadene',
      years: 'ar arene ara',
    },
    notBefore:
      'om ved enn hver hvert innen neste gang ganger per uke sykmelding sykemelding sykmeldt sitter star kjorer',
    notAfter:
      'for_sent forsinket gammel gamle gammelt gravid mellom senere pa_vei igjen per_natt om_natten per_dag om_dagen per_uke i_uka',
    fever: 'feber feberen temp temperatur temperaturen',
    degrees: 'grader grad c celsius',
    events:
      'bursdag fodselsdag pa_hytta hyttetur fodde_ f[ei]kk_(?:ei|en|ein|et)_(?:jente|gutt?|baby) gravid fodte fodsel fodt [a-z]*oper [a-z]*snitt overgangsalder vaksin stivkrampe mensen menstru antibiotik penicillin kur kuren medisin tablett pille resept tar_ royk diabet astma legen legevakt sykehus reise_til reist reisen ferie flytt cellegift stinge fest tvilling siden_sist sia_sist sist_gang siste_gang forrige_gang pierc tatover vaert_torr vart_torr var_(?:fin|bra|bedre|frisk)_(?!.*_til_) folte_meg_(?:bra|fin) test_ testen_ testet_ gips stk_ jobbet_som jobba_som bodd_i',
    earlier: 'hadde_det hadd_det hadde_dette hadde_det_samme hatt_det hatt_dette',
    sleep: 'sov somn',
    joins: 'og men na',
    age: 'alder',
    old: 'gammel gamle gammelt',
    aged: 'aring aringen ars',
    iAm: 'jeg_er er_jeg eg_er er_eg',
    my: 'min mi mitt var vart',
    children: {
      male: 'sonn sonnen gutt gutten guttungen guten',
      female: 'datter datteren dattera dattra jente jenta',
      either: 'barn barnet baby babyen unge ungen lillebror smabarn spedbarn',
    },
    babies: 'baby babyen spedbarn',
    newborns: 'nyfodt nyfodte nyfodd',
    ofAge: 'pa',
    heIs: 'han_er hun_er ho_er han_e hun_e ho_e',
    only: 'bare kun na akkurat sa_vidt',
    born: 'fodt',
    agedIn: [],
    lasts: '-',
    adults: {
      male: 'mannen mann faren far pappa broren bestefar kjaresten_min_han',
      female: 'kona kone moren mor mamma soster bestemor mormor farmor',
      either: 'samboer samboeren kjareste kjaresten venn venninne nabo naboen',
    },
    ails: 'fikk_barn fikk_vart fikk_babyen er har kan klarer far fodte falt tok ble vil virker sier kjenner begynte puster vakner',
    iHave: 'jeg_har jeg_er jeg_kjenner jeg_foler jeg_far jeg_klarer jeg_kan',
    is: 'er',
    it: 'det dette na',
    man: 'mann',
    woman: 'kvinne dame',
  },
  sv: {
    numbers: {
      ...upTo('en tva tre fyra fem sex sju atta nio tio elva tolv tretton fjorton femton'),
      tjugo: 20,
      ett: 1,
      'ett par': 2,
      par: 2,
      nagra: 3,
      nara: 3,
      flera: 3,
      'en halv': 0.5,
      'en och en halv': 1.5,
    },
    article: 'en ett',
    beforeOne: 'i pa sedan sen over drygt runt ungefar cirka ca nastan snart knappt typ minst for dryg god varit',
    afterOne: 'sedan sen nu redan tillbaka',
    units: {
      minutes: 'minut minuter min',
      hours: 'timme timmar timma timar tim timmarna h',
      days: 'dag dagar dar dagr dagarna dygn dygnen',
      weeks: 'vecka veckor veckr veckorna',
      months: 'manad manader manar manaderna man',
      years: 'ar aren',
    },
    notBefore:
      'om vid an varje var inom nasta ganger per vecka graviditetsvecka gv sjukskrivning sjukskriven sjukintyg sitter star kor',
    notAfter:
      'for_sent forsenad gammal gamla gammalt gravid emellan senare kvar per_natt om_natten per_dag om_dagen i_veckan',
    fever: 'feber febern temp temperatur temperaturen',
    degrees: 'grader grad c celsius',
    events:
      'fodelsedag fyllde_ i_stugan fick_(?:en|ett)_(?:flicka|pojke|barn|son|dotter|bebis) gravid fodde fodsel forlossning fodd fick_barn [a-z]*oper slutade_ [a-z]*snitt klimakteri vaccin stelkramp mens antibiotik penicillin kur kuren sulfakur medicin tablett piller recept ater_ tar_ rok diabet astma lakare vardcentral sjukhus resan utlandsresa reste semester flytt cellgift stygn fest tvilling sen_sist sedan_sist sen_senast sedan_senast sist_var forra_gang pierc tatuer varit_torr (?:madde|mar|var|kandes)_(?:bra|fin|battre)_(?!.*_tills?_) test_ testet_ testade_ gips jobbat_som arbetat_som bott_i',
    earlier: 'hade_det hade_samma hade_samma_sak haft_det haft_samma',
    sleep: 'sov somn',
    joins: 'och o men nu',
    age: 'alder',
    old: 'gammal gamla gammalt',
    aged: 'aring aringen arig ariga arige',
    iAm: 'jag_ar ar_jag',
    my: 'min mitt var vart',
    children: {
      male: 'son sonen pojke pojken kille killen grabb grabben',
      female: 'dotter dottern flicka flickan tjej tjejen tosen',
      either: 'barn barnet bebis bebisen unge smabarn spadbarn',
    },
    babies: 'bebis bebisen spadbarn',
    newborns: 'nyfodd nyfodda nyfott',
    ofAge: 'pa',
    heIs: 'han_ar hon_ar han_e hon_e',
    only: 'bara nu precis knappt',
    born: 'fodd fodds foddes',
    agedIn: [],
    lasts: '-',
    adults: {
      male: 'man make maken pappa far bror farfar morfar',
      female: 'fru mamma mor syster farmor mormor',
      either: 'sambo partner van vaninna granne grannen',
    },
    ails: 'fick_barn fick_vart ar har kan klarar far fodde foll tog blev vill verkar sager kanner borjade andas vaknar ramlade mar',
    iHave: 'jag_har jag_ar jag_kanner jag_far jag_kan jag_mar',
    is: 'ar',
    it: 'det detta nu',
    man: 'man',
    woman: 'kvinna tjej',
  },
}
