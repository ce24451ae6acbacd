import { useEffect, useRef, useState } from 'preact/hooks'
import { LANGUAGES, type Language } from '../../src/engine/content.ts'
import { Bar } from './bar.tsx'
import { useBench } from './context.ts'
import { Files } from './files/files.tsx'
import { Actions } from './handoff/actions.tsx'
import { useCopy } from './handoff/copy.tsx'
import { PrintHead, useOpenForPrint } from './handoff/printing.tsx'
import { Help } from './keyboard/help.tsx'
import { type KeyActions, useKeys } from './keyboard/keys.ts'
import { Considerations } from './picture/considerations.tsx'
import { Facts } from './picture/facts.tsx'
import { Following } from './picture/following.tsx'
import { Hero } from './picture/hero.tsx'
import { History } from './picture/history.tsx'
import { Interview } from './picture/interview.tsx'
import { JudgementForm, Judgements } from './picture/judgements.tsx'
import { RedFlags } from './picture/red-flags.tsx'
import { Told } from './picture/told.tsx'
import { Changes, Why } from './picture/why.tsx'
import { areKeysOn, switchKeys } from './preferences.ts'

type Props = { isStale: boolean; language: Language; onLanguage: (language: Language) => void; onEnd: () => void }
type Open = 'nothing' | 'help' | 'judging'

/** The clinician's page with one session on it. */
export function Workbench({ isStale, language, onLanguage, onEnd }: Props) {
  const { words, picture } = useBench()
  const [open, setOpen] = useState<Open>('nothing')
  const [viewed, setViewed] = useState<string | null>(null)
  const [keysOn, setKeysOn] = useState(areKeysOn)
  const interview = useRef<HTMLDetailsElement>(null)
  const top = useRef<HTMLHeadingElement>(null)
  const copying = useCopy(language)
  useOpenForPrint()

  const actions: KeyActions = {
    c: copying.copy,
    p: () => window.print(),
    j: () => setOpen('judging'),
    i: () => {
      if (!interview.current) return
      interview.current.open = !interview.current.open
      if (interview.current.open) interview.current.scrollIntoView({ block: 'start' })
    },
    f: () => setViewed(picture.files[0]?.id ?? null),
    l: () => onLanguage(LANGUAGES[(LANGUAGES.indexOf(language) + 1) % LANGUAGES.length] ?? 'en'),
    t: () => top.current?.focus(),
    '?': () => setOpen('help'),
  }
  useKeys(keysOn && open === 'nothing' && viewed === null, actions)

  useEffect(() => {
    document.title = `${words.title} · ${picture.clinic}`
  }, [words, picture.clinic])

  const toggleKeys = (on: boolean) => {
    switchKeys(on)
    setKeysOn(on)
  }

  return (
    <>
      <a class="skip" href="#urgency">
        {words.skip}
      </a>
      <Bar language={language} onLanguage={onLanguage} onHelp={() => setOpen('help')} onEnd={onEnd} />
      <PrintHead />
      {isStale && (
        <p class="strip tone-warning" role="status">
          {words.stale}
        </p>
      )}
      <Following />
      <main class="bench">
        <Hero heading={top} />
        <Actions
          language={language}
          copying={copying}
          isJudging={open === 'judging'}
          onJudge={() => setOpen(open === 'judging' ? 'nothing' : 'judging')}
        />
        {open === 'judging' && <JudgementForm onDone={() => setOpen('nothing')} />}
        <div class="columns">
          <div class="column">
            <Why />
            <Changes />
          </div>
          <div class="column">
            <RedFlags />
          </div>
        </div>
        <div class="columns">
          <div class="column">
            <History />
          </div>
          <div class="column">
            <Considerations />
            <Files viewed={viewed} onView={setViewed} />
            <Judgements />
            <Told />
            <Facts />
          </div>
        </div>
        <Interview details={interview} />
        <footer class="foot">{words.proposal}</footer>
      </main>
      {open === 'help' && <Help keysOn={keysOn} onKeys={toggleKeys} onClose={() => setOpen('nothing')} />}
    </>
  )
}
