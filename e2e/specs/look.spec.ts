import { readdirSync, statSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { expectPicture } from '../fixtures/picture.ts';
import { callPortal, paths, registerPayment, startPayment } from '../fixtures/portal.ts';
import { resize } from '../fixtures/resize.ts';
import { publicRoutes } from '../fixtures/routes.ts';
import { open, openOrder } from '../fixtures/walk.ts';

/** After an intended change of look, renew the pictures with `--update-snapshots` and commit them. */
test.use({ bypassCSP: true, colorScheme: 'light' });

const line = '390000001';
const neverAnswers = '390000008';
const languages = [
  ['en', ''],
  ['fr', '/sw'],
  ['mg', '/mg'],
] as const;

const screens: Record<string, (page: Page, prefix: string) => Promise<void>> = {
  home: (page, prefix) => open(page, `${prefix}/`),
  bundles: async (page, prefix) => {
    await open(page, `${prefix}/data-bundle`);
    await page.locator('input[name=msisdn]').fill(line);
    await expect(page.locator('[data-picks] [data-product]')).toHaveCount(3);
  },
  payment: async (page, prefix) => {
    await openOrder(page, orderFor(line), `${prefix}/payment/start/fanilo-money`);
    await expect(page.locator('form button[type=submit]')).toBeVisible();
  },
  waiting: async (page, prefix) => {
    await openOrder(page, orderFor(freshLine()), `${prefix}/payment/start/fanilo-money`);
    await page.locator('input[name=paymentMobile]').fill(neverAnswers);
    await page.locator('form button[type=submit]').click();
    await expect(page.locator('dialog[data-page]')).toBeVisible();
  },
  status: async (page, prefix) => {
    const id = await registerPayment(freshLine(), 5_000);
    await startPayment(id);
    await expect
      .poll(async () => (await callPortal(`${paths.fetch}?txnId=${id}`)).envelope.result?.status)
      .toBe('SUCCESS');
    await open(page, `${prefix}/payment/status?id=${id}`);
    await expect(page.locator('textarea')).toBeVisible();
  },
};

const widthOf = (page: Page) => page.viewportSize()?.width;

test('LOK-1 every public page matches its screenshot, on a phone and on a wide screen @both', async ({ page }) => {
  const height = widthOf(page) === 360 ? 900 : 720;
  await resize(page, { width: widthOf(page) ?? 0, height });
  for (const route of publicRoutes) {
    await open(page, route);
    await expectPicture(page, `${route.replaceAll(/[\W_]+/g, '-').replace(/^-/, '') || 'home'}-${widthOf(page)}`);
  }
});

test('LOK-1 payment, waiting, status and bundles match their screenshots on a wide screen @desktop', async ({
  page,
}) => {
  for (const [name, show] of Object.entries(screens).filter(([name]) => name !== 'home')) {
    await show(page, '');
    await expectPicture(page, `${name}-en-${widthOf(page)}`);
  }
});

for (const [language, prefix] of languages)
  test(`LOK-1 home, payment, waiting, status and bundles look as their pictures in ${language}, by day and by night`, async ({
    page,
  }) => {
    await resize(page, { width: 360, height: 900 });
    for (const [name, show] of Object.entries(screens)) {
      await show(page, prefix);
      await expectPicture(page, `${name}-${language}`, ['light', 'dark']);
    }
  });

test('number, amount, quick amounts and the button are on the first screen of a small phone', async ({ page }) => {
  await resize(page, { width: 360, height: 640 });
  for (const [language, prefix] of languages)
    for (const path of ['/', '/prepaid-recharge']) {
      await open(page, prefix + path);
      // Customers do not see the line about the sandbox.
      await page.locator('body').evaluate((body) => body.querySelector('aside')?.remove());
      const button = await page.locator('main form button[type=submit]').first().boundingBox();
      expect((button?.y ?? 0) + (button?.height ?? 0), `${path} in ${language}`).toBeLessThanOrEqual(640);
      expect(await page.evaluate(() => window.scrollY)).toBe(0);
    }
});

test('LOK-1 all screenshots together are at most 8 MB', () => {
  const folder = new URL('../pictures/', import.meta.url);
  const sizes = readdirSync(folder).map((name) => statSync(new URL(name, folder)).size);
  expect(sizes.length).toBeGreaterThan(60);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(8_000_000);
});
