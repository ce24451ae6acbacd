import { DEPLOYMENT } from '../store/accounts.ts'
import { insertDeploymentHead } from '../store/audit.ts'
import { genesis } from './chain.ts'
import type { Core } from './core.ts'

/** To be called before anything is recorded for the whole deployment. An existing chain stays as it is. */
export const startDeploymentChain = ({ db, keyring }: Core): Promise<unknown> =>
  insertDeploymentHead(db, genesis(keyring.derive('audit', DEPLOYMENT), DEPLOYMENT))
