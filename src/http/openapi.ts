import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { DECISION_SUPPORT_COMPONENTS } from './decision-support/schemas.ts'
import { SHARED_COMPONENTS } from './schemas.ts'
import { TRIAGE_COMPONENTS } from './triage/schemas.ts'
import { V1_COMPONENTS } from './v1/schemas.ts'

/** Operations that take a body but do not need one; the generator would call every body required. */
const OPTIONAL_BODIES = new Set(['createSession'])

/** The OpenAPI document, generated from the schemas that the routes are validated with. */
export async function describeApi(app: FastifyInstance, publicUrl: string, version: string): Promise<void> {
  for (const component of [
    ...SHARED_COMPONENTS,
    ...V1_COMPONENTS,
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
    transformObject: (made) => ('openapiObject' in made ? withOptionalBodies(made.openapiObject) : made.swaggerObject),
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

function withOptionalBodies<T extends { paths?: object }>(document: T): T {
  const operations: { operationId?: string; requestBody?: { required?: boolean } }[] = Object.values(
    document.paths ?? {},
  ).flatMap((methods) => Object.values(methods))
  for (const { operationId = '', requestBody } of operations) {
    if (requestBody && OPTIONAL_BODIES.has(operationId)) requestBody.required = false
  }
  return document
}
