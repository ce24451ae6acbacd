type Failure = Partial<NodeJS.ErrnoException> & { hostname?: string }

/** Why nothing can listen where the settings say; null for any other error, such as one on the way to the database. */
export function whyNotListening(error: unknown, environment: NodeJS.ProcessEnv): string | null {
  const { code, syscall = '', hostname }: Failure = error instanceof Error ? (error as Failure) : {}
  const [port, host] = [environment.PORT || 8080, environment.HOST || '127.0.0.1']
  const noAddress = `${host} is no address of this machine. Set HOST to one that is, or to 0.0.0.0 for all.`
  if (syscall === 'getaddrinfo') return hostname === host ? noAddress : null
  if (!['listen', 'bind'].includes(syscall)) return null
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Set PORT to another one, or stop what uses it.`
  if (code === 'EADDRNOTAVAIL') return noAddress
  return code === 'EACCES' ? `Port ${port} may not be used by this user. Set PORT to one from 1024 on.` : null
}
