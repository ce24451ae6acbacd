import type { DiagnosesFigures } from './diagnoses.ts'
import type { Figures } from './figures.ts'
import type { OwnWordsFigures } from './own-words.ts'

/** What the stories must show, as sentences about what they do not; the bars that are not reached yet are told in the page. */
export function brokenBars(figures: Figures): string[] {
  const { emergencies, astray, stories, screens, played } = figures
  const told = (some: Figures['missed']) =>
    some.map(
      ({ story, complaint, level }) => `${story.id} as ${complaint} came out as ${level}: an emergency is missed.`,
    )
  const asksTwice = played.filter(({ askedTwice }) => askedTwice.length > 0)
  const broken = (is: boolean, sentence: string) => (is ? [] : [sentence])
  return [
    ...told(figures.missed),
    ...told(figures.missedAstray),
    ...asksTwice.map(({ story }) => `${story.id} is asked the same sign twice.`),
    ...broken(stories >= 480 && emergencies >= 180 && astray >= 450, 'There are fewer stories than there were.'),
    ...broken(figures.rightClass >= 0.9, 'Fewer than 90 % are in the right class.'),
    ...broken(figures.selfCareRight >= 0.85, 'Fewer than 85 % of self-care is told so.'),
    ...broken(figures.overToEmergency <= 0.05, 'More than 5 % of the others are sent to urgent care.'),
    ...broken(
      screens.median <= 12 && screens.p90 <= 18 && screens.most <= 25,
      'There are more screens than 12, 18, 25.',
    ),
  ]
}

/** What was reached diagnosis by diagnosis does not get worse: so many that must not wait are seen as such, and so many of the harmless. */
export function brokenWays({ ways, grave, harmless, lost }: DiagnosesFigures): string[] {
  const broken = (is: boolean, sentence: string) => (is ? [] : [sentence])
  return [
    ...broken(ways >= 1_300, 'There are fewer ways of people with a diagnosis than there were.'),
    ...broken(grave.accepted / grave.ways >= 0.93, 'Of ways that must not wait fewer than 93 % come out as accepted.'),
    ...broken(harmless.accepted / harmless.ways >= 0.95, 'Of harmless ways fewer than 95 % come out as accepted.'),
    ...broken(lost.length <= 25, 'More than 25 ways that must not wait come out as Level5 or milder.'),
  ]
}

/** What the reader must hear in the words of others, and what it may hear falsely, in every language. */
export function brokenReadings({ languages }: OwnWordsFigures): string[] {
  return languages.flatMap(
    ({
      language,
      plain,
      roundabout,
      short,
      shortHarmless,
      long,
      longHarmless,
      harmless,
      lookAlikes,
      complaints,
      complaintsLong,
    }) => {
      const bars = [
        [plain.led >= 0.92, 'leads with fewer than 92 % of dangers told plainly'],
        [roundabout.asked >= 0.85, 'asks about fewer than 85 % of dangers told in a roundabout way'],
        [short.asked >= 0.92, 'asks about fewer than 92 % of dangers told in a few words'],
        [
          shortHarmless.led <= 0.03 && shortHarmless.asked <= 0.1,
          'hears danger in more than 3 or 10 % of harmless matters told in a few words',
        ],
        [long.asked >= 0.92, 'asks about fewer than 92 % of dangers told in a long message'],
        [
          longHarmless.led <= 0.06 && longHarmless.asked <= 0.2,
          'hears danger in more than 6 or 20 % of harmless long messages',
        ],
        [harmless.led <= 0.02 && harmless.asked <= 0.1, 'hears danger in more than 2 or 10 % of harmless texts'],
        [lookAlikes.led <= 0.03 && lookAlikes.asked <= 0.1, 'hears danger in more than 3 or 10 % of look-alikes'],
        [complaints.first >= 0.8, 'names the right complaint first in fewer than 80 % of texts'],
        [complaints.three >= 0.93, 'names the right complaint among three in fewer than 93 % of texts'],
        [
          complaintsLong.first >= 0.75 && complaintsLong.three >= 0.9,
          'names the right complaint first in fewer than 75 %, or among three in fewer than 90 % of long messages',
        ],
      ] as const
      return bars.flatMap(([is, does]) => (is ? [] : [`The reader of ${language} ${does}.`]))
    },
  )
}
