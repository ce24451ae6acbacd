import type { FastifyReply } from 'fastify'

/** A PDF to save or print, never to run inside a page of this service. */
export const sendPdf = (reply: FastifyReply, sessionId: string, bytes: Buffer): FastifyReply =>
  reply
    .header('content-type', 'application/pdf')
    .header('content-disposition', `attachment; filename="triage-${sessionId.slice(0, 8)}.pdf"`)
    .header('content-security-policy', "default-src 'none'; sandbox; frame-ancestors 'none'")
    .send(bytes)

export const sendFhir = (reply: FastifyReply, bundle: object): FastifyReply =>
  reply.header('content-type', 'application/fhir+json; charset=utf-8').send(JSON.stringify(bundle))
