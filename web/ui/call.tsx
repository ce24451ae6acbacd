import { Icon } from './icons.tsx'

const dialled = (number: string): string => `tel:${number.replace(/[^+\d]/g, '')}`

/** A number is never broken over two lines. */
const whole = (label: string, number: string): string => label.replace(number, number.replaceAll(' ', '\u00a0'))

/** The number that is always in view; hard to miss while an alarm stands. */
export function CallPill({ number, label, isStanding }: { number: string; label: string; isStanding: boolean }) {
  return (
    <a class={isStanding ? 'call-pill standing' : 'call-pill'} href={dialled(number)}>
      <Icon name="phone" size={18} />
      {whole(label, number)}
    </a>
  )
}

/** The one thing to do; outlined where another number comes first, calm where nobody is in danger. */
export function CallButton({
  number,
  label,
  outlined = false,
  calm = false,
}: {
  number: string
  label: string
  outlined?: boolean
  calm?: boolean
}) {
  return (
    <a class={calm ? 'secondary' : outlined ? 'call-button outlined' : 'call-button'} href={dialled(number)}>
      <Icon name="phone" />
      {whole(label, number)}
    </a>
  )
}

/** A text in which every number that may be called can be called with a touch, and is broken over no two lines. */
export function Callable({ text, numbers }: { text: string; numbers: readonly string[] }) {
  if (numbers.length === 0) return <>{text}</>
  const longestFirst = [...numbers].sort((a, b) => b.length - a.length).map((one) => one.replace(/[^\d ]/g, '\\$&'))
  const parts = text.split(new RegExp(`(?:\\b|(?=\\+))(${longestFirst.join('|')})(?!\\d)`))
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 1 ? (
          <a class="callable" href={dialled(part)}>
            {whole(part, part)}
          </a>
        ) : (
          part
        ),
      )}
    </>
  )
}
