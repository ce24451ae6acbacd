import { tagOf } from '../../src/engine/languages.ts'
import {
  type AnsweredScreen,
  type Call,
  type Credential,
  callerWith,
  type Entered,
  type Given,
  type Language,
  type PublicConfiguration,
  Refused,
  type SessionView,
} from './api.ts'
import { type Announce, framedCredential } from './embed.ts'
import { type Facts, rememberLanguage, takeSecret } from './facts.ts'
import { newId, newSecret } from './new-id.ts'
import { anew, frontDoor, notBegun, type Page, pageAfter, pageWithout } from './page.ts'
import { Patience } from './patience.ts'
import { cardMark, FIRST, type State, saidOfChange, stillSeen } from './state.ts'
import { NOTHING_YET, type Tab, type Unsent } from './tab.ts'
import { isTicked, openedWith, type Told, toldOf, uncounted } from './uncounted.ts'

/** From the front page to the outcome. Pages show its state and call its methods; only this talks to the service. */
export class Journey {
  readonly facts: Facts
  readonly credential: Credential = { bearer: null, sessionId: null }
  readonly call: Call
  readonly patience: Patience
  state: State
  readonly #tab: Tab
  readonly #announce: Announce
  readonly #listeners = new Set<() => void>()
  #hasChosenLanguage = false
  #lastAnswered: string | null = null
  #marked: readonly Told[] = []

  constructor(facts: Facts, tab: Tab, announce: Announce) {
    this.facts = facts
    this.#tab = tab
    this.#announce = announce
    this.call = callerWith(this.credential)
    this.patience = new Patience((waiting) => this.#set({ waiting }))
    this.state = { ...FIRST, language: facts.language, configuration: facts.configuration }
    document.addEventListener('visibilitychange', () => void this.#catchUp())
    // A link opened in a tab that is already here only changes the fragment.
    addEventListener('hashchange', () => {
      const secret = takeSecret()
      if (!secret) return
      this.#tab.keep({ ...NOTHING_YET, secret })
      location.reload()
    })
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #set(change: Partial<State>): void {
    this.state = { ...this.state, ...change }
    for (const listener of this.#listeners) listener()
  }

  /** Finds out where this browser stands. */
  async begin(): Promise<void> {
    const { facts } = this
    if (facts.secret) this.#tab.keep({ ...NOTHING_YET, secret: facts.secret })
    this.credential.bearer = this.#tab.kept.bearer ?? null
    try {
      const configuration =
        facts.configuration ??
        (await this.patience.untilAnswered(() =>
          this.call<PublicConfiguration>('GET', `/configurations/${facts.slug}`),
        ))
      this.#set({ configuration })
      const canHaveSession = !facts.secret && (facts.returning || this.credential.bearer !== null)
      const known = canHaveSession ? await this.#existing() : null
      if (known && this.#tab.kept.session === known.sessionId) return await this.#resume(known)
      this.#set({ place: frontDoor(facts, this.#tab.kept, configuration, known) })
    } catch (error) {
      this.#refused(error)
    }
  }

  async #existing(): Promise<SessionView | null> {
    // Too many (429) is about others behind the same address; waiting for it might take for ever.
    const isNone = (error: unknown) => error instanceof Refused && [401, 404, 429].includes(error.status)
    const view = await this.patience.untilAnswered(() =>
      this.call<SessionView>('GET', '/session').catch((error: unknown) => {
        if (isNone(error)) return null
        throw error
      }),
    )
    return view?.configuration === this.facts.slug ? view : null
  }

  /** Resumes a session this tab was in; an answer that was not acknowledged is sent again, under the same id. */
  async #resume(view: SessionView): Promise<void> {
    this.#adopt(view)
    const { unsent } = this.#tab.kept
    if (unsent?.session !== view.sessionId) return this.#tab.keep({ unsent: undefined })
    const isAsked = view.step.kind === 'ask' && view.step.questions.some(({ id }) => id === unsent.answers[0]?.question)
    // Also when the session has ended: only the service knows whether the answer came before that.
    const isTaken = await this.#give(unsent, !isAsked)
    // The form in which the refusal would be shown is gone with the page.
    if (!isTaken && this.state.said?.kind === 'refused') this.#tellUncounted(unsent.told, false)
  }

  /** While closed: checks whether it has opened, and leads to the front page if so. False: it has not. */
  async lookAgain(): Promise<boolean> {
    try {
      const configuration = await this.call<PublicConfiguration>('GET', `/configurations/${this.facts.slug}`)
      if (this.state.place.at !== 'closed') return true
      const { gate } = configuration
      const place: Page = gate.open
        ? frontDoor(this.facts, this.#tab.kept, configuration, null)
        : { at: 'closed', gate }
      this.#set({ configuration, place })
      return gate.open
    } catch {
      return false // the page stays as it is until someone answers
    }
  }

  goOn(view: SessionView): void {
    this.#adopt(view)
  }

  /** For someone else, or another matter: the front page as a newcomer sees it, with what is agreed to. */
  beginAnew(): void {
    const { place, configuration } = this.state
    this.#set({ place: anew(place, configuration?.gate), said: null, editing: null })
  }

  /** The user has agreed and starts: by the public address, or with the secret of a link. */
  async start(confirmation: { age?: number; birthYear?: number } = {}): Promise<void> {
    if (this.state.sending) return
    const { secret } = this.#tab.kept
    const kind = this.facts.isFramed ? framedCredential() : 'cookie'
    const { entry: id = newSecret() } = this.#tab.kept
    this.#tab.keep({ entry: id })
    const how = { id, credential: kind, ...(this.facts.isFramed && { embedded: true }) }
    this.#set({ sending: 'enter', said: null })
    this.credential.bearer = null
    this.credential.sessionId = null
    try {
      const entered = secret
        ? await this.call<Entered>('POST', '/enter', {
            secret,
            configuration: this.facts.slug,
            ...how,
            ...confirmation,
          })
        : await this.call<Entered>('POST', `/configurations/${this.facts.slug}/sessions`, {
            language: this.state.language,
            ...how,
          })
      this.credential.bearer = entered.secret
      const bearer = entered.secret ?? undefined
      this.#tab.keep({ ...NOTHING_YET, bearer, secret: undefined, entry: undefined })
      // Where nobody chose a language for the session, it continues in the one its user has just agreed in.
      if (isUntouched(entered.session, this.state.configuration)) this.#hasChosenLanguage = true
      this.#adopt(entered.session)
    } catch (error) {
      this.#notEntered(error)
    } finally {
      this.#set({ sending: null })
    }
    const { place, language } = this.state
    if (place.at === 'session' && this.#hasChosenLanguage && place.view.language !== language)
      await this.setLanguage(language)
  }

  #notEntered(error: unknown): void {
    const refused = error instanceof Refused ? error : null
    if (refused && refused.status < 500) this.#tab.keep({ entry: undefined })
    const place = refused && pageAfter(refused)
    const before = this.state.place
    if (place) {
      if (place.at === 'notice') this.#tab.clear()
      this.#set({ place })
    } else if (before.at !== 'takeover') {
      const begun = before.at === 'welcome' ? before.begun : null
      this.#set({ place: { at: 'welcome', begun, fault: notBegun(refused) } })
    }
  }

  /** Answers the screen that is asked, or changes an earlier answer. True when it was accepted. */
  async answer(answers: readonly Given[]): Promise<boolean> {
    const { place, editing, sending } = this.state
    if (place.at !== 'session' || sending) return false
    const { sessionId: session, version } = place.view
    this.#lastAnswered = answers[0]?.question ?? null
    return this.#give({ session, id: newId(), answers, version, told: toldOf(answers, this.state) }, editing !== null)
  }

  /** Sends an answer until it is accepted or refused. The tab keeps it meanwhile; a refused change is reported. */
  async #give(given: Unsent, isChange: boolean): Promise<boolean> {
    const { place, editing } = this.state
    if (place.at !== 'session') return false
    const { session: _, told, ...body } = given
    this.#tab.keep({ unsent: given })
    const isTaken = await this.#change('answer', () => this.call('POST', '/session/answers', body))
    this.#tab.keep({ unsent: undefined })
    if (isTaken) for (const { question } of given.answers) this.keepDraft(question, undefined)
    const { place: now, said } = this.state
    const others = editing?.uncounted ?? []
    if (!isTaken && said?.kind === 'elsewhere') this.#tellUncounted([...told, ...others], true)
    if (!isTaken || !isChange || now.at !== 'session') return isTaken
    this.#set({ editing: null, said: saidOfChange(place.view, now.view, editing?.id ?? null) })
    this.#tellUncounted(others, false)
    return true
  }

  draft(question: string): string | undefined {
    return this.#tab.draft(this.credential.sessionId, question)
  }

  keepDraft(question: string, text: string | undefined): void {
    this.#tab.keepDraft(this.credential.sessionId, question, text)
  }

  /** Remembers what is marked on the screen and not sent yet, to name it if the screen goes. */
  mark(answers: readonly Given[]): void {
    this.#marked = toldOf(answers, this.state)
  }

  get sendsTick(): boolean {
    return this.#tab.kept.unsent?.told.some(isTicked) ?? false
  }

  /** Says what was answered here and the session does not know: a danger that was ticked never goes without a word. */
  #tellUncounted(all: readonly Told[], elsewhere: boolean): void {
    const { place } = this.state
    const told = place.at === 'session' ? uncounted(all, place.view) : []
    if (told.length > 0) this.#set({ said: { kind: 'uncounted', told, elsewhere } })
  }

  async back(): Promise<void> {
    const { place } = this.state
    if (place.at !== 'session') return
    const given = { id: newId(), version: place.view.version }
    await this.#change('back', () => this.call('POST', '/session/back', given))
  }

  /** Opens an earlier question in place, with its answer in it, or with what was told and did not count. */
  async edit(question: string, told: readonly Told[] = []): Promise<void> {
    if (this.state.place.at !== 'session' || this.state.sending) return
    this.#set({ sending: 'edit', said: null })
    try {
      const path = `/session/questions/${encodeURIComponent(question)}`
      const screen = await this.patience.untilAnswered(() => this.call<AnsweredScreen>('GET', path))
      this.#set({ editing: { ...openedWith(screen, told), id: question } })
    } catch (error) {
      this.#refused(error)
    } finally {
      this.#set({ sending: null })
    }
  }

  /** The answer that raised the alarm was a mistake: it opens again, with the alarm above it until it is changed. */
  async correct(): Promise<void> {
    const { place } = this.state
    if (place.at !== 'session') return
    const { ledger } = place.view
    const last = ledger.find(({ question }) => question === this.#lastAnswered) ?? ledger.at(-1)
    this.putAside('alarm')
    if (last) await this.edit(last.question)
  }

  keep(): void {
    const { editing } = this.state
    this.#set({ editing: null })
    this.#tellUncounted(editing?.uncounted ?? [], false)
  }

  /** Files come and go without a new view, so the view is changed here. */
  setFiles(change: (files: SessionView['files']) => SessionView['files']): void {
    const { place } = this.state
    if (place.at !== 'session') return
    this.#set({ place: { ...place, view: { ...place.view, files: change(place.view.files) } } })
  }

  async finish(): Promise<void> {
    const { place } = this.state
    if (place.at === 'session') await this.#end('finish', place.view.version)
  }

  /** Sends how the clinic can reach the patient. True when it was accepted. */
  async giveContact(contact: { phone: string | null; when: string | null }): Promise<boolean> {
    return this.#change('contact', () => this.call('PUT', '/session/contact', contact))
  }

  async stop(): Promise<void> {
    const { place } = this.state
    if (place.at === 'session') await this.#end('stop', place.view.version)
  }

  async #end(how: 'finish' | 'stop', version: number): Promise<void> {
    await this.#change(how, () => this.call('POST', `/session/${how}`, { version }))
  }

  async setLanguage(language: Language): Promise<void> {
    this.#hasChosenLanguage = true
    rememberLanguage(language)
    this.#set({ language })
    if (this.state.place.at !== 'session') return
    await this.#change('language', () => this.call('PUT', '/session/language', { language }))
    const { editing } = this.state
    if (editing) await this.edit(editing.id, editing.uncounted)
  }

  putAside(card: 'alarm' | 'warning'): void {
    const { place, seen } = this.state
    if (place.at === 'session') this.#set({ seen: { ...seen, [card]: cardMark(place.view[card]) } })
  }

  /** Leaves no answers in this browser: what the page keeps goes first, then the service ends the credential. */
  async signOut(): Promise<void> {
    if (this.state.sending) return
    this.#tab.clear()
    this.#set({ sending: 'stop', said: null })
    try {
      await this.patience.untilAnswered(() => this.call('POST', '/sign-out'))
    } catch (error) {
      if (!(error instanceof Refused)) throw error // already signed out elsewhere, as wanted
    }
    this.credential.bearer = null
    this.credential.sessionId = null
    this.#set({ ...FIRST, place: { at: 'notice', kind: 'signedOut' } })
    this.#announce({ type: 'closed' })
  }

  close(): void {
    this.#announce({ type: 'closed' })
  }

  async #change(kind: State['sending'], attempt: () => Promise<SessionView>): Promise<boolean> {
    if (this.state.sending) return false
    this.#set({ sending: kind, said: null })
    try {
      this.#adopt(await this.patience.untilAnswered(attempt))
      return true
    } catch (error) {
      this.#refused(error)
      return false
    } finally {
      this.#set({ sending: null })
    }
  }

  #adopt(view: SessionView): void {
    const { place, configuration, seen } = this.state
    const before = place.at === 'session' ? place.view : null
    const hadEnded = before?.step.kind === 'outcome'
    this.credential.sessionId = view.sessionId
    this.#tab.keep({ session: view.expired ? undefined : view.sessionId })
    if (view.expired || view.step.kind === 'outcome') this.#tab.keep({ drafts: undefined })
    const language = this.#hasChosenLanguage ? this.state.language : view.language
    document.documentElement.lang = tagOf(language)
    const next: Page = view.expired ? { at: 'notice', kind: 'expired' } : { at: 'session', view }
    this.#set({ place: next, language, seen: stillSeen(seen, before, view) })
    if (view.step.kind === 'outcome' && !hadEnded && configuration)
      this.#announce({ type: 'completed', sessionId: view.sessionId })
  }

  #refused(error: unknown): void {
    if (!(error instanceof Refused)) throw error
    if (error.current) {
      this.#adopt(error.current)
      this.#set({ editing: null, said: { kind: 'elsewhere' } })
      return
    }
    if (error.status === 410) this.#tab.clear()
    const place = pageWithout(error, this.facts)
    if (place) this.#tab.keep({ drafts: undefined })
    this.#set(place ? { place } : { said: { kind: 'refused' } })
  }

  /** The user comes back to this tab: the session may have continued elsewhere. */
  async #catchUp(): Promise<void> {
    const { place, sending, editing } = this.state
    if (document.visibilityState !== 'visible' || place.at !== 'session' || sending || editing) return
    try {
      const view = await this.call<SessionView>('GET', '/session')
      const now = this.state.place
      if (this.state.sending || now.at !== 'session' || view.version <= now.view.version) return
      const marked = this.#marked
      this.#adopt(view)
      this.#set({ said: { kind: 'elsewhere' } })
      this.#tellUncounted(marked, true)
    } catch {
      // The next answer will notice it.
    }
  }
}

const isUntouched = (view: SessionView, configuration: PublicConfiguration | null): boolean =>
  view.ledger.length === 0 && view.language === configuration?.defaultLanguage
