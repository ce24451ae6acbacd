import { FyrProblem } from './problem.ts'
import { bytes, type Call, type CallOptions, type Door, json, request } from './request.ts'
import type { AnsweredScreen, AnswerValue, FileView, Proposals, SessionView } from './triage-types.ts'
import type { Language } from './types.ts'

export type GivenAnswer = { question: string; value: AnswerValue | readonly string[] }

export type UploadOptions = CallOptions & {
  /** Default: the name of a File, or `file` */
  name?: string
  /** A uuid. The same one again goes on with an upload that stopped. */
  id?: string
  /** Called with the number of bytes that have arrived. */
  onSent?: (bytes: number) => void
}

/** Small enough to arrive within the timeout of one request on a slow line. */
const PART_BYTES = 1024 * 1024

/** The user of one session: answers its screens, adds files, sends it. Got by entering with FyrTriage. */
export class FyrUser {
  readonly #door: Door
  #session: SessionView
  /** What was issued on entering. Keep it to go on later with `FyrTriage.goOn`. */
  readonly secret: string

  constructor(door: Door, secret: string, session: SessionView) {
    this.#door = door
    this.#session = session
    this.secret = secret
  }

  /** The session as last seen: what is asked now (`step`), an alarm to be shown at once, the answers so far. */
  get session(): SessionView {
    return this.#session
  }

  getOwnSession(options?: CallOptions): Promise<SessionView> {
    return this.#view({ method: 'GET', path: '/session', ...options })
  }

  /**
   * Answers the screen, or changes earlier answers: all are taken or none. If the session has moved on meanwhile, in
   * another tab for instance, it is refused with a FyrProblem, and `session` is the session as it is now.
   */
  answerScreen(answers: readonly GivenAnswer[], options?: CallOptions): Promise<SessionView> {
    return this.#view({ method: 'POST', path: '/session/answers', body: { ...this.#once(), answers }, ...options })
  }

  /** A question answered before, with its answer as `given`. */
  getAnsweredQuestion(question: string, options?: CallOptions): Promise<AnsweredScreen> {
    return json(this.#door, { method: 'GET', path: `/session/questions/${encodeURIComponent(question)}`, ...options })
  }

  /** Takes back the newest screen. */
  goBack(options?: CallOptions): Promise<SessionView> {
    return this.#view({ method: 'POST', path: '/session/back', body: this.#once(), ...options })
  }

  /** Sends the interview: it ends, and the clinic gets it. */
  finishSession(options?: CallOptions): Promise<SessionView> {
    return this.#view({ method: 'POST', path: '/session/finish', body: this.#version(), ...options })
  }

  /** Ends at the emergency card, when there is an alarm. */
  stopSession(options?: CallOptions): Promise<SessionView> {
    return this.#view({ method: 'POST', path: '/session/stop', body: this.#version(), ...options })
  }

  /** How the clinic can reach the patient; `phone: null` takes it back. */
  giveContact(contact: { phone: string | null; when?: string | null }, options?: CallOptions): Promise<SessionView> {
    return this.#view({ method: 'PUT', path: '/session/contact', body: contact, ...options })
  }

  changeLanguage(language: Language, options?: CallOptions): Promise<SessionView> {
    return this.#view({ method: 'PUT', path: '/session/language', body: { language }, ...options })
  }

  /** Complaints that fit the user's own words, or that a search finds. */
  proposeComplaints(text: string, options: { search?: boolean } & CallOptions = {}): Promise<Proposals> {
    const { search, ...rest } = options
    return json(this.#door, { method: 'POST', path: '/session/proposals', body: { text, search }, ...rest })
  }

  /** The result as PDF, once the session has ended. */
  getOwnResultPdf(options?: CallOptions): Promise<Uint8Array> {
    return bytes(this.#door, { method: 'GET', path: '/session/pdf', ...options })
  }

  /** Ends what was issued on entering, at once. */
  async signOut(options?: CallOptions): Promise<void> {
    try {
      await request(this.#door, { method: 'POST', path: '/sign-out', ...options })
    } catch (error) {
      // Of a repeated request: the first one did it.
      if (!(error instanceof FyrProblem) || error.code !== 'credential-missing') throw error
    }
  }

  listOwnFiles(options?: CallOptions): Promise<FileView[]> {
    return json(this.#door, { method: 'GET', path: '/session/files', ...options })
  }

  /** Uploads a JPEG, PNG, WebP or PDF in parts; after a lost connection it goes on where the service stopped receiving. */
  async uploadFile(file: Blob, { name, id, onSent, ...options }: UploadOptions = {}): Promise<FileView> {
    const called = name ?? (file instanceof File ? file.name : 'file')
    const announced = { id: id ?? crypto.randomUUID(), name: called, size: file.size }
    let view = await this.announceFile(announced, options)
    while (!view.ready) {
      const part = file.slice(view.received, view.received + PART_BYTES)
      if (part.size === 0) throw new TypeError('This file is shorter than the one that was announced under its id.')
      view = await this.sendFileBytes(view, part, options)
      onSent?.(view.received)
    }
    return view
  }

  announceFile(file: { id: string; name: string; size: number }, options?: CallOptions): Promise<FileView> {
    return json(this.#door, { method: 'POST', path: '/session/files', body: file, ...options })
  }

  /** Sends the bytes that come next. When the service has others already, the answer says how many. */
  async sendFileBytes(file: FileView, part: Blob, options?: CallOptions): Promise<FileView> {
    const headers = { 'upload-offset': String(file.received) }
    try {
      return await json(this.#door, { method: 'PATCH', path: fileAt(file.id), body: part, headers, ...options })
    } catch (error) {
      const received = error instanceof FyrProblem && error.code === 'file-offset' ? error.problem.received : undefined
      if (typeof received !== 'number' || received === file.received) throw error
      return { ...file, received }
    }
  }

  /** Removes a file, before the session is sent. */
  async removeFile(id: string, options?: CallOptions): Promise<void> {
    await request(this.#door, { method: 'DELETE', path: fileAt(id), ...options })
  }

  async #view(call: Call): Promise<SessionView> {
    try {
      this.#session = await json<SessionView>(this.#door, call)
    } catch (error) {
      const current = error instanceof FyrProblem ? error.problem.current : undefined
      if (current) this.#session = current as SessionView
      throw error
    }
    return this.#session
  }

  #version(): { version: number } {
    return { version: this.#session.version }
  }

  /** The id makes repetitions of a request one. */
  #once(): { id: string; version: number } {
    return { id: crypto.randomUUID(), ...this.#version() }
  }
}

const fileAt = (id: string): string => `/session/files/${encodeURIComponent(id)}`
