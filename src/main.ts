import cluster from 'node:cluster'
import { tellFault } from './cli/print.ts'
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

/** Why nothing can listen where the settings say; null for any other error. */
function whyNotListening(error: unknown): string | null {
  const { code, syscall } = error instanceof Error ? (error as NodeJS.ErrnoException) : {}
  const [port, host] = [process.env.PORT || 8080, process.env.HOST || '127.0.0.1']
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Set PORT to another one, or stop what uses it.`
  if (code === 'EADDRNOTAVAIL')
    return `${host} is no address of this machine. Set HOST to one that is, or to 0.0.0.0 for all.`
  if (code === 'EACCES' && (syscall === 'listen' || syscall === 'bind'))
    return `Port ${port} may not be used by this user. Set PORT to one from 1024 on.`
  return null
}

try {
  await serve(process.env)
} catch (error) {
  const why = whyNotListening(error)
  if (why !== null) {
    console.error(why)
    process.exit(1)
  }
  process.exit(tellFault(error, false))
}
