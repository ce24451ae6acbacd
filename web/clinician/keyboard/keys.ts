import { useEffect, useRef } from 'preact/hooks'

export const KEYS = ['c', 'p', 'j', 'f', 'i', 'l', 't', '?'] as const
export type Key = (typeof KEYS)[number]
export type KeyActions = Readonly<Record<Key, () => void>>

/** Single-key shortcuts, only where nobody is writing and no other key is held. */
export function useKeys(areOn: boolean, actions: KeyActions): void {
  // One listener for as long as the page lives: one that came and went with `areOn` would miss the key pressed right after Escape.
  const latest = useRef({ areOn, actions })
  latest.current = { areOn, actions }
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!latest.current.areOn) return
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || isWriting(event.target)) return
      const key = KEYS.find((one) => one === event.key.toLowerCase())
      if (!key) return
      event.preventDefault()
      latest.current.actions[key]()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
