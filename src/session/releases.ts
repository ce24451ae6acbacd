import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { ConfigurationDocument } from '../account/configuration.ts'
import { type Content, loadContent } from '../engine/load.ts'
import type { Core } from '../events/core.ts'
import { readContentFolder } from '../store/content-files.ts'
import { findRelease, findReleaseBySource, listReleases, publishRelease } from '../store/releases.ts'

export const BUNDLED_CONTENT = fileURLToPath(new URL('../../content/', import.meta.url))

/**
 * The content releases that sessions run on. They live in the database, so that every node has the same; a session
 * keeps the one it was pinned to, and new sessions get the newest, or the one their configuration names.
 */
export class Releases {
  readonly #core: Core
  readonly #logger: Logger
  readonly #loaded = new Map<string, Promise<Content | null>>()
  #newest: string | null = null

  private constructor(core: Core, logger: Logger) {
    this.#core = core
    this.#logger = logger
  }

  /** Publishes the content this version came with, once, and follows what is published elsewhere. */
  static async open(core: Core, logger: Logger): Promise<Releases> {
    const releases = new Releases(core, logger)
    await releases.#publishBundled()
    const refresh = () => void releases.#refresh()
    await core.db.listen('fyr_content', refresh, refresh)
    await releases.#refresh()
    return releases
  }

  /** Faulty content never takes the service down: what was published before goes on serving. */
  async #publishBundled(): Promise<void> {
    try {
      const { version, result } = await publishContent(this.#core, BUNDLED_CONTENT)
      if (result === 'different')
        this.#logger.error(
          { version },
          'the content folder differs from the published release of the same version; give it a new version',
        )
    } catch (error) {
      const { ContentError } = await compiler()
      if (!(error instanceof ContentError)) throw error
      this.#logger.error(
        { problems: error.problems.slice(0, 5) },
        'the content folder has faults and was not published',
      )
    }
  }

  async #refresh(): Promise<void> {
    try {
      const [newest] = await listReleases(this.#core.db)
      this.#newest = newest?.version ?? null
      if (this.#newest) await this.content(this.#newest)
    } catch {
      this.#logger.warn('the list of content releases could not be read; the known ones go on')
    }
  }

  /** The release a new session of this configuration gets, or null when it cannot be loaded. */
  readonly versionFor = async (
    configuration: Pick<ConfigurationDocument, 'contentVersion'>,
  ): Promise<string | null> => {
    const version = configuration.contentVersion ?? this.#newest
    return version !== null && (await this.content(version)) ? version : null
  }

  /** A release ready to interview with; null when there is no such release or it cannot be read. */
  content(version: string): Promise<Content | null> {
    const known = this.#loaded.get(version)
    if (known) return known
    const loading = this.#load(version)
    this.#loaded.set(version, loading)
    void loading.then((content) => {
      if (!content) this.#loaded.delete(version) // so that it is tried again
    })
    return loading
  }

  async #load(version: string): Promise<Content | null> {
    try {
      const compiled = await findRelease(this.#core.db, version)
      return compiled === null ? null : loadContent(JSON.parse(compiled))
    } catch (error) {
      this.#logger.error(
        { version, name: error instanceof Error ? error.name : 'error' },
        'a content release could not be loaded',
      )
      return null
    }
  }
}

/** Loaded when there is something new to compile: most starts find their content in the database. */
const compiler = () => import('../engine/compile/release.ts')

/** Compiles a content folder and publishes it. The same text twice is one release; another text needs another version. */
export async function publishContent(
  core: Pick<Core, 'db'>,
  folder: string,
): Promise<{ version: string; result: 'published' | 'known' | 'different' }> {
  const files = await readContentFolder(folder)
  const source = createHash('sha256').update(JSON.stringify(files)).digest('hex')
  const known = await findReleaseBySource(core.db, source)
  if (known !== null) return { version: known, result: 'known' }
  const { compileContent } = await compiler()
  const release = compileContent(files)
  const result = await publishRelease(core.db, release.version, JSON.stringify(release), source)
  return { version: release.version, result }
}
