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
