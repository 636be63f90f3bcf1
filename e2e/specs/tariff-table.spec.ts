import { expect, type Page, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { callPortal, paths } from '../fixtures/portal.ts';
import { resize } from '../fixtures/resize.ts';
import { numberField, open, stored } from '../fixtures/walk.ts';

const path = '/table';
const rows = (page: Page) => page.locator('tbody tr');
const heading = (page: Page, name: string) => page.getByRole('columnheader', { name });
const prices = async (page: Page) =>
  (await page.locator('tbody td strong').allInnerTexts()).map((text) => Number(text.replace(/\D/g, '')));
const ascending = (numbers: number[]) => [...numbers].sort((one, other) => one - other);

test('D3 every bundle on sale is a row with a link into the purchase', async ({ page }) => {
  const { envelope } = await callPortal(paths.bundles, { data: {} });
  const sold = envelope.result as unknown as { productCode: string; serviceType: string }[];
  expect(sold.length).toBeGreaterThanOrEqual(80);
  await open(page, path);
  const shown = await rows(page).evaluateAll((all) => all.map((row) => row.getAttribute('data-product')));
  expect(shown).toEqual(sold.map(({ productCode }) => productCode));
  const targets = await rows(page).evaluateAll((all) =>
    all.map((row) => row.querySelector('th a')?.getAttribute('href')),
  );
  expect(targets).toEqual(
    sold.map(({ productCode, serviceType }) =>
      serviceType === 'HBB' ? '/hbb-lead' : `/data-bundle?product=${productCode}`,
    ),
  );
  const phone = page.viewportSize() ?? { width: 360, height: 740 };
  for (const shape of [{ width: 1280, height: 800 }, phone]) {
    await resize(page, shape);
    const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    expect(width[0], `${shape.width} wide`).toBeLessThanOrEqual(width[1] ?? 0);
  }

  const line = freshLine();
  await page.getByRole('link', { name: 'Miaraka 1 GB + 60 min + 50 SMS' }).click();
  await numberField(page).fill(line);
  await page.getByRole('button', { name: 'BUY FOR MGA 7,000' }).click();
  await expect(page).toHaveURL(/\/payment\/start$/);
  expect(await stored(page, 'QueryData')).toMatchObject({
    msisdn: line,
    productCode: 'M1G60V',
    transactionType: 'PREPAID_BUNDLES',
  });
});

test('D3 sorting and filters are in the URL, and restored from it', async ({ page }) => {
  await open(page, path);
  await heading(page, 'Price').getByRole('link').click();
  await expect(page).toHaveURL(/\/table\?sort=price$/);
  await expect(heading(page, 'Price')).toHaveAttribute('aria-sort', 'ascending');
  await expect(heading(page, 'Price').getByRole('link')).toBeFocused();
  expect(await prices(page)).toEqual(ascending(await prices(page)));
  await page.keyboard.press('Enter');
  await expect(heading(page, 'Price')).toHaveAttribute('aria-sort', 'descending');
  await expect(page).toHaveURL(/\/table\?sort=-price$/);
  expect(await prices(page)).toEqual(ascending(await prices(page)).reverse());

  await page.getByText('Search, contents and order').click();
  await page.getByLabel('With').getByText('Calls', { exact: true }).click();
  await page.getByRole('form').getByText('≤ 5,000', { exact: true }).click();
  await page.getByLabel('Search').pressSequentially('rés');
  await expect(page).toHaveURL(/q=r%C3%A9s&voice=1&budget=5000&sort=-price$/);
  await expect(page.getByLabel('Search')).toBeFocused();
  const found = await rows(page).allInnerTexts();
  expect(found.length).toBeGreaterThan(3);
  expect(found.every((text) => text.includes('Resaka'))).toBe(true);

  const address = page.url();
  await open(page, '/about');
  await open(page, address);
  expect(await rows(page).allInnerTexts()).toEqual(found);
  await expect(page.getByLabel('Search')).toHaveValue('rés');
  await page.getByLabel('Search').fill('nothing like it');
  await expect(page.getByText('No data found')).toBeVisible();
  expect(await rows(page).count()).toBe(0);
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('D3 NOS-3 the table is sorted by links, filtered by its form, and links to the purchase', async ({ page }) => {
    await page.goto(path);
    await heading(page, 'Validity').getByRole('link').click();
    await expect(heading(page, 'Validity')).toHaveAttribute('aria-sort', 'descending');
    await expect(rows(page).first()).toContainText('Unlimited');
    await page.getByLabel('Search').fill('alina');
    await page.getByRole('form').getByText('7 days', { exact: true }).click();
    await page.getByLabel('Order').selectOption('Lowest price first');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(rows(page).first()).toHaveAttribute('data-product', 'D5G7N');
    await expect(page.getByLabel('Search')).toHaveValue('alina');
    expect(await prices(page)).toEqual([6_000, 10_000, 15_000, 18_000]);
    await rows(page).first().getByRole('link').click();
    await expect(page).toHaveURL(/\/data-bundle\?product=D5G7N$/);
    await expect(page.getByText('Alina 5 GB')).toBeVisible();
    await expect(page.getByRole('button', { name: 'BUY FOR MGA 6,000' })).toBeVisible();
  });
});
