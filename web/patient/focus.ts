import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Moves the focus to what is new, so that the keyboard and the screen reader are where the eye is. */
export function useFocusOn<T extends HTMLElement>(mark: unknown, isWanted = true): RefObject<T | null> {
  const ref = useRef<T>(null)
  const before = useRef<unknown>(undefined)
  useEffect(() => {
    if (!isWanted || before.current === mark) return
    before.current = mark
    ref.current?.focus({ preventScroll: true })
    const top = ref.current?.closest('[data-top]') ?? ref.current
    const box = top?.getBoundingClientRect()
    // A question that fits is left where the thumb is; a longer one is shown from its beginning.
    if (box && (box.top < 0 || box.bottom > innerHeight)) top?.scrollIntoView({ block: 'start' })
  }, [mark, isWanted])
  return ref
}
