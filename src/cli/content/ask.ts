import { isCancel, multiselect, select, text } from '@clack/prompts'
import type { AskedQuestion, QuestionKind, Value } from '../../engine/content.ts'
import { KINDS } from '../../engine/kinds.ts'
import { parseDuration } from '../../engine/values.ts'
import type { Reply } from './play.ts'
import { type Voice, words } from './thoughts.ts'

const BACK = ':back'
const STOP = ':stop'
const UNSURE = ':unsure'
const BESIDES = [
  { value: BACK, label: '← back' },
  { value: STOP, label: '■ stop here' },
]

/** How a kind of question is asked in a terminal: as a choice, or as typed input with a hint. */
type Asking =
  | { by: 'yes or no' | 'one' | 'some' }
  | { by: 'typing'; hint: (question: AskedQuestion) => string; meaning: (typed: string) => Value }

const NUMBER: Asking = {
  by: 'typing',
  hint: () => 'a number',
  meaning: (typed) => (typed.trim() === '' ? null : Number(typed.replace(',', '.'))),
}

const ASKING: Readonly<Record<QuestionKind, Asking>> = {
  sign: { by: 'yes or no' },
  yesno: { by: 'yes or no' },
  one: { by: 'one' },
  many: { by: 'some' },
  complaints: { by: 'some' },
  number: NUMBER,
  scale: NUMBER,
  duration: {
    by: 'typing',
    hint: ({ units }) => `for example: 3 ${units?.[1] ?? units?.[0] ?? 'days'}`,
    meaning: (typed) => parseDuration(typed) ?? typed,
  },
  date: { by: 'typing', hint: () => 'YYYY-MM-DD', meaning: (typed) => typed },
  text: { by: 'typing', hint: () => 'own words', meaning: (typed) => typed },
  photo: {
    by: 'typing',
    hint: () => 'upload ids, separated by commas',
    meaning: (typed) =>
      typed
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean),
  },
}

/** Asks one question in the terminal, in the patient's words. */
export async function askInTerminal(voice: Voice, question: AskedQuestion): Promise<Reply> {
  const { given } = question
  const message = words(voice, `question.${question.id}.text`) ?? question.id
  const unsure = question.dontKnow ? [{ value: UNSURE, label: words(voice, 'common.dontKnow') ?? '?' }] : []
  const asking = ASKING[question.kind]
  switch (asking.by) {
    case 'yes or no': {
      const yesno = ['yes', 'no'].map((value) => ({ value, label: words(voice, `common.${value}`) ?? value }))
      const chosen = await select({ message, options: [...yesno, ...unsure, ...BESIDES] })
      return replyTo(chosen, (one) => one === 'yes')
    }
    case 'one': {
      const chosen = await select({ message, options: [...offered(voice, question), ...unsure, ...BESIDES] })
      return replyTo(chosen, (one) => one)
    }
    case 'some': {
      const options = [...offered(voice, question), ...unsure, ...BESIDES]
      const chosen = await multiselect({ message, options, required: false })
      if (isCancel(chosen)) return { kind: 'stop' }
      const wish = chosen.find((one) => one === BACK || one === STOP || one === UNSURE)
      return wish ? replyTo(wish, () => null) : { kind: 'value', value: chosen.length > 0 ? chosen : ['none'] }
    }
    case 'typing': {
      const typed = await text({
        message,
        placeholder: `${asking.hint(question)} · ? for don't know · ${BACK} · ${STOP}`,
        ...(given !== undefined && { initialValue: String(given) }),
      })
      return replyTo(typed ?? '', asking.meaning)
    }
  }
}

function offered(voice: Voice, { id, kind, offered: options = [] }: AskedQuestion) {
  const label = (option: string) =>
    KINDS[kind].texts === 'complaint'
      ? words(voice, `complaint.${option}.name`)
      : (words(voice, `question.${id}.option.${option}.text`) ?? words(voice, `common.${option}.text`))
  return options.map((option) => ({ value: option, label: label(option) ?? option }))
}

function replyTo(chosen: string | symbol, meaning: (chosen: string) => Value): Reply {
  if (isCancel(chosen) || chosen === STOP) return { kind: 'stop' }
  if (chosen === BACK) return { kind: 'back' }
  if (chosen === UNSURE || chosen === '?') return { kind: 'value', value: null }
  return { kind: 'value', value: meaning(String(chosen)) }
}
