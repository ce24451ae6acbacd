/** The path of a Chromium that starts, or null. */
export function findBrowser(): Promise<string | null>

/** Why there is none, and what to do: half a sentence. */
export const NO_BROWSER: string
