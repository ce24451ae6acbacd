import type { Level } from '../src/engine/content.ts'
import type { Content } from '../src/engine/load.ts'
import { type Played, playStory, rankOf } from './play.ts'
import { readStories } from './stories.ts'

/** What must not wait is Level1 and Level2, what can wait is Level6 and milder. Who must not wait and is told to come later than today (Level4) is lost. */
const [NOW, TODAY, DAYS] = [1, 3, 4]
/** A request that is passed on without a level is looked at as a routine matter. */
const ROUTINE: Level = 'Level7'
const came = ({ level }: Played): number => rankOf(level ?? ROUTINE)

export type DiagnosesFigures = ReturnType<typeof diagnosesFigures>

/**
 * Ways that people with a diagnosis may go, kept apart from the stories: a person comes in several of them, under another complaint or with a row
 * denied that they might deny, and many were chosen because they looked weak. They find what is missing; they are no rate.
 */
export function diagnosesFigures(content: Content) {
  const played = readStories(content.release, 'diagnoses').map((story) => playStory(content, story))
  const truth = ({ story }: Played) => rankOf(story.expect)
  const isNow = (one: Played) => truth(one) <= NOW
  return {
    ways: played.length,
    harmless: ofWhich(played, (one) => truth(one) > DAYS),
    grave: ofWhich(played, isNow),
    others: ofWhich(played, (one) => !isNow(one) && truth(one) <= DAYS),
    lost: played.filter((one) => isNow(one) && came(one) > TODAY),
  }
}

const isMilder = (one: Played): boolean => came(one) > rankOf(one.story.accept[1])
const isMoreUrgent = (one: Played): boolean => came(one) < rankOf(one.story.accept[0])

function ofWhich(all: readonly Played[], is: (one: Played) => boolean) {
  const some = all.filter(is)
  const count = (of: (one: Played) => boolean) => some.filter(of).length
  return {
    ways: some.length,
    milder: count(isMilder),
    moreUrgent: count(isMoreUrgent),
    accepted: count((one) => !isMilder(one) && !isMoreUrgent(one)),
  }
}

type Row = ReturnType<typeof ofWhich>

/** The figures as a part of the page. */
export function diagnosesPart({ ways, grave, others, harmless, lost }: DiagnosesFigures): string {
  const row = (name: string, { ways, accepted, milder, moreUrgent }: Row) =>
    `| ${name} | ${ways} | ${accepted} (${Math.round((100 * accepted) / Math.max(ways, 1))} %) | ${milder} | ${moreUrgent} |`
  return `## Diagnosis by diagnosis

${ways} ways that people with some 140 diagnoses may go: early, atypical, masked by a medicine, played down, named as something else, a row denied that somebody might deny. A person comes in several of them, and many were
written where the interview looked weak, so that this is no rate; it shows what is missing. Who wrote them knew the rows and not the rules, and what is accepted was, but for a few, set before the way was gone.
When the first 1,364 were first gone, 533 of the 850 that must not wait came out as accepted, 209 as Level5 or milder, and of the 221 that can wait 210. The others were written with the rows they show, one for each thing that played
patients had met, with look-alikes that are well. Rows are ticked for those of whom they are true: it shows that they decide when they are ticked, not that everybody would tick them.

| What it is | Ways | As accepted | Milder | More urgent |
|---|---|---|---|---|
${row('must not wait (Level1–2)', grave)}
${row('today or within days (Level3–5)', others)}
${row('can wait, or self-care (Level6–8)', harmless)}

Of those that must not wait, ${lost.length} came out as Level5 or milder:

${lost.length === 0 ? 'None.' : lostTable(lost)}
`
}

const lostTable = (lost: readonly Played[]): string =>
  [
    '| What it is | In their words | Named | Should be | Came out | Because of |',
    '|---|---|---|---|---|---|',
    ...lost.map(
      ({ story, complaint, level, rules }) =>
        `| ${cell(story.about)} | ${cell(story.opening.en ?? '')} | ${complaint} | ${story.expect} | ${level ?? 'none'} | ${rules.slice(0, 2).join(', ')} |`,
    ),
  ].join('\n')

const cell = (text: string): string => text.replaceAll('|', '/')
