import { invalid } from '../problems.ts'

/** What a browser would drop or bend before it follows an address: then it is not the address that was looked at. */
const BENT = /[\s\p{Cc}\\]/u
/** A slash or backslash in disguise. Servers differ in whether it parts the path. */
const DISGUISED = /%(2f|5c)/i

/**
 * The address a user is sent to afterwards, written as browsers read it: that is what is compared, and what is kept. It must be on the
 * configuration's list, or below an entry that ends in a slash.
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
