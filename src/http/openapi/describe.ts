import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { DECISION_SUPPORT_COMPONENTS } from '../decision-support/schemas.ts'
import { SHARED_COMPONENTS } from '../schemas.ts'
import { TRIAGE_COMPONENTS } from '../triage/schemas.ts'
import { EXPORT_COMPONENTS } from '../v1/export.ts'
import { V1_COMPONENTS } from '../v1/schemas.ts'
import { complete } from './complete.ts'
import type { ApiDocument } from './document.ts'

/** The OpenAPI document, generated from the schemas that the routes are validated with. */
export async function describeApi(app: FastifyInstance, publicUrl: string, version: string): Promise<void> {
  for (const component of [
    ...SHARED_COMPONENTS,
    ...V1_COMPONENTS,
    ...EXPORT_COMPONENTS,
    ...TRIAGE_COMPONENTS,
    ...DECISION_SUPPORT_COMPONENTS,
  ])
    app.addSchema(component)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Fyr',
        version,
        description:
          'Medical triage sessions: create them, read what they came to, open and close the service for incoming users.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      security: [{ key: [] }],
      tags: [
        { name: 'Sessions', description: 'Create sessions and read what they came to.' },
        { name: 'Access control', description: 'Open and close the service for incoming users, and count sessions.' },
        { name: 'Triage', description: 'What the triage UI, or a headless client, does for one user.' },
        { name: 'Decision support', description: 'What a clinician’s page does during a visit to one session.' },
        { name: 'Webhooks', description: 'What Fyr sends to your own system.' },
      ],
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'X-Service-API-Key' },
          userCookie: { type: 'apiKey', in: 'cookie', name: '__Host-fyr-user' },
          sessionSecret: {
            type: 'http',
            scheme: 'bearer',
            description: 'The secret that a headless client got on entering',
          },
          visitCookie: { type: 'apiKey', in: 'cookie', name: '__Host-fyr-visit-{visitId}' },
          visitSecret: {
            type: 'http',
            scheme: 'bearer',
            description: 'The secret of a visit, where cookies are not kept',
          },
        },
      },
    },
    transformObject: (made) => {
      if (!('openapiObject' in made)) return made.swaggerObject
      const document: object = made.openapiObject
      complete(document as ApiDocument)
      return made.openapiObject
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `def-${index}`,
    },
  })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
