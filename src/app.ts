import type { Server } from 'node:http'
import fastifyCookie from '@fastify/cookie'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { Callers } from './account/callers.ts'
import { startHolding } from './account/sealing/holding.ts'
import type { Language } from './engine/content.ts'
import { completionEffect } from './events/completion.ts'
import { type Core, coreOf } from './events/core.ts'
import type { Telemetry } from './events/telemetry/otlp.ts'
import { embedRoutes } from './http/decision-support/embed.ts'
import { visitHandoffRoutes } from './http/decision-support/handoff.ts'
import { decisionSupportRoutes } from './http/decision-support/routes.ts'
import { fileAddress, fileRoute } from './http/files.ts'
import { healthRoutes } from './http/health.ts'
import { prioritise } from './http/load-shedding.ts'
import { Metrics, portOf, serveMetrics } from './http/metrics.ts'
import { describeApi } from './http/openapi/describe.ts'
import { clinicianPage } from './http/pages/clinician-page.ts'
import { docsPage } from './http/pages/docs/docs-page.ts'
import { emergencyNumberOf } from './http/pages/emergency-number.ts'
import { patientPages } from './http/pages/patient-page.ts'
import { peoplePages } from './http/pages/people-pages.ts'
import { problemPages } from './http/pages/problem-pages.ts'
import { RateLimit } from './http/rate-limits.ts'
import { newServer } from './http/server.ts'
import { terminologyRoutes } from './http/terminology.ts'
import { doorRoutes } from './http/triage/door.ts'
import { triageFileRoutes } from './http/triage/files.ts'
import { triageRoutes } from './http/triage/routes.ts'
import { accessRoutes } from './http/v1/access.ts'
import { requireKey } from './http/v1/caller.ts'
import { contactRoute } from './http/v1/contact.ts'
import { eraseRoute } from './http/v1/erase.ts'
import { exportRoute } from './http/v1/export.ts'
import { handoffRoutes } from './http/v1/handoff.ts'
import { judgementsRoute } from './http/v1/judgements.ts'
import { listingRoute } from './http/v1/listing.ts'
import { sessionFileRoute } from './http/v1/session-file.ts'
import { sessionRoutes } from './http/v1/sessions.ts'
import { statisticsRoute } from './http/v1/statistics.ts'
import { BackupMeasures, lookAtFolder, makeDueBackup } from './session/backups/schedule.ts'
import type { Completion } from './session/end.ts'
import { handoffOf } from './session/handoff/handoff.ts'
import { summaryOf } from './session/handoff/summary.ts'
import { SessionCache } from './session/interview/session-cache.ts'
import type { Session } from './session/open.ts'
import { Releases } from './session/releases.ts'
import { measureSessions } from './session/statistics/measures.ts'
import { startHeartbeat } from './session/upkeep/heartbeat.ts'
import { endLeftSessions } from './session/upkeep/left.ts'
import { LeftMeasures } from './session/upkeep/left-measures.ts'
import { startUpkeep } from './session/upkeep/upkeep.ts'
import { handedFiles } from './session/uploads/handed.ts'
import { receivingOf } from './session/uploads/receiving.ts'
import { checkpointFileOf, type Settings } from './settings.ts'
import type { Database } from './store/database/db.ts'
import { objectsOf } from './store/objects.ts'
import type { Keyring } from './store/sealing/keyring.ts'
import { VERSION } from './version.ts'

/** The backlog of waiting connections. A refused client retries only seconds later, so there is room for a rush. */
const WAITING_CONNECTIONS = 4_096

export type App = {
  http: FastifyInstance
  core: Core
  metrics: Metrics
  /** Starts listening and returns the address; metrics listen on their own port, unless they are collected elsewhere. */
  listen: (options?: { withMetrics: boolean }) => Promise<{ url: string; metricsPort: number }>
  /** Ends sessions left with an alarm; the service itself does so once a minute. */
  endLeft: () => Promise<number>
  /** Not ready from now on. Requests are still answered, and each connection is closed after its answer. */
  retire: () => void
  /** Not ready at once; finishes running requests, then closes everything. */
  close: () => Promise<void>
}

/** Joins the parts: the one place where they meet. What concerns the whole service is done and said by its first process. */
export async function buildApp(
  settings: Settings,
  db: Database,
  keyring: Keyring,
  logger: Logger,
  droppedLogLines?: () => number,
  isFirst = true,
): Promise<App> {
  const core = coreOf(db, keyring)
  const callers = new Callers(core)
  await callers.follow()
  const releases = await Releases.open(core, logger, isFirst)
  const cache = new SessionCache()
  await cache.follow(db)
  const interviews = { core, releases, cache }
  const metrics = new Metrics(droppedLogLines)
  measureSessions(metrics.registry, core.recorder)
  const objects = objectsOf(settings)
  const publicUrl = settings.PUBLIC_URL ?? `http://localhost:${settings.PORT}`
  const telemetry = await telemetryOf(settings, metrics)
  const http = newServer(settings, publicUrl, logger, metrics, telemetry?.tell)
  let stopping = false

  http.addHook('onRequest', (_request, reply, done) => {
    if (stopping) reply.header('connection', 'close')
    done()
  })
  await http.register(fastifyCookie)
  await describeApi(http, publicUrl, VERSION)
  healthRoutes(http, db, () => stopping)
  docsPage(http, publicUrl)
  const emergencyNumber = emergencyNumberOf(db)
  peoplePages(http, publicUrl, emergencyNumber)
  problemPages(http, publicUrl, emergencyNumber)
  fileRoute(http, core, objects)
  await patientPages(http, core, releases, publicUrl, emergencyNumber)
  clinicianPage(http, core)
  embedRoutes(http, publicUrl)
  const door = {
    callers,
    metrics,
    perKey: new RateLimit(settings.REQUESTS_PER_SECOND_PER_KEY, 1_000),
    invalidPerAddress: new RateLimit(settings.INVALID_KEYS_PER_MINUTE, 60_000),
  }
  const summary = async (session: Session, language: Language) =>
    summaryOf(await handoffOf(interviews, session, language))
  const front = { publicUrl, contentVersion: releases.versionFor, isSign: releases.isSign }
  await http.register(
    async (scope) => {
      requireKey(scope, door)
      scope.setNotFoundHandler((request) => http.refuseUnknownPath(request))
      sessionRoutes(scope, core, front, {
        managerScriptUrl: `${publicUrl}/embed/v1/decision-support.js`,
        files: async (session, keyId) =>
          (await handedFiles(core, session)).map(({ id, mimeType }) => {
            const place = { accountId: session.accountId, sessionId: session.row.id, keyId }
            return { mimeType, downloadUrl: fileAddress(core, publicUrl, place, id) }
          }),
        summary,
      })
      listingRoute(scope, core)
      statisticsRoute(scope, interviews)
      handoffRoutes(scope, { ...interviews, objects, publicUrl })
      judgementsRoute(scope, core)
      contactRoute(scope, core)
      sessionFileRoute(scope, core, objects)
      exportRoute(scope, interviews)
      eraseRoute(scope, core, objects)
      accessRoutes(scope, core)
    },
    { prefix: '/api/v1' },
  )
  const completion: Completion = ({ row }) => [completionEffect(row.configuration_id, row.id)]
  const context = {
    ...interviews,
    publicUrl,
    perUser: new RateLimit(settings.REQUESTS_PER_SECOND_PER_USER, 1_000),
    looks: new RateLimit(settings.LOOKS_PER_SECOND_PER_ADDRESS * 10, 10_000),
    emergencyChecks: new RateLimit(settings.LOOKS_PER_SECOND_PER_ADDRESS * 10, 10_000),
    invalidPerAddress: door.invalidPerAddress,
  }
  const ofCodes = new RateLimit(settings.LOOKS_PER_SECOND_PER_ADDRESS * 10, 10_000) // apart from patients behind the same address
  terminologyRoutes(http, { ...interviews, looks: ofCodes })
  await http.register(
    async (scope) => {
      doorRoutes(scope, context)
      prioritise(scope, 'answers')
      triageRoutes(scope, context, completion)
      triageFileRoutes(scope, context, receivingOf(core, objects, metrics.registry, settings.PROCESSES ?? 1))
    },
    { prefix: '/api/triage/v1' },
  )
  const perVisit = new RateLimit(settings.REQUESTS_PER_SECOND_PER_USER, 1_000)
  const visits = { core, publicUrl, perVisit, invalidPerAddress: door.invalidPerAddress }
  await http.register(
    async (scope) => {
      decisionSupportRoutes(scope, visits, { ...interviews, objects, summary })
      visitHandoffRoutes(scope, visits, { ...interviews, objects })
    },
    { prefix: '/api/decision-support/v1' },
  )
  await http.ready()
  const measures = new LeftMeasures(metrics.registry, db)
  const endLeft = () => endLeftSessions({ ...interviews, completion, measures, logger })
  const backups = { core, settings, logger, measures: new BackupMeasures(metrics.registry, db) }
  if (isFirst) void lookAtFolder(backups) // a file system that does not answer keeps nobody waiting
  const upkeep = startUpkeep(core, logger, {
    checkpointFile: checkpointFileOf(settings),
    objects,
    endLeft,
    forgetOld: () => cache.forgetOld(),
    backUp: (stopping) => makeDueBackup({ ...backups, stopping }),
    auditRetentionDays: settings.AUDIT_RETENTION_DAYS,
  })
  let deliverer: { stop: () => Promise<void> } | null = null
  let metricsListener: Server | null = null
  let holding: { stop: () => Promise<void> } | null = null
  let heartbeat: { stop: () => Promise<void> } | null = null

  return {
    http,
    core,
    metrics,
    endLeft,
    listen: async ({ withMetrics } = { withMetrics: true }) => {
      holding = await startHolding(core, logger, () => {
        stopping = true // it can open nothing any more: not ready, and nothing is taken to be sent
        void deliverer?.stop()
      })
      await http.listen({ port: settings.PORT, host: settings.HOST, backlog: WAITING_CONNECTIONS })
      if (withMetrics) metricsListener = await serveMetrics(async () => metrics.registry, settings, logger)
      heartbeat = startHeartbeat(db)
      // Patients first: the webhook sender is loaded once the service listens.
      const { startDeliverer } = await import('./events/delivery/deliverer.ts')
      deliverer = await startDeliverer(core, settings, logger, {
        registry: metrics.registry,
        ...(telemetry && { tell: telemetry.tell }),
      })
      return { url: `http://${settings.HOST}:${portOf(http.server)}`, metricsPort: portOf(metricsListener) }
    },
    retire: () => {
      stopping = true
    },
    close: async () => {
      stopping = true
      // An idle connection would otherwise stay open for a next request, which must not come here.
      const sweep = setInterval(() => http.server.closeIdleConnections(), 100)
      const cut = setTimeout(() => http.server.closeAllConnections(), settings.DRAIN_SECONDS * 1_000)
      await Promise.all([http.close(), deliverer?.stop()])
      clearInterval(sweep)
      clearTimeout(cut)
      metricsListener?.close()
      await Promise.all([upkeep.stop(), holding?.stop(), heartbeat?.stop(), telemetry?.stop()])
      await db.close()
    },
  }
}

/** Loaded only where traces and metrics are sent somewhere, so that a start without them costs nothing. */
async function telemetryOf(settings: Settings, { registry }: Metrics): Promise<Telemetry | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = settings
  return endpoint ? (await import('./events/telemetry/otlp.ts')).startTelemetry(endpoint, registry) : null
}
