// Shows one session at a time. Every opening asks our own server for a fresh link; links live for five minutes.
const list = document.getElementById('sessions')
const state = document.getElementById('state')
const say = (text) => {
  state.textContent = text
}

let open = null

async function show(session) {
  open?.destroy()
  open = null
  say('Opening …')
  const { link } = await fetch(`link?session=${session}`).then((reply) => reply.json())
  open = await DecisionSupport.open({ link, container: '#decision-support', showFileViewerDownloadButton: true })
  open.on('ready', () => say('Decision support is open.'))
  open.on('copied', () => say('The summary is on the clipboard: paste it into the record.'))
  open.on('expired', () => say('The visit has ended. Choose the session again.'))
  open.on('closed', () => {
    open?.destroy()
    say('Closed.')
  })
  open.on('error', ({ code }) => say(`Decision support says: ${code}`))
}

function row({ sessionId, sessionStatus, sessionCreatedTimestamp }) {
  const item = document.createElement('li')
  const button = document.createElement('button')
  button.type = 'button'
  const when = new Date(sessionCreatedTimestamp).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' })
  button.textContent = `${when} · ${sessionStatus}`
  button.addEventListener('click', () => show(sessionId).catch((error) => say(error.message)))
  item.append(button)
  return item
}

const { sessions = [] } = await fetch('sessions').then((reply) => reply.json())
list.replaceChildren(...sessions.map(row))
if (sessions.length === 0) say('There is no session yet: answer one as a patient first.')
