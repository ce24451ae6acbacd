// A node that can be told to end a session: the real recorder and deliverer, started to be killed.
import { Registry } from 'prom-client'
import { coreOf } from '../../src/events/core.ts'
import { startDeliverer } from '../../src/events/delivery/deliverer.ts'
import { newLogger } from '../../src/log.ts'
import { readSettings } from '../../src/settings.ts'
import { openPostgres } from '../../src/store/database/postgres.ts'
import { endSession } from './ending.ts'

const settings = readSettings(process.env)
if (!settings.DATABASE_URL || !settings.MASTER_KEY) throw new Error('The victim needs its database.')
const core = coreOf(await openPostgres(settings.DATABASE_URL, 2), settings.MASTER_KEY)
await startDeliverer(core, settings, newLogger({ LOG_LEVEL: 'silent' }), { registry: new Registry() })

process.on('message', (message: { accountId: string; configurationId: string; sessionId: string }) => {
  void endSession(core, message, message.sessionId).then(() => process.send?.('ended'))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')
