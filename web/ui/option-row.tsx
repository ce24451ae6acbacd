import { Icon } from './icons.tsx'

type Props = {
  kind: 'radio' | 'checkbox'
  name: string
  value: string
  label: string
  /** What was said of it other than by its mark. */
  note?: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** Chosen on purpose: tapped, clicked, or confirmed with the space bar. The arrow keys only move around. */
  onTake?: () => void
}

/** One answer to choose: the whole row is the target, and the mark at its side says chosen in shape, not only in colour. */
export function OptionRow({ kind, name, value, label, note, checked, onChange, onTake }: Props) {
  return (
    <label class="row" data-kind={kind}>
      <input
        type={kind}
        name={name}
        value={value}
        checked={checked}
        onChange={(event) => onChange(event.currentTarget.checked)}
        // Clicks from the keyboard have detail 0, the second of a double click has 2.
        onClick={(event) => event.detail === 1 && onTake?.()}
        onKeyDown={(event) => {
          if (!onTake || event.key !== ' ' || event.repeat || !event.currentTarget.checked) return
          event.preventDefault()
          onTake()
        }}
      />
      <span class="row-mark" aria-hidden="true">
        <Icon name="check" size={18} />
      </span>
      <span class="row-label">
        {label}
        {note && <span class="row-note">{note}</span>}
      </span>
    </label>
  )
}
