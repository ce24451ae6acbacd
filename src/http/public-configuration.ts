import type { ConfigurationDocument } from '../account/configuration.ts'
import { gateOf } from '../account/gate.ts'
import { helpLinesOf } from '../account/numbers.ts'
import type { Core } from '../events/core.ts'
import type { Releases } from '../session/releases.ts'

/** What a configuration shows to everyone, with the gate as it stands at this moment. */
export async function publicConfiguration(
  core: Core,
  releases: Releases,
  accountId: string,
  slug: string,
  document: ConfigurationDocument,
) {
  const { name, type, languages, defaultLanguage, emergencyNumber, clinicPhone, adviceNumber = null, theme } = document
  const { closedMessage = null, privacyUrl = null, accessibilityUrl = null } = document
  const version = await releases.versionFor(document)
  return {
    slug,
    name,
    type,
    languages,
    defaultLanguage,
    emergencyNumber,
    clinicPhone,
    adviceNumber,
    helpLines: helpLinesOf(document),
    theme,
    closedMessage,
    privacyUrl,
    accessibilityUrl,
    reviewed: await releases.isReviewed(accountId, version),
    gate: await gateOf(core, accountId, document, false),
  }
}
