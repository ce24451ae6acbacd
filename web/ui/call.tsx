import { Icon } from './icons.tsx'

const dialled = (number: string): string => `tel:${number.replace(/[^+\d]/g, '')}`

/** The number that is always in sight. */
export function CallPill({ number, label }: { number: string; label: string }) {
  return (
    <a class="call-pill" href={dialled(number)}>
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
