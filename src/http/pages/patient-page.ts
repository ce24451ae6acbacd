import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ConfigurationDocument, readDocument } from '../../account/configuration.ts'
import { LANGUAGES, type Language } from '../../engine/content.ts'
import { tagOf } from '../../engine/languages.ts'
import type { Core } from '../../events/core.ts'
import type { Releases } from '../../session/releases.ts'
import { findConfigurationBySlug } from '../../store/configurations.ts'
import { userProof } from '../credentials.ts'
import { problemOf } from '../errors.ts'
import { inTime } from '../health.ts'
import { prioritise } from '../load-shedding.ts'
import { preferredLanguage } from '../preferred-language.ts'
import { publicConfiguration } from '../public-configuration.ts'
import { bundleOf, WEB_FOLDER } from './bundles.ts'
import { escaped, newNonce, sendPage } from './html.ts'
import { SHELL_WORDS } from './shell-words.ts'
import { callLinks, FALLBACK_NUMBERS, type Numbers, staticPage, telephone } from './static-page.ts'
import { accentStyle } from './theme.ts'

export const LANGUAGE_COOKIE = 'fyr-language'
/** Nobody in danger should face an empty page for longer, whatever the database does. */
const SHELL_WITHIN_MS = 1_500

/** What the page's own HTML tells it, so that nothing need be fetched before it can be used. */
export type ShellFacts = {
  /** Null when the service behind the page was away when it was sent: the page then asks for it itself. */
  configuration: Awaited<ReturnType<typeof publicConfiguration>> | null
  language: Language
  /** This browser sent a user cookie: there may be a session to resume. */
  returning: boolean
  framedBy: readonly string[]
}

/** The pages of the triage UI, and the files they are made of. Fetching them changes nothing: entering is a POST. */
export async function patientPages(
  app: FastifyInstance,
  core: Core,
  releases: Releases,
  publicUrl: string,
  emergencyNumber: () => Promise<string | null>,
): Promise<void> {
  await app.register(async (scope) => {
    prioritise(scope, 'lastResort')
    await scope.register(fastifyStatic, {
      root: WEB_FOLDER,
      prefix: '/assets/',
      index: false,
      dotfiles: 'deny',
      maxAge: '365d',
      immutable: true,
      preCompressed: true,
      decorateReply: false,
    })
  })

  app.get('/emergency.html', { config: { priority: 'probes' }, schema: { hide: true } }, (_request, reply) =>
    sendStatic(reply, LANGUAGES, FALLBACK_NUMBERS, 'away'),
  )

  /** Numbers to call must not depend on the database: what was read once is kept for when it is away. */
  const lastKnown = new Map<string, ConfigurationDocument>()

  await app.register(async (scope) => {
    prioritise(scope, 'lastResort')
    scope.setErrorHandler((error, request, reply) => {
      const { status, extra } = problemOf(error)
      const { slug = '' } = request.params as { slug?: string }
      const known = lastKnown.get(slug)
      if (known && status >= 500)
        return sendShell(request, reply.code(status).headers(extra.headers ?? {}), slug, known, null)
      const languages = known ? [preferred(request, known.languages, known.defaultLanguage)] : LANGUAGES
      return sendStatic(
        reply.code(status).headers(extra.headers ?? {}),
        languages,
        known ?? FALLBACK_NUMBERS,
        status === 404 ? 'missing' : 'away',
        known?.allowedOrigins ?? [],
        status === 404 ? null : (bundleOf('patient/again.ts')?.script ?? null),
      )
    })

    for (const path of ['/t/:slug', '/s/:slug']) {
      scope.get<{ Params: { slug: string } }>(path, { schema: { hide: true } }, async (request, reply) => {
        const { slug } = request.params
        const found = await inTime(lookUp(slug), SHELL_WITHIN_MS)
        if (!found) {
          const number = await emergencyNumber()
          const numbers = number === null ? null : { emergencyNumber: number, clinicPhone: null }
          return sendStatic(reply.code(404), [preferred(request, LANGUAGES, 'en')], numbers, 'missing')
        }
        return sendShell(request, reply, slug, found.document, found.configuration)
      })
    }
  })

  async function lookUp(slug: string) {
    const row = await findConfigurationBySlug(core.db, slug)
    const read = row?.enabled ? readDocument(row.document) : null
    if (!row || !read || 'faults' in read) {
      lastKnown.delete(slug)
      return null
    }
    lastKnown.set(slug, read.document)
    const configuration = await publicConfiguration(core, releases, row.account_id, slug, read.document)
    return { document: read.document, configuration }
  }

  function sendShell(
    request: FastifyRequest,
    reply: FastifyReply,
    slug: string,
    document: ConfigurationDocument,
    configuration: ShellFacts['configuration'],
  ): FastifyReply {
    const language = preferred(request, document.languages, document.defaultLanguage)
    const facts: ShellFacts = {
      configuration,
      language,
      // A request shed at the door has no parsed cookies: then there may be one.
      returning: !request.cookies || userProof(request, publicUrl) !== null,
      framedBy: document.allowedOrigins,
    }
    const nonce = newNonce()
    return sendPage(reply, {
      html: shell(slug, document, facts, nonce),
      nonce,
      framedBy: document.allowedOrigins,
      picturesFrom: document.theme.logoUrl ? [new URL(document.theme.logoUrl).origin] : [],
    })
  }
}

/** A language chosen on the page is remembered in this browser. */
const preferred = (request: FastifyRequest, languages: readonly Language[], fallback: Language): Language =>
  preferredLanguage(request, languages, fallback, request.cookies?.[LANGUAGE_COOKIE])

/** JSON that cannot close the element it is in. */
const embedded = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')

/** The page before its script runs: whose it is, the number to call, and what to do in an emergency. */
function shell(slug: string, document: ConfigurationDocument, facts: ShellFacts, nonce: string): string {
  const bundle = bundleOf('patient/main.tsx')
  const words = SHELL_WORDS[facts.language]
  const { emergencyNumber: number, clinicPhone } = document
  const style = accentStyle(document.theme.accent)
  return `<!doctype html>
<html lang="${tagOf(facts.language)}" data-slug="${escaped(slug)}" data-number="${escaped(number)}"${clinicPhone ? ` data-clinic="${escaped(clinicPhone)}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${escaped(document.name)}</title>
<link rel="icon" href="data:,">
${bundle?.styles.map((file) => `<link rel="stylesheet" href="${file}">`).join('\n') ?? ''}
${bundle?.parts.map((file) => `<link rel="modulepreload" href="${file}">`).join('\n') ?? ''}
${style ? `<style nonce="${nonce}">${style}</style>` : ''}
<script type="application/json" id="facts">${embedded(facts)}</script>
${bundle ? `<script type="module" src="${bundle.script}"></script>` : ''}
</head>
<body>
<div id="app">
<header class="bar"><div class="bar-inner"><span class="bar-name">${escaped(document.name)}</span><a class="call-pill" href="tel:${telephone(number)}">${escaped(words.call(number))}</a></div></header>
<main class="page static">
<h1 class="static-danger">${words.danger}</h1>
${callLinks(facts.language, document, 'call-button', 'secondary')}
<noscript><p>${words.noScript}</p></noscript>
<p class="static-wait">${words.wait}</p>
<p class="static-late">${words.late}</p>
</main>
</div>
</body>
</html>
`
}

function sendStatic(
  reply: FastifyReply,
  languages: readonly Language[],
  numbers: Numbers | null,
  about: 'missing' | 'away',
  framedBy: readonly string[] = [],
  script: string | null = null,
): FastifyReply {
  const nonce = newNonce()
  return sendPage(reply, { html: staticPage(languages, numbers, about, nonce, script), nonce, framedBy })
}
