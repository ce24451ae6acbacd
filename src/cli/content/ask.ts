import { isCancel, multiselect, select, text } from '@clack/prompts'
import { parseDuration } from '../../engine/compile/cases.ts'
import type { AskedQuestion, Value } from '../../engine/content.ts'
import type { Reply } from './play.ts'
import { type Voice, words } from './thoughts.ts'

const BACK = ':back'
const STOP = ':stop'
const UNSURE = ':unsure'
const BESIDES = [
  { value: BACK, label: '← back' },
  { value: STOP, label: '■ stop here' },
]

/** Asks one question in the terminal, in the patient's words. */
export async function askInTerminal(voice: Voice, question: AskedQuestion): Promise<Reply> {
  const { id, kind, given } = question
  const message = words(voice, `question.${id}.text`) ?? id
  const unsure = question.dontKnow ? [{ value: UNSURE, label: words(voice, 'common.dontKnow') ?? '?' }] : []
  const offered = (question.offered ?? []).map((option) => ({
    value: option,
    label:
      (kind === 'complaints'
        ? words(voice, `complaint.${option}.name`)
        : (words(voice, `question.${id}.option.${option}.text`) ?? words(voice, `common.${option}.text`))) ?? option,
  }))
  const yesno = ['yes', 'no'].map((value) => ({ value, label: words(voice, `common.${value}`) ?? value }))
  if (kind === 'yesno' || kind === 'one') {
    return replyTo(
      await select({ message, options: [...(kind === 'yesno' ? yesno : offered), ...unsure, ...BESIDES] }),
      (chosen) => (kind === 'yesno' ? chosen === 'yes' : chosen),
    )
  }
  if (kind === 'many' || kind === 'complaints') {
    const chosen = await multiselect({ message, options: [...offered, ...unsure, ...BESIDES], required: false })
    if (isCancel(chosen)) return { kind: 'stop' }
    const wish = chosen.find((one) => one === BACK || one === STOP || one === UNSURE)
    return wish ? replyTo(wish, () => null) : { kind: 'value', value: chosen.length > 0 ? chosen : ['none'] }
  }
  const typed = await text({
    message,
    placeholder: `${hintFor(kind, question.units)} · ? for don't know · ${BACK} · ${STOP}`,
    ...(given !== undefined && { initialValue: String(given) }),
  })
  return replyTo(typed ?? '', (answer) => typedValue(kind, answer))
}

function replyTo(chosen: string | symbol, meaning: (chosen: string) => Value): Reply {
  if (isCancel(chosen) || chosen === STOP) return { kind: 'stop' }
  if (chosen === BACK) return { kind: 'back' }
  if (chosen === UNSURE || chosen === '?') return { kind: 'value', value: null }
  return { kind: 'value', value: meaning(String(chosen)) }
}

function hintFor(kind: string, units: readonly string[] | undefined): string {
  if (kind === 'duration') return `for example: 3 ${units?.[1] ?? units?.[0] ?? 'days'}`
  if (kind === 'date') return 'YYYY-MM-DD'
  return kind === 'photo' ? 'upload ids, separated by commas' : kind === 'text' ? 'own words' : 'a number'
}

function typedValue(kind: string, answer: string): Value {
  if (kind === 'number' || kind === 'scale') return answer.trim() === '' ? null : Number(answer.replace(',', '.'))
  if (kind === 'duration') return parseDuration(answer) ?? answer
  if (kind === 'photo')
    return answer
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
  return answer
}
