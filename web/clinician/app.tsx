import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { LANGUAGES, type Language } from '../../src/engine/content.ts'
import { Announcer } from '../ui/announcer.tsx'
import { type Bench, BenchContext } from './context.ts'
import { isEmbedded, onWishes, tellHost } from './host.ts'
import { rememberedLanguage, rememberLanguage } from './preferences.ts'
import { Away, type Connection, Refused } from './visit/connection.ts'
import { Notice } from './visit/notice.tsx'
import { type Sight, Watch } from './visit/sight.ts'
import { openVisit, rememberedVisit, takeToken } from './visit/visit.ts'
import { WORDS } from './words/words.ts'
import { Workbench } from './workbench.tsx'

type Props = { slug: string; token: string | null; firstLanguage: Language }

/** Decision support: from the link to the picture, until the visit ends. */
export function App({ slug, token, firstLanguage }: Props) {
  const [language, setLanguage] = useState<Language>(() => wishedLanguage() ?? rememberedLanguage() ?? firstLanguage)
  const [sight, setSight] = useState<Sight>({ kind: 'opening' })
  const [mayDownload, setMayDownload] = useState(true)
  const [said, setSaid] = useState('')
  const watch = useRef<Watch | null>(null)
  const words = WORDS[language]

  const spoken = useRef(language)
  const speak = useCallback((next: Language) => {
    if (spoken.current === next) return // every read is audited, so none is repeated
    spoken.current = next
    setLanguage(next)
    rememberLanguage(next)
    void watch.current?.speak(next)
  }, [])

  const begin = useCallback(async (given: string | null) => {
    watch.current?.end('clinician')
    setSight({ kind: 'opening' })
    const connection = await entered(slug, given, setSight)
    if (!connection) return
    watch.current = new Watch(connection, spoken.current, setSight)
    await watch.current.start()
  }, [])

  useEffect(() => {
    onWishes(({ lang, download }) => {
      setMayDownload(download)
      if (lang) speak(lang)
    })
    void begin(token)
    const another = () => {
      const next = takeToken()
      if (next) void begin(next)
    }
    // A removed frame ends its visit; a top-level page may only be reloading.
    const leave = () => void (isEmbedded && watch.current?.close())
    window.addEventListener('hashchange', another)
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('hashchange', another)
      window.removeEventListener('pagehide', leave)
    }
  }, [])

  useEffect(() => {
    document.documentElement.lang = words.tag
    document.title = words.title
  }, [language])

  useTelling(sight)
  useEffect(() => {
    if (sight.kind === 'showing' && sight.isUpdated) setSaid(words.updated)
  }, [sight])

  const connection = watch.current?.connection
  const bench = useMemo<Bench | null>(() => {
    if (sight.kind !== 'showing' || !connection) return null
    const refresh = async () => watch.current?.refresh()
    return { words, picture: sight.picture, connection, mayDownload, say: setSaid, refresh }
  }, [sight, words, mayDownload, connection])

  const end = () => void watch.current?.close()

  return (
    <>
      {bench && sight.kind === 'showing' ? (
        <BenchContext.Provider value={bench}>
          <Workbench isStale={sight.isStale} language={language} onLanguage={speak} onEnd={end} />
        </BenchContext.Provider>
      ) : (
        <Notice sight={sight} words={words} onRetry={() => void watch.current?.start()} />
      )}
      <Announcer text={said} />
    </>
  )
}

/** The language that the address asks for. */
function wishedLanguage(): Language | null {
  const wished = new URLSearchParams(location.search).get('lang')
  return LANGUAGES.find((language) => language === wished) ?? null
}

/** Enters with the token, or continues this tab's visit; a refusal is shown. */
async function entered(slug: string, token: string | null, show: (sight: Sight) => void): Promise<Connection | null> {
  if (token === null) {
    const known = rememberedVisit(isEmbedded)
    if (!known) show({ kind: 'refused', why: 'none' })
    return known
  }
  for (;;) {
    try {
      return await openVisit(slug, token, isEmbedded)
    } catch (error) {
      if (error instanceof Refused && error.status === 410) show({ kind: 'refused', why: 'expired' })
      else if (error instanceof Refused && error.status < 500 && error.status !== 429)
        show({ kind: 'refused', why: 'missing' })
      else if (error instanceof Refused || error instanceof Away) {
        show({ kind: 'away' })
        await new Promise((done) => setTimeout(done, 3_000))
        continue
      } else throw error
      return null
    }
  }
}

/** Tells the host page each thing that it may want to act on, once. */
function useTelling(sight: Sight): void {
  const told = useRef<string>('')
  useEffect(() => {
    const now = eventOf(sight)
    if (now === told.current) return
    told.current = now
    if (now === 'error') tellHost('error', { code: sight.kind === 'away' ? 'away' : 'link-not-found' })
    else if (now !== '') tellHost(now)
  }, [sight])
}

function eventOf(sight: Sight): 'ready' | 'expired' | 'closed' | 'error' | '' {
  switch (sight.kind) {
    case 'opening':
      return ''
    case 'showing':
      return 'ready'
    case 'away':
      return 'error'
    case 'ended':
      return sight.by === 'clinician' ? 'closed' : 'expired'
    case 'refused':
      return sight.why === 'expired' ? 'expired' : 'error'
  }
}
