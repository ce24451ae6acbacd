import type { Stories } from '../world/stage.ts'
import { ENTERING } from './entering.ts'
import { INTERVIEWS } from './interviews.ts'
import { OPENING } from './opening.ts'

/** Every story of a user, told on one node and over three. */
export const STORIES: Stories = { ...INTERVIEWS, ...ENTERING, ...OPENING }
