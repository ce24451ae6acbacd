import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { load, loadAll } from 'js-yaml'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SETTINGS } from '../../src/settings.ts'
import { VERSION } from '../../src/version.ts'
import { send } from '../world/call.ts'
import { newWorld, type World } from '../world/world.ts'

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const manifest = JSON.parse(read('package.json')) as { engines: { node: string }; files: string[] }
const NODE_MAJOR = /\d+/.exec(manifest.engines.node)?.[0]
const PORTS = { http: Number(SETTINGS.PORT.fallback), metrics: Number(SETTINGS.METRICS_PORT.fallback) }
/** A process that was told to stop has ended by then; whoever kills it must wait longer. */
const ENDED_WITHIN_SECONDS = 30

type Settings = Record<string, string>

/** Names that are settings, with values that they take. */
function expectSettings(given: Settings): void {
  expect(Object.keys(given).filter((name) => !(name in SETTINGS))).toEqual([])
  for (const [name, value] of Object.entries(given)) {
    const setting = Object.entries(SETTINGS).find(([own]) => own === name)?.[1]
    if (!value.includes('$')) expect(() => setting?.read(value), `${name}=${value}`).not.toThrow()
  }
  const secondsOf = (name: 'GRACE_SECONDS' | 'DRAIN_SECONDS') => Number(given[name] ?? SETTINGS[name].fallback)
  expect(secondsOf('GRACE_SECONDS') + secondsOf('DRAIN_SECONDS')).toBeLessThanOrEqual(28)
}

describe('the container file', () => {
  const text = read('deploy/Containerfile')
  const lines = text.replace(/\\\n\s*/g, ' ').split('\n')
  const [building = '', running = ''] = text.split(/^FROM /m).slice(1)

  test('takes the Node.js of package.json, and runs as an ordinary user', () => {
    expect(text).toMatch(new RegExp(`^ARG NODE_IMAGE=\\S*node:${NODE_MAJOR}-`, 'm'))
    expect(running).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m)
    expect(running).toContain('STOPSIGNAL SIGTERM')
  })

  test('copies files that exist into the build, and into the image what is published, no more and no less', () => {
    const sources = [...building.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '))
    expect(sources.filter((path) => !existsSync(path))).toEqual([])
    const ignore = read('.containerignore').split('\n')
    const isLetIn = (path: string) =>
      ignore.includes(`!${path}`) || ignore.some((one) => one.startsWith('!') && path.startsWith(`${one.slice(1)}/`))
    expect(sources.filter((path) => !isLetIn(path))).toEqual([])
    const taken = [...running.matchAll(/^COPY --from=build \/build\/(\S+) (\S+)$/gm)].map(([, from, to]) => [from, to])
    expect(taken.filter(([from, to]) => from !== to)).toEqual([])
    const published = manifest.files.filter((name) => !name.startsWith('!'))
    expect(taken.map(([from]) => from).sort()).toEqual([...published, 'node_modules', 'package.json'].sort())
  })

  test('names settings that exist, the ports of the service, and a health check that asks /healthz', () => {
    const given = lines.filter((line) => line.startsWith('ENV ')).flatMap((line) => line.slice(4).split(' '))
    const settings = Object.fromEntries(given.map((pair) => pair.split('=') as [string, string]))
    expectSettings(settings)
    expect(settings).toMatchObject({ PORT: String(PORTS.http), METRICS_PORT: String(PORTS.metrics) })
    expect(running).toContain(`EXPOSE ${PORTS.http} ${PORTS.metrics}`)
    expect(running).toMatch(/HEALTHCHECK[\s\S]*\/healthz/)
    expect(existsSync('bin/fyr.mjs')).toBe(true)
    expect(running).toContain('ENTRYPOINT ["node", "bin/fyr.mjs"]')
  })
})

describe('the compose file', () => {
  type Service = {
    environment: Settings
    stop_grace_period?: string
    build?: { context: string; dockerfile: string }
    read_only?: boolean
    networks: string[]
    volumes?: string[]
  }
  type Compose = {
    services: Record<'fyr' | 'database' | 'proxy', Service>
    networks: { outside: { ipam: { config: { subnet: string }[] } } }
  }
  const { services, networks } = load(read('deploy/compose/compose.yaml')) as Compose

  test('names settings that exist, waits for the drain, and trusts the proxy’s network', () => {
    expectSettings(services.fyr.environment)
    expect(Number.parseInt(services.fyr.stop_grace_period ?? '', 10)).toBeGreaterThan(ENDED_WITHIN_SECONDS)
    expect(services.fyr.environment.TRUSTED_PROXIES).toBe(networks.outside.ipam.config[0]?.subnet)
    expect(services.fyr.read_only).toBe(true)
    expect(services.database.networks).toEqual(['inside'])
    const { context = '', dockerfile = '' } = services.fyr.build ?? {}
    expect([context, existsSync(dockerfile)]).toEqual(['../..', true])
  })

  test('its proxy asks /readyz more often than the grace lasts, at the service’s port', () => {
    const caddy = read('deploy/compose/Caddyfile')
    expect(services.proxy.volumes?.[0]).toMatch(/^\.\/Caddyfile:/)
    expect(caddy).toContain(`reverse_proxy fyr:${PORTS.http}`)
    expect(caddy).toContain('health_uri /readyz')
    const everySeconds = Number(/health_interval (\d+)s/.exec(caddy)?.[1])
    expect(everySeconds * 2).toBeLessThanOrEqual(Number(services.fyr.environment.GRACE_SECONDS))
  })
})

describe('the Kubernetes manifests', () => {
  type Probe = {
    httpGet: { path: string; port: string }
    timeoutSeconds?: number
    periodSeconds: number
    failureThreshold: number
  }
  type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { key: string } } }
  type Container = {
    image: string
    ports: { name: string; containerPort: number }[]
    env: Variable[]
    startupProbe: Probe
    readinessProbe: Probe
    livenessProbe: Probe
    securityContext: object
  }
  type Manifest = {
    kind: string
    spec: {
      replicas: number
      minAvailable: number
      template: { spec: { terminationGracePeriodSeconds: number; securityContext: object; containers: Container[] } }
    }
  }
  const objects = loadAll(read('deploy/kubernetes/fyr.yaml')) as Manifest[]
  const ofKind = (kind: string): Manifest => objects.find((one) => one.kind === kind) ?? expect.fail(`no ${kind}`)
  const { spec } = ofKind('Deployment')
  const pod = spec.template.spec
  const container = pod.containers[0] ?? expect.fail('no container')

  test('name settings that exist; what is secret comes from a secret', () => {
    const plain = container.env.filter(({ value }) => value !== undefined)
    expectSettings(Object.fromEntries(plain.map(({ name, value = '' }) => [name, value])))
    const isSecret = ({ name }: Variable) =>
      Object.entries(SETTINGS).some(([own, one]) => own === name && 'isSecret' in one)
    expect(plain.filter(isSecret)).toEqual([])
    for (const { name, valueFrom } of container.env.filter(isSecret)) expect(valueFrom?.secretKeyRef.key).toBe(name)
    expect(container.image).toMatch(new RegExp(`:${VERSION}$`))
  })

  test('have the ports and probes of the service, and wait for its drain', () => {
    expect(Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]))).toEqual(PORTS)
    expect(container.startupProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(container.livenessProbe.httpGet).toEqual({ path: '/healthz', port: 'http' })
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
    expect(container.readinessProbe.timeoutSeconds).toBeGreaterThan(2) // /readyz itself takes up to two
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(ENDED_WITHIN_SECONDS)
    const { periodSeconds, failureThreshold } = container.readinessProbe
    const grace = Number(container.env.find(({ name }) => name === 'GRACE_SECONDS')?.value)
    expect(periodSeconds * failureThreshold).toBeLessThan(grace)
  })

  test('let nothing run as root or write its root, and keep enough pods', () => {
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true })
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
    expect(ofKind('PodDisruptionBudget').spec.minAvailable).toBeLessThan(spec.replicas)
    expect(ofKind('Service')).toBeDefined()
  })
})

describe('the systemd unit', () => {
  const unit = read('deploy/systemd/fyr.service')
  const entryOf = (name: string): string => new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1] ?? ''

  test('names settings that exist, tells the supervisor alone, and waits for the drain', () => {
    const given = [...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value])
    expectSettings(Object.fromEntries(given))
    expect(entryOf('KillMode')).toBe('mixed')
    expect(Number(entryOf('TimeoutStopSec'))).toBeGreaterThan(ENDED_WITHIN_SECONDS)
    expect(entryOf('ExecStart')).toMatch(/bin\/fyr\.mjs serve$/)
  })

  test.skipIf(!has('systemd-analyze'))('is one that systemd reads, and lets little be done', () => {
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', 'deploy/systemd/fyr.service'], {
      encoding: 'utf8',
    })
    expect(Number(/exposure level for fyr\.service: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2)
  })
})

describe('alert rules and dashboard', () => {
  let world: World
  let metrics: string
  beforeAll(async () => {
    world = await newWorld()
    const { key } = await world.clinic()
    await send(`${world.url}/api/v1/session`, 'POST', { key })
    metrics = await (await fetch(world.metricsUrl)).text()
  })
  afterAll(() => world.close())

  const rules = load(read('deploy/prometheus/alerts.yml')) as {
    groups: { rules: { alert: string; expr: string; annotations: { do: string } }[] }[]
  }
  const dashboard = JSON.parse(read('deploy/grafana/fyr.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const expressions = [
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ]
  /** Those of the supervisor of several processes, which test/trust/processes.test.ts reads. */
  const OF_SUPERVISOR = ['fyr_processes', 'fyr_processes_wanted', 'fyr_process_restarts_total']

  test('name only metrics that a running service has', () => {
    const known = new Set(metrics.match(/^fyr_\w+/gm))
    for (const [, name, type] of metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm))
      if (type === 'histogram') for (const part of ['bucket', 'sum', 'count']) known.add(`${name}_${part}`)
      else known.add(name ?? '')
    const named = expressions.flatMap((expression) => expression.match(/\bfyr_\w+/g) ?? [])
    expect(named.length).toBeGreaterThan(30)
    expect([...new Set(named)].filter((name) => !known.has(name) && !OF_SUPERVISOR.includes(name))).toEqual([])
  })

  test('name only labels that exist, and routes that are served', () => {
    const labels = new Set([...metrics.matchAll(/[{,](\w+)="/g)].map(([, label]) => label))
    const known = [...labels, 'instance', 'job', 'process', 'reason', 'outcome', 'event', 'le']
    for (const expression of expressions) {
      const inBraces = [...expression.matchAll(/[{,](\w+)(?:=|!=|=~)"/g)].map(([, label]) => label)
      const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
      for (const label of [...inBraces, ...grouped]) expect(known, expression).toContain(label)
    }
  })

  test('every alert says what to do', () => {
    for (const group of rules.groups)
      for (const rule of group.rules) expect(rule.annotations.do, rule.alert).toBeTruthy()
  })

  test.skipIf(!has('promtool'))('Prometheus itself reads the rules', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'rules', 'deploy/prometheus/alerts.yml'], {
      encoding: 'utf8',
    })
    expect({ status, told: stdout + stderr }).toMatchObject({ status: 0 })
  })
})

/** Whether a tool of the system is there; a check that needs it is told to be left out. */
function has(tool: string): boolean {
  const isThere = spawnSync(tool, ['--version']).error === undefined
  if (!isThere) console.warn(`${tool} is not installed: what it checks of deploy/ is NOT checked here.`)
  return isThere
}
