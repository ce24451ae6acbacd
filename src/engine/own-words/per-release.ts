import type { CompiledRelease, Language } from '../content.ts'

/** An index that is built on first use and kept as long as the release, the only thing it depends on. */
export function perRelease<T>(
  make: (release: CompiledRelease, language: Language) => T,
): (release: CompiledRelease, language: Language) => T {
  const kept = new WeakMap<CompiledRelease, Map<Language, T>>()
  return (release, language) => {
    const made = kept.get(release) ?? new Map<Language, T>()
    kept.set(release, made)
    const found = made.get(language)
    if (found !== undefined) return found
    const fresh = make(release, language)
    made.set(language, fresh)
    return fresh
  }
}
