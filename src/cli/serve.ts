import { Command } from 'commander'

/** `fyr serve`: the service itself, the same as `npm start`. */
export function serveCommand(start: () => Promise<unknown>): Command {
  return new Command('serve').description('run the service until it is told to stop').action(async () => {
    await start()
  })
}
