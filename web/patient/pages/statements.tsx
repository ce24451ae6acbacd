import { useJourney } from '../context.ts'

/** The clinic's own statements: what happens to personal data, and whom to tell that the page cannot be used. */
export function Statements() {
  const { state, words } = useJourney()
  const { privacyUrl = null, accessibilityUrl = null } = state.configuration ?? {}
  if (!privacyUrl && !accessibilityUrl) return null
  return (
    <p class="statements">
      {privacyUrl && (
        <a href={privacyUrl} target="_blank" rel="noopener">
          {words.statements.privacy}
        </a>
      )}
      {accessibilityUrl && (
        <a href={accessibilityUrl} target="_blank" rel="noopener">
          {words.statements.accessibility}
        </a>
      )}
    </p>
  )
}
