import { Icon } from '../../ui/icons.tsx'
import { useBench } from '../context.ts'
import { Dialog } from '../dialog.tsx'
import type { Words } from '../words/words.ts'
import { KEYS, type Key } from './keys.ts'

type Props = { keysOn: boolean; onKeys: (on: boolean) => void; onClose: () => void }

const MEANINGS: Readonly<Record<Key, keyof Words['help']>> = {
  c: 'copy',
  p: 'print',
  j: 'judge',
  f: 'files',
  i: 'interview',
  l: 'language',
  t: 'top',
  '?': 'help',
}

/** The keys, and the switch that turns them off. */
export function Help({ keysOn, onKeys, onClose }: Props) {
  const { words } = useBench()
  return (
    <Dialog label={words.shortcuts} kind="help" onClose={onClose}>
      <div class="dialog-head">
        <h2>{words.shortcuts}</h2>
        <button type="button" class="bar-button" onClick={onClose} aria-label={words.close}>
          <Icon name="cross" size={22} />
        </button>
      </div>
      <dl class="keys">
        {KEYS.map((key) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words.help[MEANINGS[key]]}</dd>
          </div>
        ))}
        <div>
          <dt>
            <kbd>Esc</kbd>
          </dt>
          <dd>{words.help.close}</dd>
        </div>
      </dl>
      <label class="switch">
        <input type="checkbox" checked={keysOn} onChange={(event) => onKeys(event.currentTarget.checked)} />
        <span>
          {words.help.off}: {words.help.on}
        </span>
      </label>
    </Dialog>
  )
}
