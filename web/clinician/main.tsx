import '../ui/tokens.css'
import '../ui/base.css'
import './clinician.css'
import './layout.css'
import './visit/notice.css'
import './handoff/actions.css'
import './picture/parts.css'
import './picture/history.css'
import './files/viewer.css'
import './keyboard/help.css'
import './handoff/print.css'
import { render } from 'preact'
import { LANGUAGES } from '../../src/engine/content.ts'
import { App } from './app.tsx'
import { listenForHost } from './host.ts'
import { takeToken } from './visit/visit.ts'

// Before anything else: the token leaves the address.
const token = takeToken()
const root = document.getElementById('app')
const { slug = '', language, hosts = '' } = document.documentElement.dataset

if (root) {
  root.replaceChildren()
  listenForHost(hosts.split(' ').filter(Boolean))
  const first = LANGUAGES.find((one) => one === language) ?? 'en'
  render(<App slug={slug} token={token} firstLanguage={first} />, root)
}
