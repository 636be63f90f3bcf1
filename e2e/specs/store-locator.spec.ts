import { expect, type Page, test } from '@playwright/test';
import { expectView, mapOf, mapReady } from '../fixtures/map.ts';
import { open } from '../fixtures/walk.ts';

const path = '/store-locator';
const box = (page: Page) => page.getByLabel('City or pincode');
const searchButton = (page: Page) => page.getByRole('button', { name: 'Search' });
const here = (page: Page) => page.getByRole('button', { name: 'Use current location' });
const cards = (page: Page) => page.getByRole('region', { name: 'Shops, nearest first' }).getByRole('listitem');
const pins = (page: Page) => mapOf(page).locator('.leaflet-marker-icon').filter({ hasText: /^\d+$/ });
const shopsCall = /\/cms\/maps\/faniloshopsbycoordinates\?/;
const antsirabe = { lat: -19.86586, lng: 47.03333 };

interface Shop {
  shop: string;
  location: { latitue: number; longitude: number };
  phyLocation: string;
  phNumber: string;
}

/** By the law of cosines, independent of the page's formula. */
function kilometres(from: typeof antsirabe, { latitue, longitude }: Shop['location']): number {
  const rad = Math.PI / 180;
  const cosine =
    Math.sin(from.lat * rad) * Math.sin(latitue * rad) +
    Math.cos(from.lat * rad) * Math.cos(latitue * rad) * Math.cos((longitude - from.lng) * rad);
  return 6_371 * Math.acos(Math.min(1, cosine));
}

test('STO-1 STO-2 a city or pincode shows the nearest shops as numbered pins with matching cards', async ({ page }) => {
  const answered = page.waitForResponse(shopsCall);
  await open(page, path);
  await expect(page.getByText('or', { exact: true })).toBeVisible();
  await box(page).fill('110');
  await searchButton(page).click();
  const shops = (await (await answered).json()) as Shop[];
  await expect(
    page.getByRole('heading', { name: 'The 50 nearest shops to Antsirabe, Vakinankaratra 110' }),
  ).toBeVisible();
  await expect(cards(page)).toHaveCount(shops.length);
  let before = 0;
  for (const [index, shop] of shops.slice(0, 12).entries()) {
    const card = cards(page).nth(index);
    const name = shop.shop.split('-')[0]?.trim() ?? '';
    await expect(card).toContainText(`${index + 1}`);
    await expect(card.getByRole('heading')).toHaveText(name);
    await expect(card).toContainText(shop.phyLocation);
    await expect(card.getByRole('link', { name: `Call ${shop.phNumber}` })).toHaveAttribute(
      'href',
      `tel:${shop.phNumber.replace(/ /g, '')}`,
    );
    const shown = Number(/([\d.]+) Km/.exec(await card.innerText())?.[1]);
    const exact = kilometres(antsirabe, shop.location);
    expect(Math.abs(shown - exact)).toBeLessThanOrEqual(exact * 0.01 + 0.051);
    expect(exact).toBeGreaterThanOrEqual(before);
    before = exact;
  }
  await mapReady(page);
  await expect(pins(page)).toHaveCount(shops.length);

  const third = shops[2] as Shop;
  const pin = pins(page).filter({ hasText: /^3$/ });
  const usual = await pin.evaluate((node: HTMLElement) => node.offsetWidth);
  await cards(page).nth(2).hover();
  await expect.poll(() => pin.evaluate((node: HTMLElement) => node.offsetWidth)).toBeGreaterThan(usual * 1.3);
  await expectView(page, { zoom: 13, lat: third.location.latitue, lng: third.location.longitude });
  const fifth = shops[4] as Shop;
  await cards(page)
    .nth(4)
    .getByRole('link', { name: /Directions/ })
    .focus();
  await expectView(page, { zoom: 13, lat: fifth.location.latitue, lng: fifth.location.longitude });
  await expect.poll(() => pin.evaluate((node: HTMLElement) => node.offsetWidth)).toBe(usual);
  await expect(
    cards(page)
      .nth(4)
      .getByRole('link', { name: /Directions/ }),
  ).toHaveAttribute(
    'href',
    `https://www.google.com/maps/dir/?api=1&destination=${fifth.location.latitue}%2C${fifth.location.longitude}`,
  );
});

test('STO-2 on an Android phone directions open in its map app', async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    baseURL,
    userAgent: 'Mozilla/5.0 (Linux; Android 11; TECNO) Chrome/120 Mobile',
  });
  const page = await context.newPage();
  await open(page, `${path}?q=Toamasina`);
  await expect(
    cards(page)
      .first()
      .getByRole('link', { name: /Directions/ }),
  ).toHaveAttribute('href', /^geo:-18\.\d+,49\.\d+\?q=-18\.\d+,49\.\d+\(Boutique/);
  await context.close();
});

test('STO-3 ERR-1 no shops nearby, a failed call, a place abroad and an empty field are each reported with what to do', async ({
  page,
}) => {
  await open(page, '/storeLocator');
  await searchButton(page).click();
  await expect(page.getByText('Please enter a town, a place or a postal code')).toBeVisible();
  const panel = page.getByRole('status').filter({ has: page.getByRole('heading', { name: 'No results' }) });
  await box(page).fill('Antsirabe');
  await searchButton(page).click();
  await expect(pins(page)).toHaveCount(50);
  await box(page).fill('Nairobi');
  await searchButton(page).click();
  await expect(pins(page)).toHaveCount(0);
  await expect(panel.getByRole('heading')).toBeInViewport();
  await expect(panel).toContainText('We know no place called “Nairobi” in Madagascar.');
  await expect(panel).toContainText('Try again with another town or postal code.');
  await expect(panel.locator('svg')).toBeVisible();

  // Every town has a dealer within 100 km, so use a point at sea.
  await page.route(shopsCall, (route) => {
    const url = new URL(route.request().url());
    url.searchParams.set('longitude', '60');
    return route.continue({ url: url.href });
  });
  await box(page).fill('Morombe');
  await searchButton(page).click();
  await expect(panel).toContainText('There is no shop within 100 km of Morombe');
  await page.unrouteAll();
  await page.route(shopsCall, (route) => route.abort());
  await box(page).fill('Ihosy');
  await searchButton(page).click();
  await expect(panel).toContainText('The shops could not be loaded just now.');
});

test('STO-1 Back restores the state before the first search; shops around a position are not labelled with another place', async ({
  page,
  context,
}) => {
  await open(page, path);
  await box(page).fill('Antsirabe');
  await searchButton(page).click();
  await expect(cards(page)).toHaveCount(50);
  await page.goBack();
  await expect(cards(page)).toHaveCount(0);
  await expect(box(page)).toHaveValue('');
  await page.goForward();
  await expect(box(page)).toHaveValue('Antsirabe');
  await expect(cards(page)).toHaveCount(50);

  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: -18.15, longitude: 49.4, accuracy: 20 });
  await here(page).click();
  await expect(cards(page).first()).toContainText('Toamasina');
  await expect(box(page)).toHaveValue('');
  await expect(page).toHaveURL(/\/store-locator$/);
});

test('STO-1 STO-3 ERR-1 the current location is handled when found, inaccurate, abroad and denied', async ({
  page,
  context,
}) => {
  await open(page, path);
  await here(page).click();
  await expect(
    page.getByText(
      'We are unable to access your Current Location. You can directly search your location from search field.',
    ),
  ).toBeInViewport();
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: antsirabe.lat, longitude: antsirabe.lng, accuracy: 20 });
  await here(page).click();
  await expect(page.getByRole('heading', { name: 'The 50 nearest shops to your position' })).toBeVisible();
  await expect(page.getByText(/only known to about/)).toHaveCount(0);
  await open(page, path);
  await context.setGeolocation({ latitude: -18.15, longitude: 49.4, accuracy: 50_000 });
  await here(page).click();
  await expect(page.getByText('Your position is only known to about 50 km')).toBeInViewport();
  await expect(cards(page).first()).toContainText('Toamasina');
  await open(page, path);
  await context.setGeolocation({ latitude: 48.85, longitude: 2.35, accuracy: 20 });
  await here(page).click();
  await expect(page.getByText('You seem to be outside Madagascar.')).toBeVisible();
});

test('STO-4 a pin moved by keyboard, tap or drag sends a location-changed event, and the shops are updated', async ({
  page,
}) => {
  await open(page, path);
  await page.evaluate(() => {
    const told: unknown[] = [];
    Object.assign(window, { told });
    document.addEventListener('location-changed', (event) => told.push((event as CustomEvent).detail));
  });
  const told = () =>
    page.evaluate(() => (window as unknown as { told: { lat: number; lng: number; address: string }[] }).told);
  await page.getByRole('button', { name: 'Choose on the map' }).click();
  const dialog = page.getByRole('dialog', { name: 'Where are you looking?' });
  const element = dialog.locator('portal-location-picker');
  await expect(element).toBeVisible();
  await expect.poll(async () => (await told()).length).toBe(1);
  const pin = element.getByRole('button', { name: /^Pin\. Arrow keys move it/ });
  await pin.focus();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(async () => (await told()).length).toBe(2);
  const [start, moved] = await told();
  expect(moved?.lat).toBeGreaterThan(start?.lat ?? 0);
  expect(moved?.lng).toBeGreaterThan(start?.lng ?? 0);
  expect(moved?.address).toMatch(/, \w/);

  const area = await element.boundingBox();
  if (!area) throw new Error('the map has no place on the page');
  await page.mouse.click(area.x + area.width * 0.7, area.y + area.height * 0.6);
  await expect.poll(async () => (await told()).length).toBe(3);
  const from = await pin.boundingBox();
  if (!from) throw new Error('the pin has no place on the page');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x - 60, from.y + 10, { steps: 5 });
  await page.mouse.up();
  await expect.poll(async () => (await told()).length).toBe(4);
  const last = (await told())[3];
  expect(last?.lng).toBeLessThan((await told())[2]?.lng ?? 0);
  await expect(dialog.getByRole('status').first()).toHaveText(last?.address ?? '');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: new RegExp(`${last?.address}$`) })).toBeVisible();
});

test('APP-2 every shop and dealer is listed by region, and found by a few letters', async ({ page }) => {
  await open(page, '/store_finder/fanilo_shop');
  await expect(page.getByText('150 places')).toBeVisible();
  await expect(page.getByRole('main').locator('details')).toHaveCount(24);
  await page.getByLabel('Town, region or name').fill('tolan');
  await expect(page.locator('details[open]')).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'Boutique Tôlanaro 1' })).toBeVisible();
  await page.goto('/store_finder/dealers?q=nowhere');
  await expect(page.getByText('No data found')).toBeVisible();
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('NOS-3 forms find stores by town or postal code, and filter the lists', async ({ page }) => {
    await page.goto(path);
    for (const [text, town] of [
      ['501', 'Toamasina'],
      ['Tuléar', 'Toliara'],
    ] as const) {
      await box(page).fill(text);
      await searchButton(page).click();
      await expect(cards(page).first()).toContainText(town);
      await expect(cards(page).first().getByRole('link', { name: /^Call/ })).toHaveAttribute('href', /^tel:\+261/);
    }
    await expect(page.locator('main .without-script > p')).toContainText('The map needs JavaScript.');
    await box(page).fill('Paris');
    await searchButton(page).click();
    await expect(page.getByRole('heading', { name: 'No results' })).toBeVisible();
    await page.goto('/store_finder/dealers');
    await page.getByLabel('Town, region or name').fill('ambositra');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(page.getByText(/^\d+ places$/)).not.toHaveText('400 places');
    await expect(page.getByRole('heading', { name: /Point de vente Ambositra 1/ })).toBeVisible();
  });
});

test.describe('with a position', () => {
  test.use({
    geolocation: { latitude: -18.1492, longitude: 49.4023 },
    permissions: ['geolocation'],
    // A service worker may already have the next script cached, so nothing would be loading.
    serviceWorkers: 'block',
  });

  test('APP-1 a response that arrives during a navigation does not cancel it', async ({ page }) => {
    // The response is held back within the page: the loader that replaces the screen after a while aborts its requests.
    await page.addInitScript(() => {
      const ask = window.fetch;
      const { promise, resolve } = Promise.withResolvers<void>();
      Object.assign(window, { release: resolve });
      window.fetch = async (...call) => {
        const answer = await ask(...call);
        if (String(call[0]).includes('shopsbycoordinates')) await promise;
        return answer;
      };
    });
    await open(page, '/store-locator?q=Antsirabe');
    const screen = Promise.withResolvers<void>();
    await page.route('**/assets/prepaid-recharge*.js', (route) => screen.promise.then(() => route.continue()));
    // Leaving before the position is known requests no shops.
    const answered = page.waitForResponse('**/*shopsbycoordinates*');
    await page.getByRole('button', { name: 'Use current location' }).click();
    await (await answered).finished();
    await page.evaluate(() => {
      window.history.pushState(null, '', '/prepaid-recharge');
      (window as unknown as { release: () => void }).release();
    });
    screen.resolve();
    await expect(page.getByLabel('Mobile number')).toBeVisible();
    await expect(page).toHaveURL('/prepaid-recharge');
  });
});
