/** Says short things to screen readers, politely, without moving anyone's place. */
export function Announcer({ text }: { text: string }) {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {text}
    </p>
  )
}
