import { invalid } from '../problems.ts'

/** Characters that a browser would drop or change before it follows an address: it would not be the one checked. */
const BENT = /[\s\p{Cc}\\]/u
/** An encoded slash or backslash: servers differ in whether it separates path segments. */
const DISGUISED = /%(2f|5c)/i

/**
 * The address a user is sent to afterwards, normalised as browsers read it: this form is compared and stored. It must
 * be on the configuration's list, or below an entry that ends in a slash.
 */
export function returnAddress(given: string, allowed: readonly string[]): string {
  const address = read(given)
  if (!address) return invalid('/returnUrl', 'must be an https address without user name or password')
  if (!allowed.some((entry) => isWithin(address, entry)))
    return invalid('/returnUrl', 'is not on the list of return addresses of this configuration')
  return address.href
}

function read(text: string): URL | null {
  const url = BENT.test(text) ? null : URL.parse(text)
  return url?.protocol === 'https:' && !url.username && !url.password ? url : null
}

function isWithin(address: URL, entry: string): boolean {
  const listed = read(entry)
  if (!listed || listed.origin !== address.origin) return false
  if (address.pathname === listed.pathname) return true
  return entry.endsWith('/') && address.pathname.startsWith(listed.pathname) && !DISGUISED.test(address.pathname)
}
