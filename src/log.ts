import pino, { type DestinationStream, type Logger } from 'pino'
import type { Settings } from './settings.ts'

/** Structured logs. Lines are built from named, harmless parts; the redaction is a second fence, not the first. */
export function newLogger(settings: Pick<Settings, 'LOG_LEVEL'>, destination?: DestinationStream): Logger {
  return pino(
    {
      level: settings.LOG_LEVEL,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: [
          'req',
          'res',
          'headers',
          '*.headers',
          'err.message',
          'err.stack',
          'err.config',
          'body',
          '*.body',
          'url',
          'token',
          'key',
          'secret',
        ],
        remove: true,
      },
    },
    destination ?? pino.destination({ dest: 1, sync: false, minLength: 0 }),
  )
}
