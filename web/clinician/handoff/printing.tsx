import { useEffect, useState } from 'preact/hooks'
import { useBench } from '../context.ts'
import { dayAndTime } from '../moments.ts'

/** Unfolds everything for printing; afterwards it is as it was. */
export function useOpenForPrint(): void {
  useEffect(() => {
    let opened: HTMLDetailsElement[] = [] // from all beforeprint events so far: browsers may fire several for one printing
    const open = () => {
      for (const details of document.querySelectorAll('details:not([open], .also details)')) {
        if (!(details instanceof HTMLDetailsElement)) continue
        details.open = true
        opened.push(details)
      }
    }
    const close = () => {
      for (const details of opened) details.open = false
      opened = []
    }
    window.addEventListener('beforeprint', open)
    window.addEventListener('afterprint', close)
    return () => {
      window.removeEventListener('beforeprint', open)
      window.removeEventListener('afterprint', close)
    }
  }, [])
}

/** The head of the paper: whose it is, who printed it and when. */
export function PrintHead() {
  const { words, picture } = useBench()
  const [at, setAt] = useState(() => new Date().toISOString())
  useEffect(() => {
    const now = () => setAt(new Date().toISOString())
    window.addEventListener('beforeprint', now)
    return () => window.removeEventListener('beforeprint', now)
  }, [])
  return (
    <p class="print-head" aria-hidden="true">
      <span>
        <strong>{picture.clinic}</strong> · {words.title}
      </span>
      <span>{words.printed(picture.viewer.auditUserIdentifier, dayAndTime(words, picture, at))}</span>
    </p>
  )
}
