import { withPrefix } from '@portal/domain/language.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { paths } from '@portal/domain/paths.ts';
import type { InitialPage } from './initial-page.ts';
import { loaderScript, type PageScripts } from './script-start.ts';
import { titleOf } from './title.ts';

export interface DocumentParts {
  body: string;
  initial: InitialPage;
  nonce: string;
  styles: string;
  styleFiles: readonly string[];
  scripts: PageScripts;
  title: string;
  description: string;
  language: PublicPack['languages'][number];
  origin: string;
  noindex: boolean;
  refreshSeconds: number | undefined;
  /** Label of the button that ends the visit; no button without it. */
  leave: { why: string; button: string } | null;
  /** Structured data for search engines (schema.org). */
  structuredData: unknown;
}

/** One request delivers a usable page: texts, form and styles are inlined. The script loads after the first paint. */
export function documentOf(parts: DocumentParts): string {
  const { initial, language, nonce, origin } = parts;
  const { operator, path } = initial;
  // More specific than the style sheets that load with the script, which would restore the built-in colours.
  const brand = Object.entries(operator.brand.tokens)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
  const alternates = operator.languages
    .map(
      (one) => `<link rel="alternate" hreflang="${one.locale}" href="${escapeHtml(origin + withPrefix(path, one))}">`,
    )
    .join('');
  return `<!doctype html><html lang="${language.locale}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1,interactive-widget=resizes-content">
<title>${escapeHtml(titleOf(parts.title, operator))}</title><meta name="description" content="${escapeHtml(parts.description)}">
${openGraph(parts)}<meta name="theme-color" content="${escapeHtml(operator.brand.tokens.night ?? '#1d1b3a')}"><link rel="icon" href="/icons/icon.svg" type="image/svg+xml">
<link rel="manifest" href="/manifest.webmanifest?lang=${language.code}"><link rel="apple-touch-icon" href="/icons/apple-180.png">
${parts.noindex ? '<meta name="robots" content="noindex">' : `<link rel="canonical" href="${escapeHtml(origin + withPrefix(path, language))}">${alternates}`}
${parts.refreshSeconds ? `<noscript><meta http-equiv="refresh" content="${parts.refreshSeconds}"></noscript>` : ''}
<style nonce="${nonce}" data-files="${parts.styleFiles.join(' ')}">${parts.styles}${brand ? `:root:root:root{${brand}}` : ''}</style><noscript><style nonce="${nonce}">.needs-script{display:none}.without-script{display:block}</style></noscript>${parts.structuredData ? `<script type="application/ld+json" nonce="${nonce}">${json(parts.structuredData)}</script>` : ''}</head>
<body><div id="root">${parts.body}</div>${leaveForm(parts.leave)}<script type="application/json" id="page" nonce="${nonce}">${json(initial)}</script>
<script nonce="${nonce}">${loaderScript(parts, initial.script)}</script></body></html>`;
}

/** Ends the visit on a shared phone without script, after paying. With script the page does it by itself. */
const leaveForm = (words: DocumentParts['leave']): string =>
  words
    ? `<aside class="without-script leave" aria-label="${escapeHtml(words.button)}"><form method="post" action="${paths.leave}"><p>${escapeHtml(words.why)}</p><button>${escapeHtml(words.button)}</button></form></aside>`
    : '';

/** Preview data for shared links. */
function openGraph({ title, description, initial, language, origin }: DocumentParts): string {
  const facts = {
    'og:type': 'website',
    'og:site_name': initial.operator.brand.name,
    'og:title': title,
    'og:description': description,
    'og:locale': language.locale.replace('-', '_'),
    'og:url': origin + withPrefix(initial.path, language),
  };
  return Object.entries(facts)
    .map(([property, content]) => `<meta property="${property}" content="${escapeHtml(content)}">`)
    .join('');
}

function json(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
