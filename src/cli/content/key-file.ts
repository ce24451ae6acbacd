import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Refusal } from '../print.ts'

/** The text of a key's file. */
export function readKeyFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'it cannot be read'
    throw new Refusal(`${path} can’t be read: ${reason}.`)
  }
}

/** Writes a key pair side by side, the private key readable by its owner only. Existing files are never overwritten. */
export function writeKeyPair(path: string, { privateKey, publicKey }: { privateKey: string; publicKey: string }): void {
  const taken = [path, `${path}.pub`].find((one) => existsSync(one))
  if (taken) throw new Refusal(`${taken} is there already. Give another name with --out.`)
  try {
    writeFileSync(path, privateKey, { mode: 0o600, flag: 'wx' })
    writeFileSync(`${path}.pub`, publicKey, { flag: 'wx' })
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'no place'
    throw new Refusal(`${path} can’t be written: ${reason}.`)
  }
}
