import type { Core } from '../events/core.ts'
import { startDeploymentChain } from '../events/deployment.ts'
import { invalid } from '../problems.ts'
import { DEPLOYMENT } from '../store/accounts.ts'
import { PreconditionFailed } from '../store/database/db.ts'
import { applyRoles, roleName } from '../store/database/roles.ts'
import { ADD_ROLE_ACCOUNT, findRole, REMOVE_ROLE_ACCOUNT } from '../store/deployment/role-accounts.ts'

/** Makes the database roles, or gives them again the rights of this version. */
export async function makeRoles(core: Core, prefix: string): Promise<void> {
  await applyRoles(core.db, prefix)
  await startDeploymentChain(core)
  const made = { actor: core.operator, action: 'database.roles-made', subject: prefix }
  await core.recorder.record({ ...made, accountId: DEPLOYMENT })
}

/** Lets a clinic admin's database role work on an account. */
export async function addRole(core: Core, accountId: string, role: string, prefix: string): Promise<void> {
  const group = roleName(prefix, 'clinic_admin')
  const found = await findRole(core.db, role, group)
  if (!found) invalid('/role', `is not there: create role ${role} login password '…' in role ${group}`)
  if (!found?.isMember) invalid('/role', `is no clinic admin: grant ${group} to ${role}`)
  await core.recorder.record({
    accountId,
    actor: core.operator,
    action: 'role.added',
    subject: role,
    effects: [{ statement: ADD_ROLE_ACCOUNT, row: { role } }],
  })
}

/** Takes an account from a clinic admin's database role again. */
export async function removeRole(core: Core, accountId: string, role: string): Promise<void> {
  try {
    await core.recorder.record({
      accountId,
      actor: core.operator,
      action: 'role.removed',
      subject: role,
      effects: [{ statement: REMOVE_ROLE_ACCOUNT, row: { role } }],
    })
  } catch (error) {
    if (error instanceof PreconditionFailed) invalid('/role', 'does not work on this account')
    throw error
  }
}
