import { expect, type Page, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { amountField, buyButton, fillRecharge, numberField, open, prepaidLine, ways } from '../fixtures/walk.ts';

const bundles = (page: Page) => page.locator('[data-product]');

interface Loaded {
  url: string;
  bytes: number;
  encoding: string;
}

/** Records everything the page loads, with its transfer size. */
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

const recordScriptsAtHydration = (page: Page) =>
  page.addInitScript(() =>
    new MutationObserver(() => {
      const { dataset } = document.documentElement;
      if (dataset.hydrated === undefined || dataset.scripts) return;
      const names = performance.getEntriesByType('resource').map(({ name }) => name);
      dataset.scripts = JSON.stringify(names.filter((name) => name.endsWith('.js')));
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-hydrated'] }),
  );

for (const path of ['/', '/prepaid-recharge']) {
  test(`PRF-1 ${path} is usable after at most 20 kB and 2 requests, and its script is at most 72 kB and a chunk`, async ({
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
    await recordScriptsAtHydration(page);
    await open(page, path);
    // Lazy parts are requested from then on; how many of them are there already depends on the machine.
    const needed: string[] = JSON.parse((await page.locator('html').getAttribute('data-scripts')) ?? '[]');
    expect(needed.some((url) => url.includes('entry-client'))).toBe(true);
    const scripts = () =>
      loads()
        .slice(before)
        .filter(({ url }) => needed.includes(url));
    await expect.poll(() => scripts().filter(({ bytes }) => bytes > 0).length).toBe(needed.length);
    // The entry script of 72 kB and the route's chunk of 25 kB.
    expect(scripts().reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(72_000 + 25_000);
  });
}

test('PRF-1 immutable scripts are sent with few headers', async ({ page, request }) => {
  await open(page, '/prepaid-recharge');
  const script = await page.locator('link[rel=modulepreload]').first().getAttribute('href');
  const answer = await request.get(script ?? '');
  const headers = answer.headers();
  expect(headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  expect(lines.join('').length, lines.join('')).toBeLessThan(400);
});

test('PRF-1 everything after the form is requested in one round trip, without the styles inlined in the page', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const askedFor = (file: RegExp) => asked.some((path) => file.test(path));
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\.css$/, async (route) => {
    await promise;
    await route.continue();
  });
  await open(page, '/prepaid-recharge');
  // The scripts of the bundle list and their imports are requested while its styles are still loading.
  for (const file of [/line-bundles-.*\.css$/, /line-bundles-.*\.js$/, /bundle-words-.*\.js$/])
    await expect.poll(() => askedFor(file)).toBe(true);
  await numberField(page).fill(freshLine());
  await expect(prepaidLine(page)).toBeVisible();
  expect(await bundles(page).count()).toBe(0);
  release();
  await expect(bundles(page).first()).toBeVisible();

  const own = (await page.locator('style[data-files]').getAttribute('data-files')) ?? '';
  expect(own).toMatch(/^assets\/entry-client-\S+\.css assets\//);
  for (const file of own.split(' ')) expect(asked).not.toContain(`/${file}`);
});

test('PRF-2 no request starts in the task that hydrates the form', async ({ page }) => {
  await page.addInitScript(() => {
    const seen = { calls: 0, links: [] as string[] };
    const ask = window.fetch;
    window.fetch = (...call) => {
      if (!document.documentElement.hasAttribute('data-told')) seen.calls += 1;
      return ask(...call);
    };
    new MutationObserver(() => {
      const { documentElement } = document;
      if (!documentElement.hasAttribute('data-hydrated') || documentElement.dataset.told) return;
      seen.links = [...document.querySelectorAll('link[rel=modulepreload],link[rel=stylesheet]')].map(
        (link) => link.getAttribute('href') ?? '',
      );
      documentElement.dataset.told = JSON.stringify(seen);
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-hydrated'] });
  });
  const lazyParts = page.waitForRequest(/\/assets\/lazy-parts-.*\.js$/);
  const counted = page.waitForRequest(/event/i);
  await open(page, '/prepaid-recharge');
  const seen = JSON.parse((await page.locator('html').getAttribute('data-told')) ?? 'null');
  expect(seen.calls).toBe(0);
  expect(seen.links.filter((file: string) => !/entry-client|forms|prepaid-recharge\.screen/.test(file))).toEqual([]);
  await lazyParts;
  await counted;
});

test('a stylesheet that failed to load is fetched again', async ({ page }) => {
  await page.route(/line-bundles-.*\.css$/, (route) => route.abort(), { times: 1 });
  await open(page, '/prepaid-recharge');
  await numberField(page).fill(freshLine());
  await expect(bundles(page).first()).toBeVisible();
  await expect(page.locator('link[rel=stylesheet][href*="/line-bundles-"]')).toHaveCount(1);
});

test.describe('prefetch of the payment page', () => {
  const asksForPayment = (page: Page) => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/assets\/payment\.screen-.*\.js$/.test(request.url())) asked.push(request.url());
    });
    return asked;
  };

  test('its script is prefetched once the form is complete, and not before', async ({ page }) => {
    const asked = asksForPayment(page);
    await open(page, '/prepaid-recharge');
    await amountField(page).fill('1000');
    await numberField(page).fill('39000');
    await expect(buyButton(page)).toBeDisabled();
    await page.waitForLoadState('networkidle');
    expect(asked).toEqual([]);
    await numberField(page).fill(freshLine());
    await expect.poll(() => asked.length).toBe(1);
    await expect(page).toHaveURL(/prepaid-recharge$/);
    await buyButton(page).click();
    await expect(ways(page).getByRole('link').first()).toBeVisible();
    expect(asked.length).toBe(1);
  });

  test('with Save-Data its script is loaded on navigation only', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'connection', { value: { saveData: true } });
    });
    const asked = asksForPayment(page);
    await open(page, '/prepaid-recharge');
    await fillRecharge(page, freshLine(), 1_000);
    await page.waitForLoadState('networkidle');
    expect(asked).toEqual([]);
    await buyButton(page).click();
    await expect(ways(page).getByRole('link').first()).toBeVisible();
    expect(asked.length).toBe(1);
  });
});
