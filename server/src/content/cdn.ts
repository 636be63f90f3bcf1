const assetLink = /(["'(\s]|^)\/assets\/content\//g;

/** Rewrites asset links in content to the operator's CDN, if one is configured. */
export function rewriteAssets(body: unknown, base: string | null): unknown {
  if (base === null) return body;
  if (typeof body === 'string')
    return body.replace(assetLink, (_whole, before: string) => `${before}${base}/assets/content/`);
  if (Array.isArray(body)) return body.map((item) => rewriteAssets(item, base));
  if (typeof body === 'object' && body !== null)
    return Object.fromEntries(Object.entries(body).map(([key, value]) => [key, rewriteAssets(value, base)]));
  return body;
}
