import type { ComponentChildren } from 'preact'
import { Icon } from './icons.tsx'

/** More to read for those who want it. The browser's own element: it works without our script. */
export function Disclosure({
  summary,
  open = false,
  children,
}: {
  summary: string
  open?: boolean
  children: ComponentChildren
}) {
  return (
    <details class="disclosure" open={open}>
      <summary>
        <Icon name="down" size={18} />
        {summary}
      </summary>
      <div class="disclosure-body">{children}</div>
    </details>
  )
}
