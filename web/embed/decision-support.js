/* Fyr decision support manager 1.0.0. Shows decision support in a frame of your page; holds no secret, needs nothing else. */
;(() => {
  const VERSION = '1.0.0'
  const EVENTS = ['ready', 'expired', 'copied', 'closed', 'error']
  const TITLES = { en: 'Decision support', fi: 'Päätöksenteon tuki', no: 'Beslutningsstøtte', sv: 'Beslutsstöd' }
  const TOKEN = /^([a-z0-9-]{1,60})\.[A-Za-z0-9_-]{43}$/
  const FIRST_HEIGHT = 640
  const TALLEST = 100_000
  const LOAD_MS = 30_000
  const ANSWER_MS = 8_000

  // Taken from prototypes: neither an element that bears the name of a property nor a polluted prototype may step between.
  const own = (object, name) =>
    object !== null && typeof object === 'object' && Object.hasOwn(object, name) ? object[name] : undefined
  const create = (name) => Document.prototype.createElement.call(document, name)
  const current = Object.getOwnPropertyDescriptor(Document.prototype, 'currentScript').get.call(document)
  const home = current?.src ? new URL(current.src).origin : null

  function failure(code, message) {
    const error = new Error(`Decision support: ${message}`)
    error.code = code
    return error
  }

  /** Where the page is. A link to anywhere but the service this script came from is refused. */
  function addressOf(options) {
    const token = own(options, 'token')
    const link = own(options, 'link')
    if (token !== undefined) {
      const slug = TOKEN.exec(String(token))?.[1]
      if (!slug || !home)
        throw failure(
          'invalid',
          home ? 'the token is not one' : 'with a token alone, load this script from the service itself',
        )
      return new URL(`${home}/decision-support/${slug}#token=${token}`)
    }
    let url
    try {
      url = new URL(String(link))
    } catch {
      throw failure('invalid', 'a link or a token is needed')
    }
    const isPage = /^https?:$/.test(url.protocol) && /^\/decision-support\/[a-z0-9-]{1,60}$/.test(url.pathname)
    if (!isPage || !TOKEN.test(url.hash.replace(/^#token=/, '')))
      throw failure('invalid', 'the link is not one to decision support')
    if (home && url.origin !== home) throw failure('invalid', 'the link is not of the service this script came from')
    return url
  }

  function containerOf(options) {
    const given = own(options, 'container')
    const found = typeof given === 'string' ? Document.prototype.querySelector.call(document, given) : given
    if (!(found instanceof Element)) throw failure('invalid', 'the container is not an element of this page')
    return found
  }

  function frameFor(url, lang) {
    const frame = create('iframe')
    frame.src = url.href
    frame.title = TITLES[lang] ?? TITLES.en
    frame.allow = 'clipboard-write'
    frame.referrerPolicy = 'no-referrer'
    for (const [name, value] of [
      ['display', 'block'],
      ['width', '100%'],
      ['height', `${FIRST_HEIGHT}px`],
      ['border', '0'],
    ])
      frame.style.setProperty(name, value)
    return frame
  }

  /** Lays the frame over the whole page, above everything, while something in it needs room; what it leaves keeps its place. */
  function overlayFor(frame) {
    const before = create('div')
    let styles = null
    return (open) => {
      if (open === (styles !== null) || !frame.isConnected) return
      if (open) {
        styles = frame.getAttribute('style')
        before.style.setProperty('height', `${frame.offsetHeight}px`)
        frame.before(before)
        if (frame.showPopover) {
          frame.popover = 'manual'
          frame.showPopover()
        }
        for (const [name, value] of [
          ['position', 'fixed'],
          ['inset', '0'],
          ['width', '100%'],
          ['height', '100%'],
          ['max-width', 'none'],
          ['max-height', 'none'],
          ['margin', '0'],
          ['padding', '0'],
          ['z-index', '2147483647'],
        ])
          frame.style.setProperty(name, value)
      } else {
        if (frame.popover) frame.hidePopover()
        frame.removeAttribute('popover')
        frame.style.cssText = styles
        styles = null
        before.remove()
      }
    }
  }

  function open(options) {
    return new Promise((done, failed) => {
      const lang = Object.hasOwn(TITLES, String(own(options, 'lang'))) ? own(options, 'lang') : undefined
      const download = own(options, 'showFileViewerDownloadButton') !== false
      const container = containerOf(options)
      const url = addressOf(options)
      if (lang) url.searchParams.set('lang', lang)
      const frame = frameFor(url, lang)
      const overlay = overlayFor(frame)
      const heard = new Map(EVENTS.map((name) => [name, new Set()]))
      for (const name of EVENTS) {
        const first = own(own(options, 'on'), name)
        if (typeof first === 'function') heard.get(name).add(first)
      }
      let port = null
      let timer = setTimeout(() => giveUp(), LOAD_MS)
      let height = FIRST_HEIGHT
      let isOpen = false
      let isOver = false

      const emit = (name, detail) => {
        for (const listener of [...heard.get(name)]) {
          try {
            listener(detail)
          } catch (error) {
            setTimeout(() => {
              throw error // the host's own fault is told to the host, and keeps nobody else from hearing
            })
          }
        }
      }

      function destroy() {
        if (isOver) return
        isOver = true
        clearTimeout(timer)
        overlay(false)
        port?.close()
        frame.remove()
        for (const set of heard.values()) set.clear()
      }

      function giveUp() {
        const error = failure(
          'unavailable',
          'the page did not answer; is this origin on the configuration’s list of allowed origins?',
        )
        emit('error', { code: error.code })
        destroy()
        failed(error)
      }

      /** Only the page on the other end of the channel can say these things; each is looked at before it has an effect. */
      function hear({ data }) {
        const type = own(data, 'type')
        if (type === 'hello') {
          clearTimeout(timer)
          if (!isOpen) done(handle)
          isOpen = true
        } else if (type === 'size') {
          const wanted = own(data, 'height')
          if (typeof wanted !== 'number' || !(wanted > 0 && wanted < TALLEST)) return
          height = Math.ceil(wanted)
          if (!isOverlaid()) frame.style.setProperty('height', `${height}px`)
        } else if (type === 'overlay') {
          overlay(own(data, 'open') === true)
          if (!isOverlaid()) frame.style.setProperty('height', `${height}px`)
        } else if (EVENTS.includes(type)) {
          const code = own(data, 'code')
          emit(type, typeof code === 'string' ? { code } : {})
        }
      }
      const isOverlaid = () => frame.style.getPropertyValue('position') === 'fixed'

      frame.addEventListener('load', () => {
        if (isOver) return
        const channel = new MessageChannel()
        port?.close()
        port = channel.port1
        port.onmessage = hear
        if (!isOpen) {
          clearTimeout(timer)
          timer = setTimeout(giveUp, ANSWER_MS)
        }
        // The browser hands this to the page only if it is of that origin.
        frame.contentWindow.postMessage({ fyr: 'decision-support', type: 'hello', lang, download }, url.origin, [
          channel.port2,
        ])
      })

      const handle = Object.freeze({
        version: VERSION,
        frame,
        destroy,
        on(name, listener) {
          const set = heard.get(name)
          if (!set || typeof listener !== 'function') throw failure('invalid', `there is no event ${name}`)
          set.add(listener)
          return () => void set.delete(listener)
        },
      })
      Node.prototype.appendChild.call(container, frame)
    })
  }

  Object.defineProperty(window, 'DecisionSupport', {
    value: Object.freeze({ version: VERSION, open }),
    configurable: true,
    enumerable: true,
  })
})()
