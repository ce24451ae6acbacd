import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import { invalid } from '../../problems.ts'
import type { InterviewParts } from '../../session/interview/interview.ts'
import { readStatisticsOf } from '../../session/statistics/statistics.ts'
import { wishFor } from '../accept.ts'
import { knownTexts } from '../parameters.ts'
import { refusals } from '../schemas.ts'
import { callerOf } from './caller.ts'
import { csvOf } from './statistics-csv.ts'
import { readStatisticsRange } from './statistics-range.ts'

const FORMATS = ['json', 'csv'] as const

const text = (description: string) => Type.Optional(Type.String({ description }))

/** Our addition to the ten: figures of the configuration's sessions, none of them about a single patient. */
export function statisticsRoute(scope: FastifyInstance, parts: Pick<InterviewParts, 'core' | 'releases'>): void {
  scope.withTypeProvider<TypeBoxTypeProvider>().get(
    '/statistics',
    {
      config: { priority: 'counts' },
      schema: {
        operationId: 'getStatistics',
        summary: 'Statistics',
        description:
          'An addition to the documented interface: what became of the sessions created in a range of whole hours or days. Small groups are put together and small numbers withheld. As CSV by `Accept: text/csv` or `format=csv`.',
        tags: ['Sessions'],
        querystring: Type.Object({
          start: text('Created at or after: a whole hour, or by day a date or midnight where the account is'),
          end: text('Created before, in the same forms; default the end of the running hour or day'),
          by: text('hour (at most 31 days) or day (at most 366 days, the default)'),
          format: text('json or csv, instead of Accept'),
        }),
        response: {
          200: {
            description: 'The figures',
            content: {
              'application/json': { schema: { $ref: 'Statistics#' } },
              'text/csv': { schema: { type: 'string' } },
            },
          },
          ...refusals(400, 401, 403, 404, 405),
        },
      },
      validatorCompiler: knownTexts,
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const range = readStatisticsRange(request.query, caller.timeZone, new Date())
      const format = formatOf(request.query.format, request.headers.accept)
      const statistics = await readStatisticsOf(parts, caller, range)
      reply.header('vary', 'accept')
      if (format === 'json') return statistics
      return reply
        .header('content-type', 'text/csv; charset=utf-8; header=present')
        .header('content-disposition', 'attachment; filename="statistics.csv"')
        .send(csvOf(statistics))
    },
  )
}

function formatOf(given: string | undefined, accept = ''): (typeof FORMATS)[number] {
  if (given === undefined) return wishFor(accept, 'text/csv') > wishFor(accept, 'application/json') ? 'csv' : 'json'
  return FORMATS.find((one) => one === given) ?? invalid('/query/format', `must be one of ${FORMATS.join(', ')}`)
}
