import { Counter, Histogram, type Registry } from 'prom-client'
import type { Happening, Recorder } from '../../events/record.ts'
import { ENTER_SESSION } from '../../store/users.ts'

const ENDINGS = ['session.finished', 'session.stopped', 'session.left']

/** Metrics of what users of this node do; they follow from what is recorded and read nothing. Tests are left out. */
export function measureSessions(registry: Registry, recorder: Recorder): void {
  const sessions = new Counter({
    name: 'fyr_sessions_total',
    help: 'Sessions that were created, entered for the first time (started) or ended (finished) on this node',
    labelNames: ['event'],
    registers: [registry],
  })
  const screens = new Histogram({
    name: 'fyr_session_screens',
    help: 'Answered screens of sessions that ended on this node, those answered again too',
    buckets: [5, 10, 15, 20, 30, 45, 60],
    registers: [registry],
  })
  recorder.onRecorded((happening) => {
    const { action, detail = {} } = happening
    if (detail.test === true) return
    if (action === 'session.created') sessions.inc({ event: 'created' })
    if (isFirstEntry(happening)) sessions.inc({ event: 'started' })
    if (!ENDINGS.includes(action)) return
    sessions.inc({ event: 'finished' })
    if (typeof detail?.answers === 'number') screens.observe(detail.answers)
  })
}

const isFirstEntry = ({ effects = [] }: Happening): boolean =>
  effects.some(({ statement, row }) => statement === ENTER_SESSION && row.again === false)
