import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { FAMILIES, type Family } from '../../../src/engine/families.ts'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Icon } from '../../ui/icons.tsx'
import { OptionRow } from '../../ui/option-row.tsx'
import type { Proposals, QuestionView } from '../api.ts'
import { useJourney } from '../context.ts'
import type { ControlProps } from './control.ts'
import { Later } from './later.tsx'

const MOST = 3
const PAUSE_MS = 250

type Option = NonNullable<QuestionView['options']>[number]

/** The complaints: first those that fit the patient's own words, then by search, by pointing at the body, or by families. */
export function Complaints({ question, words, onRead, view }: ControlProps) {
  const options = question.options ?? []
  const [chosen, choose] = useState<readonly string[]>(() => firstChoice(question, options))
  const [query, search] = useState('')
  const [part, point] = useState<string | null>(null)
  const found = useSearch(query, options)
  const matches = useRef<HTMLParagraphElement>(null)
  // The list of places is long: scroll to what fits the chosen one.
  useEffect(() => {
    if (part) matches.current?.scrollIntoView({ block: 'center' })
  }, [part])
  useLayoutEffect(() => {
    if (chosen.length === 0) onRead({ fault: words.faults.choose })
    else onRead(chosen.length > MOST ? { fault: words.faults.tooMany(MOST) } : { value: chosen })
  }, [chosen, words])

  const proposed = options.filter((option) => option.proposed)
  // What was chosen before stands first: its place in the menu may be far down.
  const [earlier] = useState(chosen)
  const leading = options.filter(({ id, proposed: isProposed }) => isProposed || earlier.includes(id))
  const isSearching = query.trim() !== ''
  const isFiltered = isSearching || part !== null
  const shown = options.filter((option) =>
    isSearching ? found.has(option.id) : part ? option.body?.includes(part) : !leading.includes(option),
  )
  const isChosen = ({ id }: Option) => chosen.includes(id)
  const elsewhere = options.filter(
    (option) => isChosen(option) && !leading.includes(option) && isFiltered && !shown.includes(option),
  )
  const matter = view?.ledger.find((entry) => entry.question === 'matter')?.value
  const row = (option: Option) => (
    <OptionRow
      key={option.id}
      kind="checkbox"
      name={question.id}
      value={option.id}
      label={option.label}
      checked={isChosen(option)}
      onChange={(isOn) => choose(isOn ? [...chosen, option.id] : chosen.filter((id) => id !== option.id))}
    />
  )
  const menu = (
    <>
      <div class="search">
        <Icon name="search" />
        <input
          class="field"
          type="search"
          autocomplete="off"
          aria-label={words.complaints.search}
          placeholder={words.complaints.searchHint}
          value={query}
          onInput={(event) => {
            search(event.currentTarget.value)
            point(null)
          }}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      </div>
      {/* What is found stands right below what is typed. */}
      <div hidden={isSearching}>
        <BodyParts options={options} words={words} part={part} onPoint={(next) => point(next === part ? null : next)} />
      </div>
      <p class="hint" role="status" ref={matches}>
        {isFiltered ? words.complaints.found(shown.filter(({ family }) => family).length) : words.complaints.all}
      </p>
      {!isFiltered &&
        familiesOf(shown).map(({ family, members }) => (
          <FamilyRows key={family} name={words.complaints.families[family]} isOpen={members.some(isChosen)}>
            {members.map(row)}
          </FamilyRows>
        ))}
      <div class="rows">{shown.filter(({ family }) => isFiltered || !family).map(row)}</div>
    </>
  )
  return (
    <>
      {typeof matter === 'string' && matter !== '' && (
        <blockquote class="own-words">
          <span class="hint">{words.complaints.yourWords}</span>
          <p>{matter}</p>
        </blockquote>
      )}
      {leading.length > 0 ? (
        <>
          <p class="hint">{words.complaints.understoodHint}</p>
          <div class="rows">{leading.map(row)}</div>
        </>
      ) : (
        matter && <p class="hint">{words.complaints.nothingFits}</p>
      )}
      {elsewhere.length > 0 && <div class="rows apart">{elsewhere.map(row)}</div>}
      {proposed.length > 0 ? <Disclosure summary={words.complaints.others}>{menu}</Disclosure> : menu}
    </>
  )
}

/** Open from the start when something in it is chosen; after that it stays as the patient left it. */
function FamilyRows({ name, isOpen, children }: { name: string; isOpen: boolean; children: ComponentChildren }) {
  const [open] = useState(isOpen)
  return (
    <Disclosure summary={name} open={open}>
      <div class="rows">{children}</div>
    </Disclosure>
  )
}

/** The families that have something to offer this patient, in the order of the menu. */
function familiesOf(options: readonly Option[]): { family: Family; members: Option[] }[] {
  return FAMILIES.map((family) => ({ family, members: options.filter((option) => option.family === family) })).filter(
    ({ members }) => members.length > 0,
  )
}

/** The earlier choice; else the one that is far likelier than the others, so that accepting it is one tap. */
function firstChoice({ given }: QuestionView, options: readonly Option[]): readonly string[] {
  if (Array.isArray(given)) return given.filter((id) => options.some((option) => option.id === id))
  return options.filter((option) => option.likely).map(({ id }) => id)
}

function BodyParts({
  options,
  words,
  part,
  onPoint,
}: {
  options: readonly Option[]
  words: ControlProps['words']
  part: string | null
  onPoint: (part: string) => void
}) {
  const named = words.complaints.body
  const [isOpen, open] = useState(false)
  const parts = useMemo(() => {
    const known = new Set(options.flatMap(({ body }) => body ?? []))
    return Object.keys(named).filter((name) => known.has(name))
  }, [options, named])
  return (
    <details class="disclosure body" onToggle={(event) => open(event.currentTarget.open)}>
      <summary>
        <Icon name="down" size={18} />
        {words.complaints.byBody}
      </summary>
      <div class="body-parts">
        {isOpen && (
          <Later load={() => import('./body-figure.tsx')}>
            {({ BodyFigure }) => (
              <BodyFigure parts={parts} chosen={part} sides={words.complaints.sides} onChoose={onPoint} />
            )}
          </Later>
        )}
        <div class="chips">
          {parts.map((name) => (
            <button key={name} type="button" class="chip" aria-pressed={part === name} onClick={() => onPoint(name)}>
              {named[name]}
            </button>
          ))}
        </div>
      </div>
    </details>
  )
}

/** Names that contain the words, and a moment later what the service finds. The general complaint always stays. */
function useSearch(query: string, options: readonly Option[]): ReadonlySet<string> {
  const { journey } = useJourney()
  const [remote, setRemote] = useState<readonly string[]>([])
  const text = query.trim()
  useEffect(() => {
    if (text.length < 2) return setRemote([])
    let isCurrent = true
    const timer = setTimeout(async () => {
      try {
        const body = { text, search: true }
        const { complaints } = await journey.call<Proposals>('POST', '/session/proposals', body)
        if (isCurrent) setRemote(complaints.map(({ id }) => id))
      } catch {
        // Without the service only the names are searched.
      }
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text])
  const small = text.toLocaleLowerCase()
  const named = options.filter(({ label }) => label.toLocaleLowerCase().includes(small)).map(({ id }) => id)
  const last = options.at(-1)
  return new Set([...named, ...remote, ...(last ? [last.id] : [])])
}
