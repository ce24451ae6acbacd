/** Types of the decision support manager script, version 1. */

export type DecisionSupportLanguage = 'en' | 'fi' | 'no' | 'sv'

export type DecisionSupportOptions = {
  /** Where the frame goes: an element, or a selector of one. */
  container: Element | string
  /** The language of decision support, whatever the patient used. Left out: the browser's. */
  lang?: DecisionSupportLanguage
  /** Whether files can be downloaded from the viewer. Left out: yes. */
  showFileViewerDownloadButton?: boolean
  /** Listeners from the first moment on. */
  on?: { [Name in keyof DecisionSupportEvents]?: (detail: DecisionSupportEvents[Name]) => void }
} & (
  | { /** `link` of the decision support link, not older than five minutes. */ link: string; token?: undefined }
  | { /** `token` of it, when this script was loaded from the service. */ token: string; link?: undefined }
)

export type DecisionSupportEvents = {
  /** The session is on the screen. */
  ready: Record<string, never>
  /** The link was older than five minutes, or the visit has ended: ask for a new link. */
  expired: Record<string, never>
  /** The summary was copied. */
  copied: Record<string, never>
  /** The clinician ended the visit. */
  closed: Record<string, never>
  /** Something went wrong; `code` is the last part of the problem's type. */
  error: { code: string }
}

/** A decision support that is open in a page. */
export type DecisionSupportHandle = {
  readonly version: string
  readonly frame: HTMLIFrameElement
  /** Listens; the answer stops listening. */
  on<Name extends keyof DecisionSupportEvents>(
    name: Name,
    listener: (detail: DecisionSupportEvents[Name]) => void,
  ): () => void
  /** Takes the frame away; the visit ends. May be called twice. */
  destroy(): void
}

export type DecisionSupportManager = {
  readonly version: string
  /** Opens decision support. Rejects with an error that has a `code` (`invalid`, `unavailable`) when it cannot. */
  open(options: DecisionSupportOptions): Promise<DecisionSupportHandle>
}

declare global {
  const DecisionSupport: DecisionSupportManager
  interface Window {
    readonly DecisionSupport: DecisionSupportManager
  }
}
