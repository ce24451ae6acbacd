import { Icon } from './icons.tsx'

const dialled = (number: string): string => `tel:${number.replace(/[^+\d]/g, '')}`

/** The number that is always in sight; while an alarm stands it is hard to miss. */
export function CallPill({ number, label, isStanding }: { number: string; label: string; isStanding: boolean }) {
  return (
    <a class={isStanding ? 'call-pill standing' : 'call-pill'} href={dialled(number)}>
      <Icon name="phone" size={18} />
      {label}
    </a>
  )
}

/** The one thing to do. */
export function CallButton({ number, label, quiet = false }: { number: string; label: string; quiet?: boolean }) {
  return (
    <a class={quiet ? 'call-button quiet' : 'call-button'} href={dialled(number)}>
      <Icon name="phone" />
      {label}
    </a>
  )
}
