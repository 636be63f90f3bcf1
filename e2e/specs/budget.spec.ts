import { expect, type Page, test } from '@playwright/test';
import { buyButton, open } from '../fixtures/walk.ts';

interface Loaded {
  url: string;
  bytes: number;
  encoding: string;
}

/** Everything the page loads, with the bytes that crossed the wire. */
async function recordLoads(page: Page): Promise<() => Loaded[]> {
  const loads = new Map<string, Loaded>();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const encoding = response.headers['content-encoding'] ?? response.headers['Content-Encoding'] ?? '';
    loads.set(requestId, { url: response.url, bytes: 0, encoding });
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const load = loads.get(requestId);
    if (load) load.bytes = encodedDataLength;
  });
  return () => [...loads.values()];
}

for (const path of ['/', '/prepaid-recharge']) {
  test(`PRF-1 ${path} is usable after at most 20 kB and 2 requests, and its script is at most 72 kB and a chunk @phone`, async ({
    page,
  }) => {
    const loads = await recordLoads(page);
    await page.route(/\.js$/, (route) => route.abort());
    await page.goto(path, { waitUntil: 'networkidle' });
    await expect(buyButton(page)).toBeEnabled();
    const counted = loads().filter(({ url }) => !url.endsWith('.js'));
    const [document] = counted;
    expect(document?.encoding).toBe('br');
    expect(document?.bytes).toBeGreaterThan(1_000);
    expect(counted.map(({ url }) => url).length).toBeLessThanOrEqual(2);
    expect(counted.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(20_000);
    expect(await page.locator('link[rel=stylesheet]').count()).toBe(0);

    await page.unrouteAll();
    const before = loads().length;
    await open(page, path);
    const scripts = loads()
      .slice(before)
      .filter(({ url }) => url.endsWith('.js'));
    // What every page shares, and what is this page's own: 72 kB and a chunk of 25.
    expect(scripts.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(72_000 + 25_000);
  });
}
