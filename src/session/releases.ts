import type { Logger } from 'pino'
import type { Core } from '../events/core.ts'

/** The content releases that sessions run on. */
export class Releases {
  static async open(_core: Core, _logger: Logger): Promise<Releases> {
    return new Releases()
  }

  versionFor = (): string | null => 'bundled'
}
