import { Readable } from 'node:stream'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { fail, invalid } from '../../problems.ts'
import type { Receiving } from '../../session/uploads/receiving.ts'
import {
  announceUpload,
  appendUpload,
  LARGEST_FILE_BYTES,
  listUploads,
  removeUpload,
} from '../../session/uploads/uploads.ts'
import { answer, refTo, refusals } from '../schemas.ts'
import { FileView } from './schemas.ts'
import { segmentsOf } from './segments.ts'
import { type TriageContext, userOf } from './user.ts'

const tags = ['Triage']
const security = [{ userCookie: [] }, { sessionSecret: [] }]
const params = { params: Type.Object({ fileId: Type.String({ format: 'uuid' }) }) }
const view = {
  200: answer(FileView, 'The file as it stands'),
  ...refusals(400, 401, 403, 404, 405, 409, 410, 413, 415),
}

/**
 * Files of a session: announced with a client-made id, then sent as plain bytes from an offset. After a lost connection
 * the upload continues where it stopped; the file is checked when its last byte has arrived.
 */
export function triageFileRoutes(scope: FastifyInstance, context: TriageContext, receiving: Receiving): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>()
  const { core, objects } = receiving

  app.get(
    '/session/files',
    {
      schema: {
        operationId: 'listOwnFiles',
        summary: 'Files of the session',
        tags,
        security,
        response: {
          200: { type: 'array', items: refTo(FileView), description: 'Oldest first' },
          ...refusals(401, 404, 405),
        },
      },
    },
    async (request) => listUploads(core, (await userOf(request, context)).session),
  )

  app.post(
    '/session/files',
    {
      schema: {
        operationId: 'announceFile',
        summary: 'Announce a file',
        tags,
        security,
        body: Type.Object({
          id: Type.String({ format: 'uuid' }),
          name: Type.String({ minLength: 1, maxLength: 1_000 }),
          size: Type.Integer({ format: 'int32', minimum: 1 }),
        }),
        response: view,
      },
    },
    async (request) => announceUpload(core, (await userOf(request, context)).session, request.body),
  )

  scope.register(async (bytes) => bytesRoute(bytes, context, receiving))

  app.delete(
    '/session/files/:fileId',
    {
      schema: {
        operationId: 'removeFile',
        summary: 'Remove a file before sending',
        tags,
        security,
        ...params,
        response: { 204: { type: 'null', description: 'Removed' }, ...refusals(401, 403, 404, 405, 409, 410) },
      },
    },
    async (request, reply) => {
      await removeUpload(core, objects, (await userOf(request, context)).session, request.params.fileId)
      return reply.code(204).send(null)
    },
  )
}

/** The one route whose body is a stream: the sender is identified and room reserved before a byte is read. */
function bytesRoute(scope: FastifyInstance, context: TriageContext, receiving: Receiving): void {
  scope.addContentTypeParser('application/octet-stream', (_request, body, done) => done(null, body))
  scope.withTypeProvider<TypeBoxTypeProvider>().patch(
    '/session/files/:fileId',
    {
      config: { takesBytes: true },
      schema: {
        operationId: 'sendFileBytes',
        summary: 'Send the next bytes of a file',
        description:
          'The header Upload-Offset says where they begin. What arrives is kept as it comes, also when the line is lost; ask again where to go on. The last bytes finish the file: it is checked, pictures are written anew without metadata.',
        tags,
        security,
        ...params,
        consumes: ['application/octet-stream'],
        headers: Type.Object({ 'upload-offset': Type.String({ pattern: '^\\d{1,9}$' }) }),
        response: view,
      },
    },
    async (request) => {
      const body = request.body instanceof Readable ? request.body : invalid('', 'The bytes of the file are the body.')
      const length = lengthOf(request.headers['content-length'])
      if (length !== null && length > LARGEST_FILE_BYTES) fail('file-too-large')
      const { session } = await userOf(request, context)
      const segments = segmentsOf(body, { room: receiving.room, who: session.row.id, length })
      const start = Number(request.headers['upload-offset'])
      return appendUpload(receiving, session, request.params.fileId, { start, length, segments })
    },
  )
}

const lengthOf = (header: string | undefined): number | null => (header === undefined ? null : Number(header))
