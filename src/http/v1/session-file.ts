import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Core } from '../../events/core.ts'
import { fail, Problem } from '../../problems.ts'
import { readByKey } from '../../session/read.ts'
import type { Objects } from '../../store/objects.ts'
import { findKeptUpload } from '../../store/uploads.ts'
import { keptBytes, sendFile } from '../files.ts'
import { idOf, idOr, SessionParams, singleTexts } from '../parameters.ts'
import { refusals, savedFile } from '../schemas.ts'
import { callerOf } from './caller.ts'

/** Our addition to the ten: a file by key, as long as its session is kept, so that a patient who signs out does not take it from the clinic. */
export function sessionFileRoute(scope: FastifyInstance, core: Core, objects: Objects | null): void {
  scope.withTypeProvider<TypeBoxTypeProvider>().get(
    '/session/:sessionId/files/:fileId',
    {
      config: { worksOnFiles: true },
      preValidation: idOr('session-not-found'),
      validatorCompiler: singleTexts,
      schema: {
        operationId: 'getSessionFile',
        summary: 'A file',
        description:
          'An addition to the documented interface: a file by key, as long as the session is kept. Its id is in the picture and in FHIR.',
        tags: ['Sessions'],
        params: Type.Object({ ...SessionParams.properties, fileId: Type.String({ maxLength: 100 }) }),
        response: {
          200: savedFile,
          ...refusals(401, 403, 404, 405),
        },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const { fileId } = request.params
      if (!UUID.test(fileId)) return fail('file-not-found')
      const [id, sessionId] = [fileId.toLowerCase(), idOf(request)]
      const kept = (await findKeptUpload(core.db, caller.accountId, sessionId, id)) ?? fail('file-not-found')
      // A file of a session that this key does not open is reported as unknown.
      const { accountId } = await readByKey(core, caller, sessionId, 'session.file.read', { file: id }).catch(
        (error) =>
          error instanceof Problem && error.code === 'session-not-found'
            ? fail('file-not-found')
            : Promise.reject(error),
      )
      const { bytes, name } = await keptBytes(core, objects, accountId, sessionId, kept)
      return sendFile(reply, kept.mime_type, name, bytes)
    },
  )
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
