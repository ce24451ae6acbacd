import { Command } from 'commander'
import { masterKeyState, rotateMasterKey } from '../../account/sealing/master-key.ts'
import type { Holder } from '../../store/sealing/holders.ts'
import { fields, momentText, Refusal, show, yesNo } from '../print.ts'
import { onStore } from '../store.ts'

/** `fyr master-key …`: the key that everything else is sealed with. */
export function masterKeyCommand(): Command {
  const masterKey = new Command('master-key').description('the key that everything else is sealed with')

  masterKey
    .command('status')
    .description('show since when the key in use is in use, and which running nodes hold the one given here')
    .action(async (_options: unknown, command: Command) => {
      const state = await onStore(masterKeyState)
      show(command, { inUseSince: state.since, isGivenInUse: state.isGivenInUse, nodes: state.nodes.map(asJson) }, () =>
        fields([
          ['in use since', momentText(state.since)],
          ['is the key given', state.isGivenInUse ? 'yes' : 'no: it is in MASTER_KEY_PREVIOUS, and is to be replaced'],
          ...state.nodes.map((node) => [nodeText(node), `holds the key given: ${yesNo(node.holds)}`] as const),
        ]),
      )
    })

  masterKey
    .command('rotate')
    .description('replace the key in MASTER_KEY_PREVIOUS by the one in MASTER_KEY, once every running node holds both')
    .action(async (_options: unknown, command: Command) => {
      const rotated = await onStore((core) => rotateMasterKey(core, core.operator))
      if (rotated.kind === 'in-use')
        throw new Refusal(
          `The key in MASTER_KEY is in use since ${momentText(rotated.since)}: there is nothing to replace.`,
        )
      if (rotated.kind === 'not-held')
        throw new Refusal(
          `Running nodes do not hold the key in MASTER_KEY: ${rotated.nodes.map(nodeText).join(', ')}. Nothing was changed. Restart them with the new key in MASTER_KEY and the old one in MASTER_KEY_PREVIOUS; a node that was killed is forgotten after a minute.`,
        )
      show(command, { replaced: true, accounts: rotated.accounts }, () =>
        [
          `The master key is replaced: the keys of ${rotated.accounts === 1 ? 'one account' : `${rotated.accounts} accounts`} and the root key are sealed with the new one.`,
          'Now take MASTER_KEY_PREVIOUS away from every node. Keep the old key with the backups made until now: they need it.',
        ].join('\n'),
      )
    })

  return masterKey
}

const nodeText = ({ host, process }: Holder): string => `node ${host}, process ${process}`

const asJson = ({ host, process, seen_at: seenAt, holds }: Holder) => ({ host, process, seenAt, holds })
