import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ConfigurationDocument, readDocument } from '../account/configuration.ts'
import { LANGUAGES, type Language } from '../engine/content.ts'
import type { Core } from '../events/core.ts'
import { findConfigurationBySlug } from '../store/configurations.ts'
import { bundleOf, WEB_FOLDER } from './bundles.ts'
import { escaped, newNonce, sendPage } from './html.ts'

/** The words that stand in the page itself: they remain when scripts or the service behind it fail. */
const WORDS: Record<Language, { call: string; danger: string; wait: string; broken: string; missing: string }> = {
  en: {
    call: 'Call',
    danger: 'If life may be in danger, call now. Do not wait for this page.',
    wait: 'Loading the questions …',
    broken: 'The questions need JavaScript. If you cannot turn it on, call the clinic.',
    missing: 'This address is not in use. Check the link you were given.',
  },
  fi: {
    call: 'Soita',
    danger: 'Jos henki voi olla vaarassa, soita heti. Älä jää odottamaan tätä sivua.',
    wait: 'Kysymyksiä ladataan …',
    broken: 'Kysymykset tarvitsevat JavaScriptin. Jos et saa sitä päälle, soita vastaanotolle.',
    missing: 'Tämä osoite ei ole käytössä. Tarkista saamasi linkki.',
  },
  no: {
    call: 'Ring',
    danger: 'Hvis det kan stå om livet, ring med en gang. Ikke vent på denne siden.',
    wait: 'Laster spørsmålene …',
    broken: 'Spørsmålene trenger JavaScript. Får du ikke slått det på, ring klinikken.',
    missing: 'Denne adressen er ikke i bruk. Sjekk lenken du fikk.',
  },
  sv: {
    call: 'Ring',
    danger: 'Om det kan vara fara för livet, ring genast. Vänta inte på den här sidan.',
    wait: 'Frågorna laddas …',
    broken: 'Frågorna kräver JavaScript. Kan du inte slå på det, ring mottagningen.',
    missing: 'Den här adressen används inte. Kontrollera länken du fick.',
  },
}

const FALLBACK_NUMBER = '112'

/** The pages of the triage UI, and the files they are made of. Fetching them changes nothing: entering is a POST. */
export async function patientPages(app: FastifyInstance, core: Core): Promise<void> {
  await app.register(fastifyStatic, {
    root: WEB_FOLDER,
    prefix: '/assets/',
    index: false,
    dotfiles: 'deny',
    maxAge: '365d',
    immutable: true,
    decorateReply: false,
  })

  for (const path of ['/t/:slug', '/s/:slug']) {
    app.get<{ Params: { slug: string }; Querystring: { lang?: string } }>(
      path,
      { schema: { hide: true } },
      async (request, reply) => {
        const row = await findConfigurationBySlug(core.db, request.params.slug)
        const read = row?.enabled ? readDocument(row.document) : null
        if (!read || 'faults' in read) return missingPage(request, reply)
        return sendShell(request, reply, request.params.slug, read.document)
      },
    )
  }

  app.get('/emergency.html', { schema: { hide: true } }, (_request, reply) => {
    const lines = LANGUAGES.map(
      (language) =>
        `<p lang="${language}">${WORDS[language].danger} <a href="tel:${FALLBACK_NUMBER}">${WORDS[language].call} ${FALLBACK_NUMBER}</a></p>`,
    )
    return sendPage(reply, { html: bare('Fyr', lines.join('')), nonce: newNonce(), framedBy: [] })
  })
}

/** The first language the browser asks for that the configuration has. */
function preferred(request: FastifyRequest, languages: readonly Language[], fallback: Language): Language {
  const wished = new URL(request.url, 'http://x').searchParams.get('lang') ?? ''
  const header = `${wished},${request.headers['accept-language'] ?? ''}`
  for (const part of header.split(',')) {
    const tag = part.split(';')[0]?.trim().toLowerCase().slice(0, 2) ?? ''
    const language = languages.find((one) => one === (tag === 'nb' || tag === 'nn' ? 'no' : tag))
    if (language) return language
  }
  return fallback
}

function sendShell(
  request: FastifyRequest,
  reply: FastifyReply,
  slug: string,
  document: ConfigurationDocument,
): FastifyReply {
  const bundle = bundleOf('patient/main.tsx')
  const language = preferred(request, document.languages, document.defaultLanguage)
  const words = WORDS[language]
  const nonce = newNonce()
  const number = document.emergencyNumber
  const theme = document.theme.accent
    ? `<style nonce="${nonce}">:root{--brand:${escaped(document.theme.accent)}}</style>`
    : ''
  const html = `<!doctype html>
<html lang="${language}" data-slug="${escaped(slug)}" data-number="${escaped(number)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escaped(document.name)}</title>
<link rel="icon" href="data:,">
${bundle?.styles.map((style) => `<link rel="stylesheet" href="${style}">`).join('\n') ?? ''}
${theme}
${bundle ? `<script type="module" src="${bundle.script}"></script>` : ''}
</head>
<body>
<div id="app">
<header class="bar"><span class="bar-name">${escaped(document.name)}</span><a class="bar-call" href="tel:${escaped(number.replace(/[^+\d]/g, ''))}">${words.call} ${escaped(number)}</a></header>
<main class="page"><p class="static-danger">${words.danger}</p><noscript><p>${words.broken}</p></noscript><p class="static-wait">${words.wait}</p></main>
</div>
</body>
</html>
`
  return sendPage(reply, {
    html,
    nonce,
    framedBy: document.allowedOrigins,
    picturesFrom: document.theme.logoUrl ? [new URL(document.theme.logoUrl).origin] : [],
  })
}

const bare = (title: string, body: string): string =>
  `<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><main>${body}</main></html>\n`

function missingPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = preferred(request, LANGUAGES, 'en')
  const { missing, danger, call } = WORDS[language]
  const body = `<p lang="${language}">${missing}</p><p lang="${language}">${danger} <a href="tel:${FALLBACK_NUMBER}">${call} ${FALLBACK_NUMBER}</a></p>`
  return sendPage(reply.code(404), { html: bare('Fyr', body), nonce: newNonce(), framedBy: [] })
}
