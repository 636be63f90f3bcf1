import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { html, type SafeHtml } from '../phone/html.ts';

export interface HostedPage {
  provider: 'paystack' | 'card' | 'orange' | 'openid';
  name: string;
  heading: string;
  amount: string;
  problem?: string | undefined;
  body: SafeHtml;
}

const nothing = html``;

/** A provider's hosted page: one form, no script. */
export function sendHostedPage(reply: FastifyReply, page: HostedPage, status = 200): FastifyReply {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.heading} - ${page.name}</title>
<link rel="stylesheet" href="/hosted/hosted.css">
</head>
<body class="${page.provider}">
<main>
  <header><p class="name">${page.name} <span>sandbox</span></p><p class="amount">${page.amount}</p></header>
  <h1>${page.heading}</h1>
  ${page.problem === undefined ? nothing : html`<p class="problem" role="alert">${page.problem}</p>`}
  ${page.body}
</main>
</body>
</html>
`;
  return reply
    .code(status)
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(document.text);
}

/** Adds parameters to the merchant's URL and keeps those it already has. */
export function withQuery(address: string, added: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(added)) url.searchParams.set(name, value);
  return url.href;
}

export function takeForms(scope: FastifyInstance): void {
  scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body.toString()))),
  );
}

export function isWebAddress(text: string | undefined): text is string {
  return text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

export function registerHostedStyle(app: FastifyInstance): void {
  app.register(async (scope) => {
    const css = await readFile(new URL('hosted.css', import.meta.url), 'utf8');
    scope.get('/hosted/hosted.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(css));
  });
}
