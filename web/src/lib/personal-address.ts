/** Questions in addresses that say nothing about anybody. Whatever is not here may name a number, a place or an order. */
const impersonal: readonly string[] = ['opco', 'pageUrl', 'lang', 'kind', 'product', 'technology', 'channel', 'pg'];

/** An address without what it may say about somebody; null when it says nothing. */
export function withoutNames(address: string): string | null {
  const url = new URL(address);
  const personal = [...new Set(url.searchParams.keys())].filter((name) => !impersonal.includes(name));
  for (const name of personal) url.searchParams.delete(name);
  return personal.length > 0 ? url.href : null;
}
