import { type Answer, LANGUAGES } from '../src/engine/content.ts'
import { findingsFrom } from '../src/engine/deciding/findings.ts'
import type { Content } from '../src/engine/load.ts'
import { offeredComplaints } from '../src/engine/own-words/hearing.ts'
import { propose } from '../src/engine/own-words/propose.ts'
import { type Played, playStory, rankOf } from './play.ts'
import type { Story } from './stories.ts'

/** Asked before the own words. */
const WHO = ['for_whom', 'age', 'sex']
const EMERGENCY = 2
const SELF_CARE = 7
/** The three classes that decide what the patient does: act now, see a clinic in days or weeks, or self-care. */
const classOf = (rank: number): 'emergency' | 'clinic' | 'self-care' =>
  rank <= EMERGENCY ? 'emergency' : rank < SELF_CARE ? 'clinic' : 'self-care'

export type Figures = ReturnType<typeof figuresOf>

/** All figures about the stories. */
export function figuresOf(content: Content, stories: readonly Story[]) {
  const played = stories.map((story) => playStory(content, story))
  const emergencies = stories.filter(({ expect }) => rankOf(expect) <= EMERGENCY)
  const astray = emergencies.flatMap((story) =>
    wrongWays(content, story).map((complaint) => playStory(content, story, complaint)),
  )
  const share = (some: readonly unknown[], all: readonly unknown[]) => (all.length === 0 ? 1 : some.length / all.length)
  const truth = ({ story }: Played) => rankOf(story.expect)
  const came = ({ level }: Played) => rankOf(level)
  const mild = played.filter((one) => truth(one) > EMERGENCY)
  const selfCare = played.filter((one) => truth(one) === SELF_CARE)
  const isAccepted = (one: Played) =>
    came(one) >= rankOf(one.story.accept[0]) && came(one) <= rankOf(one.story.accept[1])
  return {
    stories: played.length,
    exact: share(
      played.filter((one) => came(one) === truth(one)),
      played,
    ),
    accepted: share(played.filter(isAccepted), played),
    rightClass: share(
      played.filter((one) => classOf(came(one)) === classOf(truth(one))),
      played,
    ),
    under: played.filter((one) => came(one) > rankOf(one.story.accept[1])),
    over: played.filter((one) => came(one) < rankOf(one.story.accept[0])),
    emergencies: emergencies.length,
    missed: played.filter((one) => truth(one) <= EMERGENCY && came(one) > EMERGENCY),
    astray: astray.length,
    missedAstray: astray.filter((one) => came(one) > EMERGENCY),
    overToEmergency: share(
      mild.filter((one) => came(one) <= EMERGENCY),
      mild,
    ),
    selfCare: selfCare.length,
    selfCareRight: share(
      selfCare.filter((one) => came(one) === SELF_CARE),
      selfCare,
    ),
    screens: spread(played.map(({ screens }) => screens)),
    rows: spread(played.map(({ rows }) => rows)),
    words: spread(played.map(({ words }) => words)),
    unsaid: played.filter(({ unsaid }) => unsaid.length > 0),
    proposed: proposedShare(content, stories),
    byComplaint: [...Map.groupBy(played, ({ story }) => story.complaint)]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([complaint, own]) => ({
        complaint,
        stories: own.length,
        accepted: own.filter(isAccepted).length,
        under: own.filter((one) => came(one) > rankOf(one.story.accept[1])).length,
        over: own.filter((one) => came(one) < rankOf(one.story.accept[0])).length,
        screens: spread(own.map(({ screens }) => screens)).median,
        rows: spread(own.map(({ rows }) => rows)).median,
      })),
    played,
  }
}

/** The neighbouring complaints that this patient could choose, and the general complaint. */
const wrongWays = (content: Content, { complaint, astray, facts }: Story): string[] =>
  [...astray, 'general'].filter((id) => {
    if (id === complaint) return false
    const findings = findingsFrom(
      content,
      [...facts].map(([question, value]) => ({ question, value })),
    )
    return !findings.isNo(content.complaints.get(id)?.applies)
  })

function spread(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return { median: at(0.5), p90: at(0.9), most: at(1) }
}

/** How often the own words lead to the right complaint, once it is known who the patient is: first, or among the first three. The general one is nobody's words. */
function proposedShare(content: Content, stories: readonly Story[]) {
  let [texts, first, three] = [0, 0, 0]
  for (const { opening, complaint, facts } of stories.filter((story) => story.complaint !== 'general')) {
    const who = WHO.flatMap((question): Answer[] =>
      facts.has(question) ? [{ question, value: facts.get(question) ?? null }] : [],
    )
    const offered = offeredComplaints(content, who)
    for (const language of LANGUAGES) {
      const text = opening[language]
      if (!text) continue
      texts++
      const ids = propose(content, text, language, (id) => offered.has(id)).complaints.map(({ id }) => id)
      if (ids[0] === complaint) first++
      if (ids.slice(0, 3).includes(complaint)) three++
    }
  }
  return { texts, first: first / Math.max(1, texts), three: three / Math.max(1, texts) }
}
