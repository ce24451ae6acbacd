import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { objectStore } from '../../src/store/objects.ts'
import { spawnNode } from '../world/nodes.ts'
import { Patient } from '../world/patient.ts'
import { integrator } from '../world/stage.ts'
import { newWorld } from '../world/world.ts'

/** A real S3-compatible server, named like the service's own settings: TEST_S3_URL, TEST_S3_REGION, TEST_S3_ACCESS_KEY_ID, TEST_S3_SECRET_ACCESS_KEY. */
const {
  TEST_S3_URL = '',
  TEST_S3_REGION = 'us-east-1',
  TEST_S3_ACCESS_KEY_ID = '',
  TEST_S3_SECRET_ACCESS_KEY = '',
} = process.env

if (!TEST_S3_URL)
  console.log('Files in an object store are not tested here: TEST_S3_URL names no S3-compatible server.')

describe.runIf(TEST_S3_URL)('files in an S3-compatible store', () => {
  const environment = {
    S3_URL: TEST_S3_URL,
    S3_REGION: TEST_S3_REGION,
    S3_ACCESS_KEY_ID: TEST_S3_ACCESS_KEY_ID,
    S3_SECRET_ACCESS_KEY: TEST_S3_SECRET_ACCESS_KEY,
  }
  const objects = () =>
    objectStore({
      endpoint: TEST_S3_URL,
      region: TEST_S3_REGION,
      accessKeyId: TEST_S3_ACCESS_KEY_ID,
      secretAccessKey: TEST_S3_SECRET_ACCESS_KEY,
    })

  test('what is put can be got and removed; a wrong secret is refused', async () => {
    const key = `test/${randomUUID()}`
    await objects().put(key, Buffer.from('sealed'))
    expect((await objects().get(key))?.toString()).toBe('sealed')
    await objects().remove(key)
    expect(await objects().get(key)).toBeNull()
    const stranger = objectStore({
      endpoint: TEST_S3_URL,
      region: TEST_S3_REGION,
      accessKeyId: TEST_S3_ACCESS_KEY_ID,
      secretAccessKey: 'wrong',
    })
    await expect(stranger.put(key, Buffer.from('x'))).rejects.toThrow()
  })

  test('a file sent to one node is fetched from another, is sealed in the store, and is gone from it when removed', async () => {
    const world = await newWorld(environment)
    const node = await spawnNode({
      ...environment,
      DATABASE_URL: world.databaseUrl,
      MASTER_KEY: world.masterKey.toString('base64'),
      PUBLIC_URL: world.url.replace('127.0.0.1', 'localhost'),
    })
    try {
      const clinic = await world.clinic()
      const patient = new Patient(world.url)
      await patient.enterOpen(clinic.slug)
      const picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: 'red' } })
        .jpeg()
        .toBuffer()
      const id = randomUUID()
      await patient.call('POST', '/session/files', { id, name: 'x.jpg', size: picture.length })
      expect(
        (await patient.call('PATCH', `/session/files/${id}`, picture, { 'upload-offset': '0' })).body,
      ).toMatchObject({ ready: true })
      const stored = await objects().get(`${clinic.accountId}/${patient.now.sessionId}/${id}`)
      expect(stored?.subarray(0, 3)).not.toEqual(Buffer.from([0xff, 0xd8, 0xff]))
      const listed = Object.values(
        await integrator({ world, urls: [node.url] }, clinic).get(`/session/${patient.now.sessionId}/files`),
      ).find((one) => typeof one === 'object') as { downloadUrl: string }
      const address = new URL(listed.downloadUrl).pathname
      expect((await fetch(`${node.url}${address}`)).status).toBe(200)
      await patient.call('DELETE', `/session/files/${id}`)
      expect((await fetch(`${node.url}${address}`)).status).toBe(404)
      expect(await objects().get(`${clinic.accountId}/${patient.now.sessionId}/${id}`)).toBeNull()
    } finally {
      await node.stop()
      await world.close()
    }
  })
})
