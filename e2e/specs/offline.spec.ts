import { expect, type Page } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { expectNoViolations } from '../fixtures/axe.ts';
import { mapReady } from '../fixtures/map.ts';
import { otherSettings, test } from '../fixtures/own-stack.ts';
import { type CallName, isCall } from '../fixtures/portal.ts';
import {
  amountField,
  buyAirtime,
  buyButton,
  fact,
  grouped,
  numberField,
  open,
  pay,
  prepaidLine,
  scriptReady,
  store,
  stored,
  toStatusPage,
  ways,
} from '../fixtures/walk.ts';
import { everythingKept, keptAddresses, openAndKeep, recordViolations, standBetween } from '../fixtures/worker.ts';

test.use({ serviceWorkers: 'allow', ownSettings: otherSettings });

const offlineBar = (page: Page) => page.getByText('You are offline.');
const keepButton = (page: Page) => page.getByRole('button', { name: 'KEEP MY ORDER' });
const keptCard = (page: Page) => page.getByRole('region', { name: 'Your order is kept on this phone' });
const updateBar = (page: Page) => page.getByText('A new version is ready.');
const keptResults = (page: Page) => page.getByText(/These are the results kept on this phone on \d+ \w+ \d{4}/);

/** Records all calls that enquire about money or move it. */
function recordMoneyCalls(page: Page): string[] {
  const money: CallName[] = ['paymentOptions', 'initiate', 'mpesaInitiate', 'authInitiate', 'process', 'mpesaProcess'];
  const sent: string[] = [];
  page.context().on('request', (request) => {
    if (money.some((name) => isCall(name)(request))) sent.push(request.url());
  });
  return sent;
}

test('PRF-6 a second visit works offline: home, recharge, help with its search, shops and coverage', async ({
  page,
  context,
}) => {
  const violations = recordViolations(page);
  await openAndKeep(page, '/');
  await openAndKeep(page, '/gethelp');
  await expect.poll(() => keptAddresses(page)).toContain('/cms/webpage/getFaqs_pCategory?opco=MG&lang=en');
  await open(page, '/store-locator');
  await page.getByLabel('City or pincode').fill('Toamasina');
  await page.getByRole('button', { name: 'Search' }).click();
  const shops = page.getByRole('region', { name: 'Shops, nearest first' }).getByRole('listitem');
  await expect(shops.first()).toBeVisible();
  const found = await shops.count();
  await mapReady(page);
  await open(page, '/openNetworks');
  await page.getByLabel('Place').first().fill('Antsirabe');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(page.getByRole('heading', { name: /Antsirabe/ }).first()).toBeVisible();
  await mapReady(page);
  await expect.poll(() => keptAddresses(page)).toContain('/map/mg/fine.json');
  await page.close();

  await context.setOffline(true);
  const second = await context.newPage();
  const later = recordViolations(second);
  await open(second, '/');
  await expect(offlineBar(second)).toBeVisible();
  await expect(second.getByText(/This page was kept on this phone on \d+ \w+ \d{4}/)).toBeVisible();
  await expect(numberField(second)).toBeVisible();
  await open(second, '/prepaid-recharge');
  await expect(second.getByRole('heading', { name: 'Recharge a prepaid line' })).toBeVisible();

  await open(second, '/gethelp');
  await second.getByRole('searchbox').fill('wrong pin');
  await second.getByRole('link', { name: 'I typed a wrong PIN. Was money taken?' }).click();
  await expect(second.getByRole('heading', { name: 'I typed a wrong PIN. Was money taken?' })).toBeVisible();
  await expect(second.locator('article')).toContainText('PIN');
  await second.reload();
  await scriptReady(second);
  await expect(second.getByRole('heading', { name: 'I typed a wrong PIN. Was money taken?' })).toBeVisible();

  await open(second, '/store-locator');
  const again = second.getByRole('region', { name: 'Shops, nearest first' }).getByRole('listitem');
  await expect(again).toHaveCount(found);
  await expect(keptResults(second)).toBeVisible();
  await mapReady(second);

  await open(second, '/openNetworks');
  await expect(second.getByRole('heading', { name: /Antsirabe/ }).first()).toBeVisible();
  await expect(keptResults(second)).toBeVisible();
  await mapReady(second);

  // Never visited, so not cached; the offline page links onwards.
  await second.goto('/contact-us');
  await expect(second.getByRole('heading', { name: 'This page needs the network' })).toBeVisible();
  await scriptReady(second);
  await expectNoViolations(second, 'without network');
  await expect(second.getByRole('link', { name: 'Try again' })).toBeVisible();
  await context.setOffline(false);
  // The page that was requested comes by itself.
  await expect(second.getByRole('heading', { level: 1 })).not.toHaveText('This page needs the network');
  await expect(offlineBar(second)).toBeHidden();
  expect([...violations, ...later]).toEqual([]);
});

test('PRF-6 after a visit of home alone, help answers and shops open offline', async ({ page, context }) => {
  await openAndKeep(page, '/sw', '/sw');
  const ahead = ['/cms/webpage/getFaqs_pCategory?opco=MG&lang=fr', '/cms/maps/faniloshops?kind=shop&opco=MG&lang=fr'];
  await expect.poll(() => keptAddresses(page)).toEqual(expect.arrayContaining(ahead));
  await context.setOffline(true);
  await page.goto('/sw/contact-us');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cette page a besoin du réseau');
  await scriptReady(page);
  await page.getByRole('main').getByRole('link', { name: 'Trouver une boutique' }).click();
  await page.getByRole('searchbox').fill('Antsirabe');
  await expect(page.getByRole('listitem').filter({ hasText: 'Antsirabe' }).first()).toBeVisible();

  await open(page, '/sw/gethelp/pin/pin-wrong');
  await expect(page.locator('article')).toContainText('code secret');
  await page.getByRole('searchbox').fill('solde');
  await expect(page.getByRole('main').getByRole('link', { name: /solde/i }).first()).toBeVisible();
});

test('PRF-6 APP-3 D1 the offline page needs no script of its own: in the chosen language, and a retry loads the page', async ({
  page,
  context,
}) => {
  await openAndKeep(page, '/mg', '/mg');
  const removed = await page.evaluate(async () => {
    let count = 0;
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const { url } of await cache.keys())
        if (/\/assets\/offline[^/]*\.js$/.test(url)) count += Number(await cache.delete(url, { ignoreVary: true }));
    }
    return count;
  });
  expect(removed).toBe(1);
  // The browser has a copy of its own.
  await (await context.newCDPSession(page)).send('Network.clearBrowserCache');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await context.setOffline(true);
  await page.goto('/mg/contact-us');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Mila tambajotra ity pejy ity');
  const retry = page.getByRole('main').getByRole('link', { name: 'Andramo indray' });
  // Its script is asked for by the first touch and does not come.
  await page.keyboard.press('Shift');
  await expect.poll(() => asked.filter((url) => /\/assets\/offline[^/]*\.js$/.test(url)).length).toBeGreaterThan(0);
  await expect(page.locator('html[data-hydrated]')).toHaveCount(0);
  await expect(page.locator('body')).not.toContainText(/fetch|module|Unexpected/i);
  await expect(page.getByRole('alert')).toHaveCount(0);
  await context.setOffline(false);
  await retry.click();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Mila tambajotra ity pejy ity');
  await expect(page).toHaveURL(/\/mg\/contact-us$/);
});

test('PRF-6 shops rendered with the page are cached like those searched on it', async ({ page, context }) => {
  await openAndKeep(page, '/store-locator');
  await open(page, '/store-locator?q=Toliara');
  const shops = page.getByRole('region', { name: 'Shops, nearest first' }).getByRole('listitem');
  const found = await shops.count();
  await expect.poll(async () => (await keptAddresses(page)).join()).toContain('shopsbycoordinates');
  await context.setOffline(true);
  await open(page, '/store-locator');
  await expect(keptResults(page)).toBeVisible();
  await expect(shops).toHaveCount(found);
});

test('PRF-6 D1 offline the chosen language is kept, and a page cached in another language is not shown', async ({
  page,
  context,
}) => {
  await openAndKeep(page, '/');
  await openAndKeep(page, '/sw/gethelp', '/sw');
  await expect.poll(() => keptAddresses(page)).toContain('/cms/webpage/getFaqs_pCategory?opco=MG&lang=fr');
  await context.setOffline(true);
  await open(page, '/sw/gethelp/pin/pin-wrong');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr-FR');
  await expect(page.locator('article')).toContainText('code secret');
  await page.getByRole('searchbox').fill('code secret oublie');
  await expect(page.getByRole('link', { name: /code secret/ }).first()).toBeVisible();
  await expect(page.getByText('Vous êtes hors ligne.')).toBeVisible();
  // The cookie now says French, but the cached page without prefix is in English.
  await open(page, '/');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr-FR');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Rechargez/);
});

test('PRF-6 APP-14 MNY-4 airtime and a bundle ordered offline are stored, confirmed again, and never sent by themselves; a shared phone stores none', async ({
  page,
  context,
}) => {
  const line = freshLine();
  const money = recordMoneyCalls(page);
  await openAndKeep(page, '/prepaid-recharge');
  await context.setOffline(true);
  await numberField(page).fill(line);
  await amountField(page).fill('1500');
  await expect(page.getByText('Buying needs the network.')).toBeVisible();
  // Wait for the result of the line check, because it moves the button.
  await expect(page.getByText('We could not check this number just now.')).toBeVisible();
  await keepButton(page).click();
  await expect(keptCard(page)).toBeFocused();
  await expect(keptCard(page)).toContainText(`Credit, MGA 1,500, for +261 ${grouped(line)}`);
  await expect(keptCard(page).getByRole('button', { name: 'Go on with this order' })).toBeHidden();
  await expectNoViolations(page, 'a kept order');
  await page.close();

  const later = await context.newPage();
  await open(later, '/');
  await expect(keptCard(later)).toContainText(grouped(line));
  await context.setOffline(false);
  await expect(keptCard(later)).toContainText('Do you still want to buy this?');
  // Wait long enough for a page that submits by itself.
  await later.waitForTimeout(1_500);
  expect(money).toEqual([]);
  await keptCard(later).getByRole('button', { name: 'Go on with this order' }).click();
  await expect(keptCard(later)).toBeHidden();
  await expect(numberField(later)).toHaveValue(grouped(line));
  await expect(prepaidLine(later)).toBeVisible();
  expect(money).toEqual([]);
  await buyButton(later).click();
  await expect(fact(later, 'Final amount')).toHaveText('MGA 1,500');

  await open(later, '/data-bundle');
  await numberField(later).fill(line);
  const buy = later.getByRole('main').getByRole('button', { name: /Buy/ }).first();
  await expect(buy).toBeVisible();
  await context.setOffline(true);
  await expect(offlineBar(later)).toBeVisible();
  await buy.click();
  await expect(keptCard(later)).toBeVisible();
  await keptCard(later).getByRole('button', { name: 'Forget it' }).click();
  await expect(keptCard(later)).toBeHidden();
  await buy.click();
  await context.setOffline(false);
  await keptCard(later).getByRole('button', { name: 'Go on with this order' }).click();
  await expect(ways(later).getByRole('link').first()).toBeVisible();
  expect(await stored(later, 'QueryData')).toMatchObject({ msisdn: line, transactionType: 'PREPAID_BUNDLES' });
  expect(money.filter((url) => /initiate|process/.test(url))).toEqual([]);

  await later.evaluate(() => localStorage.setItem('sharedPhone', '1'));
  await open(later, '/prepaid-recharge');
  await context.setOffline(true);
  await numberField(later).fill(line);
  await amountField(later).fill('1000');
  await expect(later.getByText('This phone is shared, so your order is not kept')).toBeVisible();
  await expect(keepButton(later)).toBeDisabled();
  expect(await later.evaluate(() => JSON.stringify(localStorage))).not.toContain(line);
});

test('SEC-8 PRF-6 nothing about a person or a payment is in any cache after a whole payment', async ({
  page,
  context,
}) => {
  const line = freshLine();
  await openAndKeep(page, '/');
  await page.goto(`/prepaid-recharge?msisdn=${line}&amount=1000`);
  await scriptReady(page);
  await buyAirtime(page, line, 1_000);
  const id = await pay(page);
  await toStatusPage(page);
  await page.reload();
  await scriptReady(page);
  await page.evaluate((address) => fetch(address), `/receipts/${id}.pdf`);
  // An order in the URL, as without script.
  await open(page, '/prepaid-recharge');
  const sealed = await page.evaluate(
    async ([number]) => {
      const body = new URLSearchParams({ msisdn: number ?? '', amount: '1000', redirectPage: '/' });
      return (await fetch('/prepaid-recharge', { method: 'POST', body })).url;
    },
    [line],
  );
  expect(sealed).toContain('/payment/start?order=');
  await page.goto(sealed);
  await scriptReady(page);
  await page.goto('/orp/fixed-internet');
  await scriptReady(page);

  const kept = await everythingKept(page);
  const token = new URL(sealed).searchParams.get('order') ?? '';
  expect(kept.length).toBeGreaterThan(10);
  for (const { url, body } of kept) {
    if (!url.includes('/assets/'))
      expect(url).not.toMatch(/payment|transaction|receipts|order=|line=|msisdn|otp|subscriber/);
    for (const secret of [line, grouped(line), id, token]) {
      expect(url).not.toContain(secret);
      expect(body.includes(secret), `${url} holds ${secret}`).toBe(false);
    }
  }
  // After a reload the order is still there, although the payment page is not cached.
  await open(page, '/prepaid-recharge');
  await store(page, 'QueryData', orderFor(line));
  await context.setOffline(true);
  await open(page, '/payment/start/fanilo-money');
  await expect(page.getByRole('complementary', { name: 'Your order' })).toContainText(grouped(line));
  await expect(offlineBar(page)).toBeVisible();
});

test('a new version is announced, but not during a payment or typing, and replaces the old one and its caches @desktop', async ({
  page,
  baseURL,
}) => {
  const between = await standBetween(baseURL ?? '');
  await page.goto(between.url);
  const caches = () => page.evaluate(() => window.caches.keys());
  await page.evaluate(() => window.caches.open('portal mg pages of-long-ago'));
  await scriptReady(page);
  await expect.poll(caches).toHaveLength(3);
  expect(await caches()).not.toContain('portal mg pages of-long-ago');
  const before = (await caches()).find((name) => name.includes('pages'));

  between.worker = (script) => script.replace(/"version":"[^"]+"/, '"version":"another"');
  await store(page, 'QueryData', orderFor(freshLine()));
  await page.goto(`${between.url}/payment/start`);
  await scriptReady(page);
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.ready).waiting !== null)).toBe(true);
  await expect(ways(page).getByRole('link').first()).toBeVisible();
  await expect(updateBar(page)).toBeHidden();

  // The update is offered in another tab; it reloads only that tab while this one pays.
  const other = await page.context().newPage();
  await other.goto(between.url);
  await scriptReady(other);
  await expect(updateBar(other)).toBeVisible();
  await expectNoViolations(other, 'a new version');
  await numberField(other).fill('39');
  await expect(updateBar(other)).toBeHidden();
  await numberField(other).fill('');
  await expect(updateBar(other)).toBeVisible();
  await Promise.all([other.waitForEvent('load'), other.getByRole('button', { name: 'Reload' }).click()]);
  await scriptReady(other);
  expect(await caches()).toContain(before);
  await page.goto(`${between.url}/about`);
  await scriptReady(page);
  await expect(updateBar(page)).toBeVisible();
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reload' }).click()]);
  await scriptReady(page);
  await expect.poll(caches).toEqual(expect.arrayContaining(['portal mg pages another', 'portal mg content 1']));
  expect(await caches()).not.toContain(before);
  await expect(updateBar(page)).toBeHidden();
  await between.stop();
});

test('PRF-6 a connection that does not answer falls back to the cached page; switching the worker off clears all caches @desktop', async ({
  page,
  baseURL,
  ownPortal,
}) => {
  const between = await standBetween(baseURL ?? '');
  await page.goto(between.url);
  await scriptReady(page);
  await expect.poll(() => keptAddresses(page)).toEqual(expect.arrayContaining(['/', '/offline']));
  between.fallSilent();
  await page.goto(between.url);
  await expect(page.locator('html[data-kept]')).toBeAttached();
  await scriptReady(page);
  await expect(page.getByText('This page was kept on this phone')).toBeVisible();

  between.speak();
  between.portal = ownPortal;
  await page.goto(between.url);
  await expect.poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await page.goto(between.url);
  await scriptReady(page);
  await expect.poll(() => page.evaluate(() => window.caches.keys())).toEqual([]);
  await page.waitForTimeout(500);
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)).toBe(0);
  await between.stop();
});

test('the portal can be installed with its name and icons in each language @desktop', async ({ page, request }) => {
  await openAndKeep(page, '/');
  const session = await page.context().newCDPSession(page);
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Test contexts are incognito, which is not installable.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([]);
  for (const [prefix, locale] of [
    ['', 'en-GB'],
    ['/sw', 'fr-FR'],
    ['/mg', 'mg-MG'],
  ] as const) {
    await page.goto(prefix || '/');
    const href = (await page.locator('link[rel=manifest]').getAttribute('href')) ?? '';
    const answer = await request.get(href);
    expect(answer.headers()['content-type']).toContain('application/manifest+json');
    const manifest = await answer.json();
    expect(manifest).toMatchObject({ name: 'Fanilo', lang: locale, display: 'standalone', scope: '/', id: '/' });
    expect(manifest.start_url).toBe(prefix || '/');
    expect(manifest.theme_color).toBe(await page.locator('meta[name=theme-color]').getAttribute('content'));
    const shapes = manifest.icons.map((icon: { sizes: string; purpose: string }) => `${icon.sizes} ${icon.purpose}`);
    expect(shapes).toEqual(['192x192 any', '512x512 any', '512x512 maskable']);
    for (const { src, sizes } of manifest.icons as { src: string; sizes: string }[]) {
      const png = await (await request.get(src)).body();
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(sizes);
    }
  }
  expect((await request.get('/sw.js')).headers()['cache-control']).toBe('no-cache');
});
