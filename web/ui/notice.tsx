import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icons.tsx'

export type Tone = 'emergency' | 'warning' | 'care' | 'selfcare' | 'quiet'

const ICONS: Record<Tone, IconName> = {
  emergency: 'alarm',
  warning: 'warning',
  care: 'clock',
  selfcare: 'home',
  quiet: 'info',
}

/** An icon beside a few words: colour, icon and text always say the same thing. */
export function Notice({ tone, icon, children }: { tone: Tone; icon?: IconName; children: ComponentChildren }) {
  return (
    <div class={`notice tone-${tone}`}>
      <Icon name={icon ?? ICONS[tone]} />
      <div class="notice-text">{children}</div>
    </div>
  )
}
