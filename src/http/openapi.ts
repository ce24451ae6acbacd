import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { COMPONENTS } from './api.ts'
import { TRIAGE_COMPONENTS } from './triage-schemas.ts'

/** The OpenAPI document, made from the schemas that the routes themselves are checked by. */
export async function describeApi(app: FastifyInstance, publicUrl: string, version: string): Promise<void> {
  for (const component of [...COMPONENTS, ...TRIAGE_COMPONENTS]) app.addSchema(component)
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
      tags: [{ name: 'Sessions' }, { name: 'Access control' }, { name: 'Triage' }],
      components: {
        securitySchemes: {
          key: { type: 'apiKey', in: 'header', name: 'X-Service-API-Key' },
          userCookie: { type: 'apiKey', in: 'cookie', name: '__Host-fyr-user' },
          sessionSecret: {
            type: 'http',
            scheme: 'bearer',
            description: 'The secret of a session that a headless client entered',
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) =>
        typeof json.$id === 'string' ? json.$id : `def-${index}`,
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: true,
    transformStaticCSP: (policy) =>
      publicUrl.startsWith('https:') ? policy : policy.replace(/upgrade-insecure-requests;?/, ''),
  })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}
