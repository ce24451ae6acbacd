import { type DiagnosesFigures, diagnosesPart } from './diagnoses.ts'
import type { Figures } from './figures.ts'
import { type OwnWordsFigures, ownWordsPart } from './own-words.ts'
import type { Played } from './play.ts'
import { type TapCounts, tapsTable } from './tap-counts.ts'

const percent = (share: number) => `${Math.round(share * 100)} %`

/** The figures as a page. The same stories and content give the same bytes. */
export function pageOf(
  figures: Figures,
  diagnoses: DiagnosesFigures,
  ownWords: OwnWordsFigures,
  taps: TapCounts,
): string {
  const { screens, rows, words, proposed } = figures
  return `# Evaluation

Whole patients, played against the content of this checkout by \`npm run evaluate\`, which also writes this page. Each story is what is true of a person and what a careful clinician would say; they were
written from clinical knowledge by people who had not read the rules. Whatever is asked is answered from the story, "no" where it is silent. Not clinically reviewed.

![Where ${figures.stories} patients came out](evaluation.svg)

| | Measured | We want |
|---|---|---|
| stories | ${figures.stories} | ≥ 480 in the end |
| emergencies (Level1–3) that came out lower | ${figures.missed.length} of ${figures.emergencies} | 0 |
| the same when another complaint was named, also the general one | ${figures.missedAstray.length} of ${figures.astray} | 0 |
| right class of three (Level1–3, 4–7, 8) | ${percent(figures.rightClass)} | ≥ 90 % |
| exact level | ${percent(figures.exact)} | |
| within what a clinician would accept | ${percent(figures.accepted)} | |
| self-care that came out as self-care | ${percent(figures.selfCareRight)} of ${figures.selfCare} | ≥ 85 % |
| others that came out as Level1–3 | ${percent(figures.overToEmergency)} | ≤ 5 % |
| screens, to the outcome or to the card that tells to call: median, nine in ten, most | ${screens.median}, ${screens.p90}, ${screens.most} | ≤ 12, 18, 25 |
| rows read until then: median, nine in ten | ${rows.median}, ${rows.p90} | ≤ 40 |
| words read: median | ${words.median} | |
| own words lead to the right complaint: first, among three | ${percent(proposed.first)}, ${percent(proposed.three)} of ${proposed.texts} texts | ≥ 80 %, 93 % |

${ownWordsPart(ownWords)}
## Taps

Five people of the stories, each new to the service, in a browser as wide as a phone, from the first page to the outcome: in the first version (${taps.firstVersion.date}, before the interview was built around
signs) → today, as \`npm run evaluate:taps\` counts it. A tap is on a row, an option or a button; an entry is a text or a number. What was heard rightly in the own words is kept, whoever is told to call puts the
card aside and answers on, and a complaint that the first version did not have was told under its general one.

${tapsTable(taps)}

## By complaint

Of each the stories that came out as a clinician would accept (green), more urgent (amber) and less urgent (red); screens and rows at the median.

![What came of the stories, by complaint](evaluation-complaints.svg)

## Less urgent than acceptable

${listOf(figures.under)}

## More urgent than acceptable

${listOf(figures.over)}

## Emergencies lost on a wrong way

Every emergency was played again as if its patient had named something else: the one or two complaints that the writer of the story, who knows no rules, thought this patient might name by mistake, and the general one.
The stories hold what is true of the questions asked there. When they were first played like this, 61 of 458 ways ended below Level3; causes were mended where the danger had no row.

${listOf(figures.missedAstray)}

${diagnosesPart(diagnoses)}`
}

const listOf = (some: readonly Played[]): string =>
  some.length === 0
    ? 'None.'
    : [
        '| Story | Named | Should be | Came out | Because of |',
        '|---|---|---|---|---|',
        ...some.map(
          ({ story, complaint, level, rules }) =>
            `| ${story.about.replaceAll('|', '/')} | ${complaint} | ${story.expect} | ${level ?? 'none'} | ${rules.slice(0, 3).join(', ')} |`,
        ),
      ].join('\n')
