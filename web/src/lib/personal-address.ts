/** Query parameters that say nothing about anybody. Any other may contain a number, a place or an order. */
const impersonal: readonly string[] = ['opco', 'pageUrl', 'lang', 'kind', 'product', 'technology', 'channel', 'pg'];

/** A URL without personal parameters; null when it has none. */
export function withoutNames(address: string): string | null {
  const url = new URL(address);
  const personal = [...new Set(url.searchParams.keys())].filter((name) => !impersonal.includes(name));
  for (const name of personal) url.searchParams.delete(name);
  return personal.length > 0 ? url.href : null;
}
