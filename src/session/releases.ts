import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { ConfigurationDocument } from '../account/configuration.ts'
import { LANGUAGES, type Language } from '../engine/content.ts'
import type { Content } from '../engine/load.ts'
import { prepareToHear } from '../engine/own-words/hear.ts'
import type { Core } from '../events/core.ts'
import { DEPLOYMENT } from '../store/accounts.ts'
import { findActivation } from '../store/content/activations.ts'
import { DatabaseAway } from '../store/database/db.ts'
import { VERSION } from '../version.ts'
import { activateFirst } from './content/activate.ts'
import { publishBundled } from './content/bundled.ts'
import { Reviews } from './content/reviews.ts'
import { shareEqual } from './content/share-equal.ts'
import { readRelease } from './content/stored.ts'

/** While sessions begin, the active release is looked up again after this time, in case a notification got lost. */
const LOOK_AGAIN_MS = 4_000
const START_TRIES = 20
const AGAIN_MS = 500
const UNREAD = 'it could not be read'

/**
 * The content releases that sessions run on. They live in the database, so that every node has the same; a session
 * keeps the one it was pinned to, and new sessions get the one that is active for their configuration or the deployment.
 */
export class Releases {
  readonly #core: Core
  readonly #logger: Logger
  /** How loud it says what every process of the service finds alike. */
  readonly #level: 'info' | 'debug'
  readonly #loaded = new Map<string, Promise<Content | null>>()
  readonly #reviews: Reviews
  readonly #complaints = new Map<string, readonly string[]>()
  /** The faults of releases, so that each is reported once. */
  readonly #faults = new Map<string, string>()
  #active: string | null = null
  #looking = Promise.resolve(true)
  #lookedAt = Number.NEGATIVE_INFINITY

  private constructor(core: Core, logger: Logger, level: 'info' | 'debug' = 'info') {
    this.#core = core
    this.#logger = logger
    this.#level = level
    this.#reviews = new Reviews(core)
  }

  /** For a command, which reads sessions and starts none: nothing is published, and activations are not followed. */
  static forReading(core: Core, logger: Logger): Releases {
    return new Releases(core, logger)
  }

  /** Publishes the bundled content, once, and follows activations on every node. Of several processes the first speaks for all. */
  static async open(core: Core, logger: Logger, isFirst = true): Promise<Releases> {
    const releases = new Releases(core, logger, isFirst ? 'info' : 'debug')
    const bundled = isFirst ? await releases.#publishBundled() : null
    await core.db.listen(
      'fyr_content',
      (notice) => releases.#hear(noticeOf(notice)),
      () => releases.#hear({}),
    )
    // A slow database is given time: a node without its content would turn everyone away.
    for (let tries = 0; tries < START_TRIES && !(await releases.#look()); tries++) await setTimeout(AGAIN_MS)
    if (bundled !== null && bundled !== releases.#active)
      logger.info(
        { version: bundled, active: releases.#active },
        'the content release that came with this version is published and not active: fyr content activate',
      )
    return releases
  }

  /** A fault in the bundled content never takes the service down: the active release goes on serving. */
  async #publishBundled(): Promise<string | null> {
    const actor = `fyr ${VERSION}`
    try {
      const { version, result } = await publishBundled(this.#core, actor)
      if (result === 'unchecked')
        this.#logger.error(
          'the content folder is not the one whose checks passed and was not published; publish it with: fyr content publish',
        )
      else if (result === 'different')
        this.#logger.error(
          { version },
          'the content folder differs from the published release of the same version; give it a new version',
        )
      else {
        await activateFirst(this.#core, version, actor)
        return version
      }
    } catch (error) {
      if (error instanceof DatabaseAway) throw error
      const fault = error instanceof Error ? error.name : 'error'
      this.#logger.error({ fault }, 'the content that came along was not published')
    }
    return null
  }

  /** Acts on a notification that releases changed. */
  #hear({ account, configuration, version, before, by }: Notice): void {
    if (account) this.#reviews.forget(account)
    else if (configuration)
      this.#logger[this.#level](
        { configuration, version, before, by },
        'new sessions of this configuration begin with this content release',
      )
    else {
      this.#reviews.forgetAll()
      void this.#look()
    }
  }

  /** One look-up after another, so that the last one wins; false when the database did not tell. */
  #look(): Promise<boolean> {
    this.#lookedAt = performance.now()
    this.#looking = this.#looking.then(() => this.#takeUpActive())
    return this.#looking
  }

  /** A release that cannot be loaded here is not adopted: the one before stays active. */
  async #takeUpActive(): Promise<boolean> {
    try {
      const active = await findActivation(this.#core.db, DEPLOYMENT, DEPLOYMENT)
      const version = active?.version ?? null
      if (version === null || version === this.#active) return true
      const content = await this.content(version)
      if (!content) return this.#faults.get(version) !== UNREAD
      this.#active = version
      prepareInTurns(content).catch(() =>
        this.#logger.error({ version }, 'own words cannot be read with this content release'),
      )
      const { before, activated_by: by } = active ?? {}
      this.#logger[this.#level]({ version, before, by }, 'new sessions begin with this content release')
      return true
    } catch {
      this.#logger.warn('which content release is active could not be read; the known one goes on')
      return false
    }
  }

  /** The release a new session of this configuration gets, or null when it cannot be loaded. */
  readonly versionFor = async (
    configuration: Pick<ConfigurationDocument, 'contentVersion'>,
  ): Promise<string | null> => {
    const own = configuration.contentVersion
    if (own === null && performance.now() > this.#lookedAt + LOOK_AGAIN_MS) void this.#look()
    const version = own ?? this.#active
    return version !== null && (await this.content(version)) ? version : null
  }

  /** Whether a release has a sign of this name. */
  readonly isSign = async (version: string, id: string): Promise<boolean> => {
    const questions = (await this.content(version))?.release.questions ?? {}
    return Object.hasOwn(questions, id) && questions[id]?.kind === 'sign'
  }

  /** Whether this account's own clinicians have signed a release. Nobody else's signature counts, and no text says so. */
  async isReviewed(accountId: string, version: string | null): Promise<boolean> {
    const content = version === null ? null : await this.content(version)
    return content !== null && this.#reviews.has(accountId, content.release)
  }

  /** The ids of a release's complaints. Only they are kept: an old release does not stay in memory because it is named. */
  async complaintsOf(version: string): Promise<readonly string[]> {
    const known = this.#complaints.get(version)
    if (known) return known
    const stored = this.#loaded.has(version) ? null : await readRelease(this.#core, version)
    const content = stored ? (stored.kind === 'whole' ? stored.content : null) : await this.content(version)
    const ids = [...(content?.complaints.keys() ?? [])]
    if (content) this.#complaints.set(version, ids)
    return ids
  }

  /** A release ready to interview with; null when there is no such release or it cannot be read. */
  content(version: string): Promise<Content | null> {
    const known = this.#loaded.get(version)
    if (known) return known
    const loading = this.#load(version)
    this.#loaded.set(version, loading)
    void loading.then((content) => {
      if (!content) this.#loaded.delete(version) // so that the next call tries again
    })
    return loading
  }

  async #load(version: string): Promise<Content | null> {
    const stored = await readRelease(this.#core, version).catch(() => null)
    if (stored?.kind === 'whole') {
      this.#faults.delete(version)
      return stored.content
    }
    const fault = stored === null ? UNREAD : stored.kind === 'faulty' ? stored.fault : 'there is none'
    if (this.#faults.get(version) !== fault)
      this.#logger.error({ version, fault }, 'a content release is refused: it cannot be loaded')
    this.#faults.set(version, fault)
    return null
  }
}

/**
 * Whoever writes first does not wait for the indexes that own words are read with; others are answered in between. The
 * trained readers are then in those indexes, and their 8 MB of text in the release are not kept; nor is what is equal
 * kept twice.
 */
async function prepareInTurns({ release }: Content): Promise<void> {
  const texts: Partial<Record<Language, string>> = release.readers ?? {}
  for (const language of LANGUAGES) {
    await setImmediate()
    prepareToHear(release, language)
    delete texts[language]
  }
  for (const _ of shareEqual(release)) await setImmediate()
}

/** The database's notification that a release was published (empty), signed or activated. */
type Notice = {
  account?: string
  configuration?: string | null
  version?: string | null
  before?: string | null
  by?: string
}

/** Anyone who can write to the database can send anything here: it only ever triggers a look-up. */
function noticeOf(text: string): Notice {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
