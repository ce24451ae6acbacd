/** Speaks short messages to screen readers, politely, without moving the focus. */
export function Announcer({ text }: { text: string }) {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {text}
    </p>
  )
}
