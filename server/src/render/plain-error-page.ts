import type { OperatorPack } from '@portal/domain/operator.ts';
import type { PortalError } from '../http/portal-error.ts';

/** The fallback if rendering itself failed: one sentence and a link, without script or content service. */
export function plainErrorPage(error: PortalError, pack: OperatorPack, nonce: string): string {
  const title = 'Unexpected Application Error!';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)} · ${escapeHtml(pack.brand.name)}</title>
<style nonce="${nonce}">body{font:16px/1.5 system-ui,sans-serif;margin:0;background:#fff9f4;color:#24222f}main{max-width:36rem;margin:12vh auto;padding:0 16px}h1{font-size:22px;color:#1d1b3a}a{display:inline-block;margin-top:16px;padding:12px 16px;border-radius:8px;background:#c8410b;color:#fff;text-decoration:none}</style></head>
<body><main><h1>${escapeHtml(title)}</h1><p>${error.httpStatus} · ${escapeHtml(error.message)}</p><a href="/">${escapeHtml(pack.brand.name)}</a></main></body></html>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
