import { fileURLToPath } from 'node:url'

// This file, and what is built of it, lies one folder below the root: so both find the rest of the project.

const own = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Where a file of the project, or of the installed package, is. */
export const pathInRoot = (path: string): string => own(`../${path}`)

/** What a further process of the service runs. */
export const MAIN = own(import.meta.url.endsWith('.ts') ? 'main.ts' : 'main.js')
