import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Moves the focus to what is new, so that keyboard and screen reader follow. */
export function useFocusOn<T extends HTMLElement>(mark: unknown, isWanted = true): RefObject<T | null> {
  const ref = useRef<T>(null)
  const before = useRef<unknown>(undefined)
  useEffect(() => {
    if (!isWanted || before.current === mark) return
    before.current = mark
    ref.current?.focus({ preventScroll: true })
    if (ref.current) show(ref.current)
  }, [mark, isWanted])
  return ref
}

/** Scrolls what is new into view, with what is said right above it. */
function show(heading: HTMLElement): void {
  const top = heading.closest('[data-now]') ?? heading.closest('[data-top]') ?? heading
  if (document.documentElement.classList.contains('framed')) {
    // The embedding page scrolls: only as far as the first words, and not before the user has touched anything here.
    const first = top.querySelector('.strip, .notice, .eyebrow, .alarm-sign, h1') ?? top
    if (navigator.userActivation?.hasBeenActive) first.scrollIntoView({ block: 'nearest' })
    return
  }
  const bar = document.querySelector('.bar')?.getBoundingClientRect().bottom ?? 0
  const box = top.getBoundingClientRect()
  // A question that fits stays within reach of the thumb; a longer one is shown from its beginning.
  if (box.top < bar || box.bottom > innerHeight) scrollBy(0, box.top - bar - 16)
}
