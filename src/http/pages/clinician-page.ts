import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type ConfigurationDocument, readDocument } from '../../account/configuration.ts'
import { LANGUAGES, type Language } from '../../engine/content.ts'
import { tagOf } from '../../engine/languages.ts'
import type { Core } from '../../events/core.ts'
import { findConfigurationBySlug } from '../../store/configurations.ts'
import { preferredLanguage } from '../preferred-language.ts'
import { bundleOf } from './bundles.ts'
import { escaped, newNonce, sendPage } from './html.ts'

/** The words that stand in the page itself, before or without its script. */
const WORDS: Record<Language, { title: string; wait: string; broken: string; missing: string }> = {
  en: {
    title: 'Decision support',
    wait: 'Opening …',
    broken: 'Decision support needs JavaScript.',
    missing: 'This address is not in use. Open decision support again from your own system.',
  },
  fi: {
    title: 'Päätöksenteon tuki',
    wait: 'Avataan …',
    broken: 'Päätöksenteon tuki tarvitsee JavaScriptin.',
    missing: 'Tämä osoite ei ole käytössä. Avaa päätöksenteon tuki uudelleen omasta järjestelmästäsi.',
  },
  no: {
    title: 'Beslutningsstøtte',
    wait: 'Åpner …',
    broken: 'Beslutningsstøtten trenger JavaScript.',
    missing: 'Denne adressen er ikke i bruk. Åpne beslutningsstøtten på nytt fra ditt eget system.',
  },
  sv: {
    title: 'Beslutsstöd',
    wait: 'Öppnar …',
    broken: 'Beslutsstödet kräver JavaScript.',
    missing: 'Den här adressen används inte. Öppna beslutsstödet igen från ditt eget system.',
  },
}

/** The clinician's page. Fetching it changes nothing and reads nothing: its data comes after the token's exchange. */
export function clinicianPage(app: FastifyInstance, core: Core): void {
  app.get<{ Params: { slug: string } }>(
    '/decision-support/:slug',
    { schema: { hide: true } },
    async (request, reply) => {
      const row = await findConfigurationBySlug(core.db, request.params.slug)
      const read = row?.enabled ? readDocument(row.document) : null
      if (!read || 'faults' in read) return missingPage(request, reply)
      return sendShell(request, reply, request.params.slug, read.document)
    },
  )
}

/** The clinician's language is independent of the patient's: all four are offered, whatever the configuration publishes. */
const preferred = (request: FastifyRequest, fallback: Language): Language =>
  preferredLanguage(request, LANGUAGES, fallback)

function sendShell(
  request: FastifyRequest,
  reply: FastifyReply,
  slug: string,
  document: ConfigurationDocument,
): FastifyReply {
  const bundle = bundleOf('clinician/main.tsx')
  const language = preferred(request, document.defaultLanguage)
  const words = WORDS[language]
  const html = `<!doctype html>
<html lang="${tagOf(language)}" data-slug="${escaped(slug)}" data-language="${language}" data-hosts="${escaped(document.allowedOrigins.join(' '))}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${words.title} · ${escaped(document.name)}</title>
<link rel="icon" href="data:,">
${bundle?.styles.map((style) => `<link rel="stylesheet" href="${style}">`).join('\n') ?? ''}
${bundle ? `<script type="module" src="${bundle.script}"></script>` : ''}
</head>
<body>
<div id="app"><main class="notice"><h1>${words.title}</h1><noscript><p>${words.broken}</p></noscript><p class="notice-wait">${words.wait}</p></main></div>
</body>
</html>
`
  return sendPage(reply, { html, nonce: newNonce(), framedBy: document.allowedOrigins })
}

function missingPage(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const language = preferred(request, 'en')
  const { title, missing } = WORDS[language]
  const html = `<!doctype html>\n<html lang="${tagOf(language)}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><main><h1>${title}</h1><p>${missing}</p></main></html>\n`
  return sendPage(reply.code(404), { html, nonce: newNonce(), framedBy: [] })
}
