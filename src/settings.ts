import { join } from 'node:path'
import {
  asIs,
  bucketAddress,
  databaseAddress,
  databaseServers,
  dnsServers,
  host,
  httpAddress,
  masterKey,
  networks,
  oneOf,
  ports,
  readableFile,
  webhookTargets,
  wholeNumber,
  yesOrNo,
} from './setting-values.ts'

/** One setting of the process: how it is read from the environment, its default, and what it means. A secret one is never shown. */
type Setting<T> = { fallback: string | null; means: string; read: (text: string) => T; isSecret?: true }

function describe<const T extends Record<string, Setting<unknown>>>(table: T): T {
  return table
}

/** Every setting of the process. `fyr settings` and docs/operations.md print this table. */
export const SETTINGS = describe({
  PORT: { fallback: '8080', means: 'Port of the service; 0 takes a free one.', read: wholeNumber(0, 65_535) },
  HOST: { fallback: '127.0.0.1', means: 'Address to listen on; 0.0.0.0 for all.', read: host },
  PUBLIC_URL: {
    fallback: null,
    means: 'The address users and integrators see. Absent: http://localhost:PORT.',
    read: httpAddress,
  },
  DATABASE_URL: {
    fallback: null,
    means:
      'A PostgreSQL 15 or newer; with standbys all its servers (host1:5432,host2:5432), of which the one that takes writes is used. Absent: an embedded PostgreSQL in DATA_DIR.',
    read: databaseAddress,
    isSecret: true,
  },
  DATA_DIR: { fallback: './data', means: 'Folder of the embedded database and its master key.', read: asIs },
  MASTER_KEY: {
    fallback: null,
    means:
      '32 bytes in base64 that seal everything at rest. Required with DATABASE_URL; else, when absent, made with the database and kept in DATA_DIR.',
    read: masterKey,
    isSecret: true,
  },
  MASTER_KEY_FILE: {
    fallback: null,
    means: 'Instead of MASTER_KEY: the file that holds it.',
    read: asIs,
    isSecret: true,
  },
  MASTER_KEY_COMMAND: {
    fallback: null,
    means:
      'Instead of MASTER_KEY: a command that prints it, such as that of a key management service; run by /bin/sh at each start of a node or command, for 20 seconds at most.',
    read: asIs,
    isSecret: true,
  },
  MASTER_KEY_PREVIOUS: {
    fallback: null,
    means: 'While the master key is being replaced: the one before, which still opens what it sealed.',
    read: masterKey,
    isSecret: true,
  },
  MASTER_KEY_PREVIOUS_FILE: {
    fallback: null,
    means: 'Instead of MASTER_KEY_PREVIOUS: the file that holds it.',
    read: asIs,
    isSecret: true,
  },
  MASTER_KEY_PREVIOUS_COMMAND: {
    fallback: null,
    means: 'Instead of MASTER_KEY_PREVIOUS: a command that prints it.',
    read: asIs,
    isSecret: true,
  },
  PROCESSES: {
    fallback: null,
    means:
      'Processes that share the port, each a node of its own. Absent: one for each core, as far as memory (1 GB each) and half of the database’s connections reach.',
    read: wholeNumber(1, 256),
  },
  METRICS_HOST: {
    fallback: '127.0.0.1',
    means:
      'Address that Prometheus metrics are served on, whatever HOST is: where your monitoring reaches it and patients do not.',
    read: host,
  },
  METRICS_PORT: {
    fallback: '9464',
    means: 'Port of Prometheus metrics; 0 takes a free one.',
    read: wholeNumber(0, 65_535),
  },
  LOG_LEVEL: {
    fallback: 'info',
    means: 'trace, debug (adds a line a request), info, warn, error, fatal or silent.',
    read: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    fallback: null,
    means:
      'Address of an OpenTelemetry receiver (OTLP over HTTP, such as http://collector:4318) that traces and metrics are sent to. Absent: none are.',
    read: httpAddress,
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    fallback: null,
    means: 'Headers for that receiver, name=value, comma separated: its access token.',
    read: asIs,
    isSecret: true,
  },
  TRUSTED_PROXIES: {
    fallback: '',
    means:
      'Addresses or CIDR ranges, comma separated, whose X-Forwarded-For is believed. Without it everyone behind a proxy shares one limit.',
    read: networks,
  },
  REQUESTS_PER_SECOND_PER_KEY: {
    fallback: '100',
    means: 'Interface requests a second for one key; 0 turns it off.',
    read: wholeNumber(0, 1_000_000),
  },
  REQUESTS_PER_SECOND_PER_USER: {
    fallback: '10',
    means: 'Triage requests a second for one user; 0 turns it off.',
    read: wholeNumber(0, 1_000_000),
  },
  LOOKS_PER_SECOND_PER_ADDRESS: {
    fallback: '20',
    means:
      'Looks at a configuration a second from one address, and as many requests of the emergency check; ten seconds’ worth may come at once. 0 turns it off.',
    read: wholeNumber(0, 100_000),
  },
  INVALID_KEYS_PER_MINUTE: {
    fallback: '20',
    means: 'Wrong keys, tokens or cookies a minute from one address; 0 turns it off.',
    read: wholeNumber(0, 1_000_000),
  },
  REQUESTS_IN_FLIGHT: {
    fallback: '1000',
    means: 'Requests worked on at once before more are answered 503; what can wait is refused before that.',
    read: wholeNumber(1, 1_000_000),
  },
  DATABASE_CONNECTIONS: {
    fallback: '10',
    means:
      'Connections for transactions, shared out among the processes, four each at least; fifteen more for each process are kept for short statements, lists and notifications.',
    read: wholeNumber(2, 1_000),
  },
  GRACE_SECONDS: {
    fallback: '5',
    means:
      'How long a node that was told to stop (SIGTERM) goes on serving while it says that it is not ready, so that proxies leave it first.',
    read: wholeNumber(0, 28),
  },
  DRAIN_SECONDS: {
    fallback: '20',
    means: 'How long after that it lets running requests finish; 28 together at most.',
    read: wholeNumber(0, 28),
  },
  WEBHOOK_PORTS: { fallback: '443', means: 'Ports that webhook addresses may use, comma separated.', read: ports },
  WEBHOOK_CONCURRENCY: {
    fallback: '10',
    means: 'Webhook deliveries this node sends to one receiver at once; 0: this node sends none.',
    read: wholeNumber(0, 1_000),
  },
  WEBHOOK_CA_FILE: {
    fallback: null,
    means: 'PEM file of certificate authorities that webhook receivers may use beside the public ones.',
    read: readableFile,
  },
  WEBHOOK_DNS_SERVERS: {
    fallback: '',
    means: 'DNS servers (address or address:port) that webhook hosts are looked up at. Absent: those of the system.',
    read: dnsServers,
  },
  WEBHOOK_ALLOWED_TARGETS: {
    fallback: '',
    means:
      'Private networks (CIDR), addresses and host names, comma separated, that webhooks may reach beside the public internet. Never loopback, link-local and metadata addresses, or the database.',
    read: webhookTargets,
  },
  WEBHOOK_ALLOW_LOOPBACK: {
    fallback: 'false',
    means: 'For development: true lets webhooks reach this machine itself, any port, and over http.',
    read: yesOrNo,
  },
  S3_URL: {
    fallback: null,
    means:
      'Address of a bucket in an S3-compatible store (https://host/bucket, or https://bucket.s3.region.host) for uploaded files. Absent: they are kept in the database.',
    read: bucketAddress,
  },
  S3_REGION: { fallback: 'auto', means: 'Region of that store.', read: asIs },
  S3_ACCESS_KEY_ID: { fallback: null, means: 'Key id for that store.', read: asIs },
  S3_SECRET_ACCESS_KEY: { fallback: null, means: 'Secret for that store.', read: asIs, isSecret: true },
  BACKUP_KEY: {
    fallback: null,
    means:
      '32 bytes in base64 that backups are encrypted with. Absent: the key in BACKUP_KEY_FILE. It is not the master key, and neither of them is in a backup.',
    read: masterKey,
    isSecret: true,
  },
  BACKUP_KEY_FILE: {
    fallback: null,
    means:
      'File with the backup key, made with the first backup. Absent: backup.key in DATA_DIR when embedded; with DATABASE_URL there is none.',
    read: asIs,
  },
  BACKUP_DIR: {
    fallback: null,
    means:
      'Folder for scheduled backups, and for `fyr backup create` without --to; it has to be there. Absent: backups in DATA_DIR when embedded; with DATABASE_URL none are made by themselves.',
    read: asIs,
  },
  BACKUP_EVERY_HOURS: {
    fallback: '24',
    means: 'How often the service makes a backup into that folder; 0: never.',
    read: wholeNumber(0, 8_760),
  },
  BACKUP_KEEP: {
    fallback: '7',
    means: 'How many scheduled backups are kept; older ones are deleted after a new one is whole.',
    read: wholeNumber(1, 10_000),
  },
  OPERATOR: {
    fallback: null,
    means:
      'Who gives `fyr` commands here, for the audit entries; `--as` says it for one command. Absent: the user of the machine.',
    read: asIs,
  },
  AUDIT_RETENTION_DAYS: {
    fallback: null,
    means:
      'How many days audit entries are kept, a year at least; those about a session that is kept stay as long as it. Absent: for ever.',
    read: wholeNumber(365, 36_500),
  },
  AUDIT_CHECKPOINTS: {
    fallback: null,
    means:
      'File that signed audit checkpoints are appended to. Absent: audit-checkpoints.jsonl in DATA_DIR when embedded, else the log alone.',
    read: asIs,
  },
})

const isSecret = (name: string): boolean =>
  Object.entries(SETTINGS).some(([own, setting]) => own === name && 'isSecret' in setting)

/** A setting as it may be shown. */
export const shownSetting = (name: string, text: string): string => (isSecret(name) ? '(hidden)' : text)

/** Anything shorter would occur in every other sentence, and is no secret. */
const SHORTEST_SECRET = 4

/** Text written by others, such as an error message, without the environment's secrets. */
export function withoutSecrets(text: string, environment: Record<string, string | undefined>): string {
  const secrets = Object.keys(SETTINGS)
    .filter(isSecret)
    .flatMap((name) => [environment[name] ?? '', ...passwordsIn(environment[name] ?? '')])
    .filter((secret) => secret.length >= SHORTEST_SECRET)
  return secrets.reduce((plain, secret) => plain.replaceAll(secret, '(hidden)'), text)
}

/** The password in an address, as written and as decoded. */
function passwordsIn(text: string): string[] {
  const [address = ''] = databaseServers(text)
  const { password } = URL.canParse(address) ? new URL(address) : { password: '' }
  return [password, decodeURIComponent(password.replace(/%(?![0-9a-f]{2})/gi, '%25'))]
}
/** A node exits 30 seconds after it was told to stop; two are for what comes after the last request. */
const LONGEST_STOP_SECONDS = 28

type Values = { [Name in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[Name]['read']> }
type MasterKeySetting =
  | 'MASTER_KEY'
  | 'MASTER_KEY_FILE'
  | 'MASTER_KEY_COMMAND'
  | 'MASTER_KEY_PREVIOUS'
  | 'MASTER_KEY_PREVIOUS_FILE'
  | 'MASTER_KEY_PREVIOUS_COMMAND'
type Optional =
  | 'PUBLIC_URL'
  | 'PROCESSES'
  | 'OTEL_EXPORTER_OTLP_ENDPOINT'
  | 'OTEL_EXPORTER_OTLP_HEADERS'
  | 'DATABASE_URL'
  | MasterKeySetting
  | 'WEBHOOK_CA_FILE'
  | 'OPERATOR'
  | 'AUDIT_RETENTION_DAYS'
  | 'AUDIT_CHECKPOINTS'
  | 'BACKUP_KEY'
  | 'BACKUP_KEY_FILE'
  | 'BACKUP_DIR'
  | 'S3_URL'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'

/** The settings as read: null when absent and without a default. */
export type Settings = Readonly<{ [Name in keyof Values]: Name extends Optional ? Values[Name] | null : Values[Name] }>

/** Where checkpoints are appended: the named file, else one beside the embedded database, else none. */
export function checkpointFileOf(
  settings: Pick<Settings, 'AUDIT_CHECKPOINTS' | 'DATABASE_URL' | 'DATA_DIR'>,
): string | null {
  if (settings.AUDIT_CHECKPOINTS) return settings.AUDIT_CHECKPOINTS
  return settings.DATABASE_URL ? null : join(settings.DATA_DIR, 'audit-checkpoints.jsonl')
}

/** Where backups are made by themselves: the named folder, else one beside the embedded database, else nowhere. */
export function backupFolderOf(settings: Pick<Settings, 'BACKUP_DIR' | 'DATABASE_URL' | 'DATA_DIR'>): string | null {
  if (settings.BACKUP_DIR) return settings.BACKUP_DIR
  return settings.DATABASE_URL ? null : join(settings.DATA_DIR, 'backups')
}

export class BadSettings extends Error {}

/** Reads the environment once. Throws with every fault together, so that all can be fixed in one go. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const text = environment[name] || setting.fallback
    try {
      values[name] = text === null ? null : setting.read(text)
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : 'cannot be read'}`)
    }
  }
  faults.push(
    ...masterKeyFaults(
      values,
      faults.some((fault) => fault.startsWith('MASTER_KEY')),
    ),
  )
  if (values.S3_URL && !(values.S3_ACCESS_KEY_ID && values.S3_SECRET_ACCESS_KEY))
    faults.push('S3_URL is set without S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY: files would not go there')
  if (Number(values.GRACE_SECONDS) + Number(values.DRAIN_SECONDS) > LONGEST_STOP_SECONDS) {
    faults.push(`GRACE_SECONDS and DRAIN_SECONDS are more than ${LONGEST_STOP_SECONDS} together`)
  }
  if (faults.length > 0) throw new BadSettings(faults.join('\n'))
  return Object.freeze(values) as Settings
}

/** A master key is given one way: two could differ, and nobody would know which one counts. */
function masterKeyFaults(values: Record<string, unknown>, isFaulty: boolean): string[] {
  const given = (name: string) => [name, `${name}_FILE`, `${name}_COMMAND`].filter((way) => values[way])
  const faults = ['MASTER_KEY', 'MASTER_KEY_PREVIOUS']
    .map(given)
    .filter((ways) => ways.length > 1)
    .map((ways) => `${ways.join(' and ')} are set together: give the key in one of them`)
  const isMissing = values.DATABASE_URL && given('MASTER_KEY').length === 0 && !isFaulty
  if (isMissing)
    faults.push(
      'MASTER_KEY is required with DATABASE_URL, or MASTER_KEY_FILE or MASTER_KEY_COMMAND (make one with: openssl rand -base64 32)',
    )
  return faults
}
