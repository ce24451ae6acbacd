import type { Core } from '../../events/core.ts'
import { startDeploymentChain } from '../../events/deployment.ts'
import { DEPLOYMENT, listAccounts } from '../../store/accounts.ts'
import { PreconditionFailed } from '../../store/database/db.ts'
import { findInUse, HOLD_MASTER_KEY, type Holder, listHolders, MOVE_MASTER_KEY } from '../../store/sealing/holders.ts'

const MOST_TRIES = 5

export type MasterKeyState = {
  /** Since when the key in use is in use. */
  since: Date
  /** The given key is the one in use, or the one that is to replace it. */
  isGivenInUse: boolean
  /** The running nodes, and whether each holds the given key. */
  nodes: Holder[]
}

export async function masterKeyState({ db, keyring }: Core): Promise<MasterKeyState> {
  const inUse = await findInUse(db)
  if (!inUse) throw new Error('The database knows no master key.')
  const isGivenInUse = inUse.check_value.equals(keyring.givenCheck)
  return { since: inUse.since, isGivenInUse, nodes: await listHolders(db, keyring.givenCheck) }
}

export type Rotated =
  | { kind: 'rotated'; accounts: number }
  | { kind: 'in-use'; since: Date }
  | { kind: 'not-held'; nodes: Holder[] }

/**
 * Replaces the master key by the given one: wraps with it, in one transaction, each account's key and the root key, which
 * is all that the master key seals. Refused while a running node does not hold it.
 */
export async function rotateMasterKey(core: Core, actor: string): Promise<Rotated> {
  const { keyring } = core
  await startDeploymentChain(core)
  for (let tries = 1; ; tries++) {
    const state = await masterKeyState(core)
    if (state.isGivenInUse) return { kind: 'in-use', since: state.since }
    const without = state.nodes.filter(({ holds }) => !holds)
    if (without.length > 0) return { kind: 'not-held', nodes: without }
    const accounts = (await listAccounts(core.db)).map(({ id, sealed_key: before }) => ({
      id,
      before: before.toString('hex'),
      after: keyring.rewrapAccountKey(id, before).toString('hex'),
    }))
    const row = {
      check_before: keyring.check.toString('hex'),
      check_after: keyring.givenCheck.toString('hex'),
      sealed_root: keyring.rewrapRoot().toString('hex'),
      accounts,
    }
    try {
      await core.recorder.record({
        accountId: DEPLOYMENT,
        actor,
        action: 'master-key.replaced',
        subject: DEPLOYMENT,
        detail: { accounts: accounts.length },
        effects: [
          { statement: HOLD_MASTER_KEY, row: {} },
          { statement: MOVE_MASTER_KEY, row },
        ],
      })
      return { kind: 'rotated', accounts: accounts.length }
    } catch (error) {
      if (!(error instanceof PreconditionFailed) || tries === MOST_TRIES) throw error
    }
  }
}
