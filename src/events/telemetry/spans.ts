/**
 * Something that was done, told afterwards, for whoever follows traces. Names and attributes come from closed sets
 * (route templates, event types): never a path, an id, or anything that a patient or an account said.
 */
export type Span = {
  name: string
  kind: 'server' | 'client'
  attributes: Record<string, string | number>
  isFailed: boolean
  durationMs: number
  /** The W3C trace header of the caller, when it sent a well-formed one: the span continues that trace. */
  traceparent?: string | undefined
}

export type TellSpan = (span: Span) => void

/** Without a receiver of traces nothing is told. */
export const tellNobody: TellSpan = () => {}
