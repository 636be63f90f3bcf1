import { expect, test } from '@playwright/test';
import { type RawAnswer, rawGet } from '../../server/src/testing/raw-request.ts';
import { foreignTarget, strangeAddresses } from '../../server/src/testing/strange-addresses.ts';
import { publicRoutes } from '../fixtures/routes.ts';

const site = 'http://portal.example';
const prefixes = ['', '/sw', '/mg'];
const queries = ['', '?lang=EN', '?lang=FR', '?lang=MG&redirect=//evil.example&q=%e2%82%ac'];
const headersOfPages = [
  'content-security-policy',
  'x-content-type-options',
  'x-frame-options',
  'referrer-policy',
  'cross-origin-opener-policy',
  'cross-origin-resource-policy',
];

/** What is wrong with an answer, in a word each. */
function faultsOf({ status, headers, body }: RawAnswer): string[] {
  const { location } = headers;
  return [
    ...(status >= 500 ? [`status ${status}`] : []),
    ...headersOfPages.filter((name) => !headers[name]).map((name) => `no ${name}`),
    ...(location !== undefined && foreignTarget(location, site) ? [`leads to ${location}`] : []),
    ...(location !== undefined && !/^[\x21-\x7e]+$/.test(location) ? ['location not ASCII'] : []),
    ...(/^a=b/.test(headers['set-cookie'] ?? '') ? ['a header was split'] : []),
    ...(/FST_|ERR_|Bad Request|Internal Server Error/.test(body) ? ['inner word'] : []),
    // A link that a browser takes for another site is a redirect that waits for a tap.
    ...(/(?:href|action|src|content)="(?:\/[/\\]|https?:\/\/evil)/.test(body) ? ['foreign link'] : []),
  ];
}

/** Several at once, for there are thousands. */
async function faulty(requests: { method: string; path: string; headers?: string[] }[]): Promise<string[]> {
  const found: string[] = [];
  const waiting = requests.values();
  const worker = async () => {
    for (const { method, path, headers = [] } of waiting) {
      const answer = await rawGet(process.env.PORTAL_URL ?? '', path, {
        method,
        headers: ['accept: text/html', ...headers],
      });
      const faults = answer ? faultsOf(answer) : ['no answer'];
      if (faults.length > 0) found.push(`${method} ${path}: ${faults.join(', ')}`);
    }
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  return found;
}

test.describe('SEC-20 no redirect leaves the site, and no URL causes a server error @desktop', () => {
  test('for every spelling of the URL, in every language', async () => {
    const addresses = strangeAddresses(prefixes).flatMap((address) => queries.map((query) => address + query));
    expect(addresses.length).toBeGreaterThan(3_000);
    expect(await faulty(addresses.map((path) => ({ method: 'GET', path })))).toEqual([]);
  });

  test('for every request method', async () => {
    const form = ['content-type: application/x-www-form-urlencoded', 'content-length: 0'];
    const addresses = strangeAddresses(['', '/sw']).map((address) => `${address}?lang=EN`);
    const requests = addresses.flatMap((path, index) => [
      { method: 'POST', path, headers: form },
      ...(index % 4 === 0
        ? [
            { method: 'HEAD', path },
            { method: 'OPTIONS', path },
            { method: 'DELETE', path },
          ]
        : []),
    ]);
    expect(await faulty(requests)).toEqual([]);
  });

  test('a known page changes its language and keeps its other query parameters', async () => {
    for (const route of publicRoutes.filter((each) => !each.includes('?'))) {
      const answer = await rawGet(process.env.PORTAL_URL ?? '', `${route}?lang=FR&q=a%20b`);
      expect([route, answer?.status, answer?.headers.location]).toEqual([
        route,
        303,
        `/sw${route === '/' ? '' : route}?q=a+b`,
      ]);
    }
  });

  test('a URL that names another site gets a 404 page whose links and scripts are ours', async ({ page }) => {
    for (const address of ['/%2fevil.example', '/sw/%2fevil.example', '/%5cevil.example']) {
      const answer = await page.goto(`${address}?lang=EN`);
      expect(answer?.status(), address).toBe(404);
      const links = await page
        .getByRole('banner')
        .getByRole('link')
        .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).origin));
      expect(new Set(links), address).toEqual(new Set([new URL(page.url()).origin]));
    }
  });
});
