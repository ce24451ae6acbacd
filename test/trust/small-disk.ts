import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** A file system of its own and so many megabytes, which can be filled to the last byte. */
export type SmallDisk = { folder: string; fill: () => void; free: () => void; unmount: () => void }

/** Mounts one; null where this may not be done. */
export function smallDisk(folder: string, megabytes: number): SmallDisk | null {
  mkdirSync(folder, { recursive: true })
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'tmpfs', folder])
  if (mounted.status !== 0) return null
  const filler = join(folder, 'filler')
  return {
    folder,
    fill: () => {
      for (let piece = Buffer.alloc(1024 * 1024); piece.length >= 1; ) {
        try {
          appendFileSync(filler, piece)
        } catch {
          piece = piece.subarray(0, Math.floor(piece.length / 2))
        }
      }
    },
    free: () => rmSync(filler, { force: true }),
    unmount: () => {
      spawnSync('umount', ['-l', folder])
    },
  }
}

/** Whether this machine lets the tests mount one; where it must (CI), they fail instead of being left out. */
export function canMount(folder: string): boolean {
  const disk = smallDisk(folder, 1)
  disk?.unmount()
  if (!disk) console.error('LEFT OUT: no file system may be mounted here, so a full disk (F06) is not tested.')
  return disk !== null || process.env.CI === 'true'
}
