import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3mini } from 's3mini'
import { type Objects, objectStore } from '../../src/store/objects.ts'
import { faultProxy, type Planting } from './fault-proxy.ts'
import { freePort } from './ports.ts'

/** Debian's own Python, which its packages are made for. */
const PYTHON = '/usr/bin/python3'
const SERVER = new URL('s3-server.py', import.meta.url).pathname
const REGION = 'us-east-1'
const BUCKETS = ['files', 'copies']

/** Whether OpenStack Swift (Debian's python3-swift) can run here; where it cannot, that is said. */
export function hasS3Server(): boolean {
  const isThere = spawnSync(PYTHON, [SERVER, '--check', tmpdir()]).status === 0
  if (!isThere)
    console.error('LEFT OUT: python3-swift is not installed, so an S3-compatible store (files, backups) is not tested.')
  return isThere
}

export type S3Server = {
  /** What a node needs in its environment. */
  environment: { S3_URL: string; S3_REGION: string; S3_ACCESS_KEY_ID: string; S3_SECRET_ACCESS_KEY: string }
  /** The store as the service uses it, with the right secret or another. */
  objects: (secret?: string) => Objects
  /** Everything in a bucket, straight from the server. */
  list: (bucket: string) => Promise<string[]>
  /** What is done to requests from now on. */
  plant: (planting: Planting) => void
  /** Ends the server at once, as a lost machine does. */
  kill: () => Promise<void>
  start: () => Promise<void>
  close: () => Promise<void>
}

/** A real S3-compatible server that checks signatures and keeps objects on the disk, with a proxy before it for faults. */
export async function startS3(): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), 'fyr-s3-'))
  const port = await freePort()
  const [accessKeyId, secretAccessKey] = ['fyr:files', `s3-secret-${crypto.randomUUID()}`]
  let server: ChildProcess
  const start = async () => {
    server = spawn(PYTHON, [SERVER, folder, String(port), accessKeyId, secretAccessKey])
    await new Promise<void>((done, failed) => {
      let said = ''
      server.stderr?.on('data', (chunk) => (said += chunk))
      server.stdout?.once('data', () => done())
      server.once('exit', (code) => failed(new Error(`The S3 server ended with ${code}: ${said}`)))
    })
  }
  const kill = async () => {
    const ended = new Promise((done) => server.once('exit', done))
    server.kill('SIGKILL')
    await ended
  }
  const proxy = await faultProxy(port)
  await start()
  const direct = (bucket: string) =>
    new S3mini({ endpoint: `http://127.0.0.1:${port}/${bucket}`, region: REGION, accessKeyId, secretAccessKey })
  for (const bucket of BUCKETS) await direct(bucket).createBucket()
  const endpoint = `${proxy.url}/files`
  return {
    environment: {
      S3_URL: endpoint,
      S3_REGION: REGION,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    objects: (secret = secretAccessKey) =>
      objectStore({ endpoint, region: REGION, accessKeyId, secretAccessKey: secret }),
    list: async (bucket) => ((await direct(bucket).listObjects()) ?? []).map(({ Key }) => Key),
    plant: proxy.plant,
    kill,
    start,
    close: async () => {
      await kill()
      await proxy.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
