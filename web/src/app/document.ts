import { withPrefix } from '@portal/domain/language.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import type { InitialPage } from './initial-page.ts';
import { titleOf } from './title.ts';

export interface DocumentParts {
  body: string;
  initial: InitialPage;
  nonce: string;
  styles: string;
  styleFiles: readonly string[];
  scripts: { entry: string; all: readonly string[] };
  title: string;
  description: string;
  language: PublicPack['languages'][number];
  origin: string;
  noindex: boolean;
  refreshSeconds: number | undefined;
  /** What a search engine may know about the page beyond its words, by schema.org. */
  structuredData: unknown;
}

/** One request shows a usable page: words, form and styles are all in it. The script comes after the first paint. */
export function documentOf(parts: DocumentParts): string {
  const { initial, language, nonce, origin } = parts;
  const { operator, path } = initial;
  // Stronger than the style sheets that come with the script: they would give the built-in colours back.
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
${openGraph(parts)}<meta name="theme-color" content="${escapeHtml(operator.brand.tokens.night ?? '#1d1b3a')}"><link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="manifest" href="/manifest.webmanifest?lang=${language.code}"><link rel="apple-touch-icon" href="/icons/apple-180.png">
${parts.noindex ? '<meta name="robots" content="noindex">' : `<link rel="canonical" href="${escapeHtml(origin + withPrefix(path, language))}">${alternates}`}
${parts.refreshSeconds ? `<noscript><meta http-equiv="refresh" content="${parts.refreshSeconds}"></noscript>` : ''}
<style nonce="${nonce}" data-files="${parts.styleFiles.join(' ')}">${parts.styles}${brand ? `:root:root:root{${brand}}` : ''}</style><noscript><style nonce="${nonce}">.needs-script{display:none}</style></noscript>${parts.structuredData ? `<script type="application/ld+json" nonce="${nonce}">${json(parts.structuredData)}</script>` : ''}</head>
<body><div id="root">${parts.body}</div><script type="application/json" id="page" nonce="${nonce}">${json(initial)}</script>
<script nonce="${nonce}">${loaderScript(parts.scripts, initial.script)}</script></body></html>`;
}

/** How a link to the page looks where people share it. */
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

/**
 * Fetched after the first paint, the largest first; run when the browser is idle, or at the first touch or key, whichever
 * is sooner. A language chosen before is this tab's, as one chosen after. The screen is run with the entry, which then finds it ready; the entry is the one that says when it failed.
 */
function loaderScript({ entry, all }: DocumentParts['scripts'], screen: string): string {
  const scripts = JSON.stringify([entry, ...all.filter((script) => script !== entry)]);
  return `(function(){var p,d;function f(){if(p)return;p=1;${scripts}.forEach(function(s){var l=document.createElement("link");l.rel="modulepreload";l.href=s;document.head.append(l)})}
function g(){if(d)return;d=1;f();import(${JSON.stringify(entry)});import(${JSON.stringify(screen)}).catch(function(){})}
["pointerdown","keydown","focusin"].forEach(function(e){addEventListener(e,g,{once:true,capture:true,passive:true})});
addEventListener("click",function(e){var a=e.target.closest("a[hreflang]");try{if(a)sessionStorage.selectedLanguage=/lang=(\\w+)/.exec(a.href)[1]}catch(x){}});
var i=window.requestIdleCallback||function(h){setTimeout(h,200)};requestAnimationFrame(function(){setTimeout(function(){f();i(g,{timeout:2000})},0)})})()`;
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
