const slashes = [
  '/',
  '\\',
  '%2f',
  '%2F',
  '%5c',
  '%5C',
  '%252f',
  '%255c',
  '%c0%af',
  '%ef%bc%8f',
  '%e2%81%84',
  ';/',
  './',
  '%2e/',
];
const gaps = ['', '%09', '%0a', '%0d', '%0d%0a', '%00', '%20', '%c2%a0', '%e2%80%8b', '.', '%2e', '%2e%2e', '@', ':'];
const hosts = [
  'evil.example',
  'evil.example/a',
  'evil.example%2fa',
  'user@evil.example',
  '%65vil.example',
  '[::1]',
  '2130706433',
];
const single = [
  '/x%0d%0aSet-Cookie:a=b',
  '/x%0d%0a%0d%0a<script>',
  '/x%e2%82%ac',
  '/x%f0%9f%98%80',
  '/%ed%a0%80',
  '/%ff',
  '/%',
  '/%2',
  '/%zz',
  '/about%ff',
  '/sw/%ff',
  '/about/%00',
  '/gethelp/%0d%0a',
  '/payment/%2f%2fevil.example',
  '/payment/status/%0a',
  '/x\u00e9',
  '/@evil.example',
  '/.evil.example',
  '/..//evil.example',
  '/https:evil.example',
  '/https://evil.example',
  '/http:%2f%2fevil.example',
  '/javascript:alert(1)',
  '/%3f//evil.example',
  '/%23//evil.example',
  '/?//evil.example',
  '/;//evil.example',
  'http://evil.example/',
  'http://evil.example/about',
  'https://evil.example',
  '*',
];

/** URLs that some browser, proxy or decoder resolves to another site, or cannot parse. */
export function strangeAddresses(prefixes: readonly string[]): string[] {
  const made = prefixes.flatMap((prefix) =>
    slashes.flatMap((slash) =>
      gaps.flatMap((gap) =>
        hosts.slice(0, gap === '' ? hosts.length : 2).map((host) => `${prefix}/${gap}${slash}${host}`),
      ),
    ),
  );
  return [...new Set([...made, ...single])];
}

/** The other site that a browser would follow this location to; null if it stays on the site. */
export function foreignTarget(location: string, site: string): string | null {
  const { origin } = new URL(location, `${site}/some/page`);
  return origin === site ? null : origin;
}
