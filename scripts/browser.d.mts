/** The path of a Chromium that starts, or null. */
export function findBrowser(): Promise<string | null>

/** Half a sentence: why there is none, and what to do. */
export const NO_BROWSER: string
