import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { overlayHost } from './host.ts'

type Props = { label: string; kind: string; onClose: () => void; children: ComponentChildren }

/** The browser's own dialog. While it is open in a frame, the frame fills the whole window of the host page. */
export function Dialog({ label, kind, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    overlayHost(true)
    dialog.current?.showModal()
    return () => {
      overlayHost(false)
      if (before instanceof HTMLElement) before.focus({ preventScroll: true })
    }
  }, [])
  return (
    <dialog ref={dialog} class={`dialog ${kind}`} aria-label={label} onClose={onClose}>
      {children}
    </dialog>
  )
}
