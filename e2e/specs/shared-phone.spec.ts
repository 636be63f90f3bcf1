import { expect, type Page, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import {
  amountField,
  buyButton,
  chooseWay,
  grouped,
  numberField,
  open,
  pay,
  scriptReady,
  toStatusPage,
} from '../fixtures/walk.ts';
import { everythingKept, openAndKeep } from '../fixtures/worker.ts';

const here = { latitude: -18.1492, longitude: 49.4023 };
const email = 'lova.shared@example.mg';
const towns = ['Toamasina', 'Antsirabe'];

test.use({ serviceWorkers: 'allow', geolocation: here, permissions: ['geolocation'] });

const shops = (page: Page) => page.getByRole('region', { name: 'Shops, nearest first' }).getByRole('listitem');
const sharedButton = (page: Page) => page.getByRole('button', { name: 'This phone is shared' });
const toHome = (page: Page) => page.getByRole('banner').getByRole('link').first().click();

const visitOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name.endsWith('visit'))?.value;

/** Client-side navigation, as by a link. */
async function go(page: Page, path: string) {
  await page.evaluate((target) => window.history.pushState(null, '', target), path);
  await expect(page).toHaveURL(path);
}

/**
 * Which of these words are left on this phone: in storage, databases, cookies, history entries, cache names and
 * contents. Shops and towns are public, so for places only searches count.
 */
async function found(page: Page, words: readonly string[]): Promise<string[]> {
  const stored = await page.evaluate(async () => ({
    device: { ...localStorage },
    tab: { ...sessionStorage },
    databases: (await indexedDB.databases()).map(({ name }) => name),
  }));
  const session = await page.context().newCDPSession(page);
  const { entries } = await session.send('Page.getNavigationHistory');
  await session.detach();
  const kept = await everythingKept(page);
  const addresses = [...kept, ...entries].map(({ url }) => decodeURIComponent(url));
  const asked = JSON.stringify([stored, addresses, await page.context().cookies()]);
  const bodies = kept.filter(({ url }) => !url.includes('/assets/')).map(({ body }) => body);
  return words.filter(
    (word) => asked.includes(word) || (isPersons(word) && bodies.some((body) => body.includes(word))),
  );
}

const isPersons = (word: string) => /^[\d@.\w]{9,}$/.test(word) && !towns.includes(word);

async function searchForShops(page: Page, town: string) {
  await go(page, '/store-locator');
  await page.getByLabel('City or pincode').fill(town);
  await page.getByRole('button', { name: 'Search' }).click();
  await expect(shops(page).first()).toBeVisible();
  await page.getByRole('button', { name: 'Use current location' }).click();
  await expect(page.getByText(/km/).first()).toBeVisible();
}

/** From the recharge page to the final status by client-side navigation; returns the payment's id. */
async function buy(page: Page, line: string): Promise<string> {
  await go(page, '/prepaid-recharge');
  await numberField(page).fill(line);
  await amountField(page).fill('1000');
  await expect(buyButton(page)).toBeEnabled();
  await buyButton(page).click();
  await chooseWay(page, 'Fanilo Money');
  await page.evaluate((emailId) => {
    const order = JSON.parse(sessionStorage.getItem('QueryData') ?? '{}');
    sessionStorage.setItem('QueryData', JSON.stringify({ ...order, emailId }));
  }, email);
  await pay(page);
  await toStatusPage(page);
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  return new URL(page.url()).searchParams.get('id') ?? '';
}

/** Names of keys that hold a number, email, place or order. */
const names = [
  'QueryData',
  'paidOrders',
  'recentPurchases',
  'lastPlace',
  'keptOrder',
  email,
  '-18.14',
  '49.40',
  ...towns,
];

test('SEC-30 on a shared phone no number, email, place or order remains in storage, caches or history', async ({
  page,
}) => {
  await openAndKeep(page, '/');
  const line = freshLine();
  await searchForShops(page, 'Toamasina');
  const id = await buy(page, line);
  await toHome(page);
  await expect(page).toHaveURL('/');
  // Control: before, all of it is found.
  const first = [line, id, 'recentPurchases', 'lastPlace', 'Toamasina', '49.40'];
  expect(await found(page, first)).toEqual(first);

  await sharedButton(page).click();
  await expect(page.getByText('Nothing is kept on this phone.')).toBeVisible();
  await expect.poll(() => found(page, [line, id, ...names])).toEqual([]);
  await expect(page).toHaveURL('/');

  // The next person leaves as little.
  const second = freshLine();
  await searchForShops(page, 'Antsirabe');
  const other = await buy(page, second);
  await toHome(page);
  await expect(page).toHaveURL('/');
  await expect.poll(() => found(page, [line, id, second, other, ...names])).toEqual([]);

  // Nor does going back show it.
  for (let entry = 0; entry < 4; entry += 1) {
    await page.goBack();
    const state = JSON.stringify(await page.evaluate(() => window.history.state));
    for (const word of [line, id, second, other, ...towns]) expect(page.url() + state).not.toContain(word);
  }
});

test('SEC-30 the next visitor sees no full number behind the status link of the previous one', async ({ page }) => {
  await open(page, '/store-locator');
  const line = freshLine();
  const id = await buy(page, line);
  await toHome(page);
  await expect(page).toHaveURL('/');
  const visit = () => visitOf(page);
  const ofTheFirst = await visit();
  const shown = page.getByRole('main');
  await open(page, `/payment/status?id=${id}`);
  await expect(shown).toContainText(grouped(line));
  await open(page, '/');
  expect(await visit()).toBe(ofTheFirst);

  // Another tab still shows the status; that does not prevent handing on.
  const beside = await page.context().newPage();
  await open(beside, `/payment/status?id=${id}`);
  await expect(beside.getByRole('main')).toContainText(grouped(line));
  await sharedButton(page).click();
  await expect.poll(visit).not.toBe(ofTheFirst);
  await expect(beside.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await expect(beside.getByRole('main')).not.toContainText(grouped(line));
  await open(page, `/payment/status?id=${id}`);
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await expect(shown).not.toContainText(grouped(line));

  // The next person pays, goes home and hands the phone on.
  const second = await buy(page, freshLine());
  const ofTheSecond = await visit();
  await toHome(page);
  await expect(page).toHaveURL('/');
  await expect.poll(visit).not.toBe(ofTheSecond);
  expect(second).not.toBe(id);
});

test.describe('with late scripts', () => {
  // A service worker would already have them cached.
  test.use({ serviceWorkers: 'block' });

  test('SEC-30 a tab that was hydrated after the phone was called shared shows no full number either', async ({
    page,
  }) => {
    await open(page, '/prepaid-recharge');
    const line = freshLine();
    const id = await buy(page, line);
    const late = await page.context().newPage();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await late.route(/lazy-parts[^/]*\.js$/, async (route) => {
      await held;
      await route.continue();
    });
    await open(late, `/payment/status?id=${id}`);
    await expect(late.getByRole('main')).toContainText(grouped(line));
    await toHome(page);
    const before = await visitOf(page);
    await sharedButton(page).click();
    await expect.poll(() => visitOf(page)).not.toBe(before);
    await expect(late.getByRole('main')).toContainText(grouped(line));
    release();
    await expect(late.getByRole('main')).not.toContainText(grouped(line));
    await expect(late.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  });
});

test('SEC-30 the visit is kept while a payment runs in another tab, and ends after it', async ({ page, context }) => {
  const paying = await context.newPage();
  await open(paying, '/prepaid-recharge');
  await numberField(paying).fill(freshLine());
  await amountField(paying).fill('1000');
  await buyButton(paying).click();
  await chooseWay(paying, 'Fanilo Money');
  await page.goto('/robots.txt');
  await page.evaluate(() => localStorage.setItem('sharedPhone', '1'));
  const before = await visitOf(page);
  await open(page, '/');
  await expect(page.getByText('Nothing is kept on this phone.')).toBeVisible();
  expect(await visitOf(page)).toBe(before);
  await pay(paying);
  await toStatusPage(paying);
  await expect(paying.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await toHome(paying);
  await expect.poll(() => visitOf(page)).not.toBe(before);
});

test('SEC-30 the URL of an earlier document is cleaned when somebody goes back to it', async ({ page }) => {
  const line = freshLine();
  await open(page, `/prepaid-recharge?msisdn=${line}`);
  await expect(numberField(page)).toHaveValue(/\d/);
  await open(page, '/store-locator?q=Toamasina');
  await expect(shops(page).first()).toBeVisible();
  await open(page, '/');
  await sharedButton(page).click();
  await expect(page.getByText('Nothing is kept on this phone.')).toBeVisible();
  // As a person does; the driver's own command fails while the browser brings back a kept page.
  await page.evaluate(() => history.back());
  await expect(page).toHaveURL('/store-locator');
  await scriptReady(page);
  await expect(page.getByLabel('City or pincode')).toHaveValue('');
  await expect(shops(page)).toHaveCount(0);
  // Shown to everybody in the list of towns, and stored nowhere else.
  await expect(page.getByRole('navigation', { name: 'Towns with shops' })).toContainText('Toamasina');
  await expect(page.getByText('Toamasina')).toHaveCount(1);
  await page.goBack();
  await expect(page).toHaveURL('/prepaid-recharge');
  await scriptReady(page);
  await expect(numberField(page)).toHaveValue('');
});

test('SEC-30 a choice in one tab clears the other tabs too', async ({ page, context }) => {
  const line = freshLine();
  const other = await context.newPage();
  await open(other, '/prepaid-recharge');
  await numberField(other).fill(line);
  await amountField(other).fill('1000');
  await buyButton(other).click();
  await expect(other).toHaveURL(/\/payment\/start/);
  await go(other, '/store-locator?q=Toamasina');
  await expect(shops(other).first()).toBeVisible();
  expect(await found(other, [line, 'QueryData'])).toEqual([line, 'QueryData']);
  await open(page, '/');
  await sharedButton(page).click();
  await expect(other).toHaveURL('/store-locator');
  await expect.poll(() => found(other, [line, 'QueryData'])).toEqual([]);
  await expect(shops(other)).toHaveCount(0);
});
