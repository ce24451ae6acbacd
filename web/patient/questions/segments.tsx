/** A few short choices side by side, such as units. */
export function Segments<T extends string>({
  name,
  label,
  options,
  chosen,
  onChoose,
}: {
  name: string
  label: string
  options: readonly { id: T; label: string }[]
  chosen: T | null
  onChoose: (id: T) => void
}) {
  return (
    <div class="segments" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.id} class="segment">
          <input
            type="radio"
            name={name}
            value={option.id}
            checked={chosen === option.id}
            onChange={() => onChoose(option.id)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  )
}
