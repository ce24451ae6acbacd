import type { Reference, RiskAssessment, RiskAssessmentPrediction } from 'fhir/r4.js'
import type { Fact, Reason } from '../../../engine/content.ts'
import { said } from '../evidence-words.ts'
import { type Bundling, findingName, type Named } from './bundle.ts'
import { plain } from './codes.ts'

/** The level of urgency: each rule that gave it is a prediction with its level and source, each answer behind it a basis. */
export function urgency(bundling: Bundling, known: ReadonlySet<string>): Named<RiskAssessment> {
  const { handoff, sheet, codes } = bundling
  const reasons = [...handoff.outcome.reasons, ...handoff.outcome.alsoTrue]
  const { title, time } = sheet.urgency
  const notes = [time ? `${title}, ${time}` : title, sheet.remark, sheet.word('proposal'), sheet.reviewNotice]
  return {
    name: 'urgency',
    resource: {
      ...assessed(bundling, 'urgency', sheet.word('urgency')),
      ...basisOf(
        bundling,
        reasons.flatMap(({ answers }) => answers),
        known,
      ),
      ...(reasons.length > 0 && { prediction: reasons.map((reason) => predictionOf(bundling, reason)) }),
      note: notes.flatMap((text) => (text ? [{ text: plain(text) }] : [])),
      method: codes.concept('document', 'rules', `Fyr, ${handoff.interview.content.release.version}`),
    },
  }
}

/** The conditions that the answers speak for or against, without probabilities, because none are known. */
export function considerations(bundling: Bundling, known: ReadonlySet<string>): Named<RiskAssessment>[] {
  const { handoff, sheet, codes } = bundling
  const listed = handoff.outcome.considerations
  if (listed.length === 0) return []
  return [
    {
      name: 'considerations',
      resource: {
        ...assessed(bundling, 'conditions', sheet.word('considerations')),
        ...basisOf(
          bundling,
          listed.flatMap((one) => [...one.for, ...one.against]),
          known,
        ),
        prediction: sheet.considerations.map((one, at) => {
          const { complaint, differential: condition } = listed[at] ?? { complaint: '', differential: '' }
          return {
            outcome: codes.concept('condition', `${complaint}.${condition}`, one.label),
            ...rationaleOf([
              one.for.length > 0 && `${sheet.word('for')}: ${one.for.map((each) => said(each, sheet)).join('; ')}`,
              one.against.length > 0 &&
                `${sheet.word('against')}: ${one.against.map((each) => said(each, sheet)).join('; ')}`,
            ]),
          }
        }),
        note: [{ text: sheet.word('considerationsNote') }],
      },
    },
  ]
}

function assessed({ handoff, codes, isFinal, ref }: Bundling, code: string, text: string): RiskAssessment {
  return {
    resourceType: 'RiskAssessment',
    status: isFinal ? 'final' : 'preliminary',
    code: codes.concept('risk', code, text),
    subject: ref('patient'),
    encounter: ref('encounter'),
    occurrenceDateTime: handoff.asOf.toISOString(),
    performer: ref('device'),
  }
}

function predictionOf({ sheet, codes, handoff: { speech } }: Bundling, reason: Reason): RiskAssessmentPrediction {
  const { complaint, rule, level, unsure, sources } = reason
  const [title, time] = [speech.say(`level.${level}.title`) ?? level, speech.say(`level.${level}.time`)]
  return {
    outcome: codes.concept('rule', `${complaint}.${rule}`, speech.say(`rule.${complaint}.${rule}.label`) ?? rule),
    qualitativeRisk: codes.concept('level', level, time ? `${title}, ${time}` : title),
    ...rationaleOf([
      unsure && sheet.word('unsureRule'),
      sources.length > 0 && `${sheet.word('source')}: ${sources.map((one) => one.title).join('; ')}`,
    ]),
  }
}

const rationaleOf = (parts: readonly (string | false)[]): { rationale?: string } => {
  const text = parts.filter((part) => part !== false).join('. ')
  return text ? { rationale: plain(text) } : {}
}

function basisOf({ ref }: Bundling, facts: readonly Fact[], known: ReadonlySet<string>): { basis?: Reference[] } {
  const names = facts.map(({ question, option }) => [findingName(question, option), findingName(question)])
  const there = names.flatMap((either) => either.find((name) => known.has(name)) ?? [])
  return there.length > 0 ? { basis: [...new Set(there)].map(ref) } : {}
}
