import cluster from 'node:cluster'
import { tellFault } from './cli/print.ts'
import { whyNotListening } from './main/not-listening.ts'
import { processesFor } from './main/processes.ts'
import { readSettings } from './settings.ts'

/** Runs the service until it is told to stop: in this process alone, or in several that this one looks after. */
async function serve(environment: NodeJS.ProcessEnv): Promise<void> {
  const settings = readSettings(environment)
  // Only what this process does is loaded: a supervisor has no use for the app.
  if (cluster.isWorker) return (await import('./main/member.ts')).serveAsMember(settings)
  const processes = processesFor(settings)
  if (processes === 1) return (await import('./main/alone.ts')).serveAlone(settings, environment)
  return (await import('./main/supervisor.ts')).supervise(settings, environment, processes)
}

try {
  await serve(process.env)
} catch (error) {
  const why = whyNotListening(error, process.env)
  if (why !== null) {
    console.error(why)
    process.exit(1)
  }
  process.exit(tellFault(error, false))
}
