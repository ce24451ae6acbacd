import type { ComponentChild } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** What is not part of the page's weight: it is fetched when it is first wanted. Without the line it stays away, and nothing hangs on it. */
export function Later<T>({ load, children }: { load: () => Promise<T>; children: (loaded: T) => ComponentChild }) {
  const [loaded, set] = useState<T | null>(null)
  useEffect(() => {
    let isCurrent = true
    load().then(
      (part) => isCurrent && set(() => part),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [])
  return <>{loaded && children(loaded)}</>
}
