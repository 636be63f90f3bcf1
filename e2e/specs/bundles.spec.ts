import { expect, type Locator, type Page, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { callPortal, callUrl, paths, recordCalls } from '../fixtures/portal.ts';
import { sandbox } from '../fixtures/sandbox.ts';
import {
  amountField,
  buyButton,
  fact,
  grouped,
  numberField,
  open,
  openOrder,
  payButton,
  prepaidLine,
  stored,
} from '../fixtures/walk.ts';

interface WireBundle {
  productCode: string;
  category: string;
  amount: number;
  validity: string;
  data?: string;
  dataUnit?: string;
  hours?: string;
  serviceType: string;
}

const path = '/data-bundle';
const card = (page: Page | Locator, code: string): Locator => page.locator(`[data-product="${code}"]`).last();
const buy = (page: Page | Locator, code: string) => card(page, code).getByRole('button', { name: /^Buy / });
const tap = (page: Page, chip: string) =>
  page.getByRole('form', { name: 'Find the right bundle' }).getByText(chip, { exact: true }).click();
const picks = (page: Page) => page.locator('[data-picks] [data-product]');

/** Expands each category's folded rest. */
async function unfold(page: Page) {
  await expect(page.getByRole('region').locator('summary').first()).toBeVisible();
  for (const more of await page.getByRole('region').locator('summary').all()) await more.click();
}

async function bundlesOf(line: string): Promise<WireBundle[]> {
  const { envelope } = await callPortal(paths.bundles, { data: { msisdn: `0${line}` } });
  return envelope.result as unknown as WireBundle[];
}

async function openFor(page: Page, line: string) {
  await open(page, path);
  await numberField(page).fill(line);
  await expect(page.getByRole('heading', { name: `Bundles for +261 ${grouped(line)}` })).toBeVisible();
}

test.describe('the list', () => {
  test('BUN-1 BUN-2 BUN-3 BUN-4 BUN-7 a number lists its bundles with all their details, choosing one stores the whole order, and the cheapest fit is found in two taps', async ({
    page,
  }) => {
    const line = freshLine();
    const asked = recordCalls(page, 'bundles');
    await openFor(page, line);
    await expect(picks(page)).toHaveCount(3);
    await unfold(page);
    await expect(card(page, 'D1G7')).toBeVisible();
    expect(asked.map(({ body }) => body)).toEqual([
      { data: { msisdn: `0${line}`, lineType: 'PREPAID', serviceType: 'ALL' } },
    ]);

    const sold = await bundlesOf(line);
    const headings = await page.getByRole('heading', { level: 3 }).allInnerTexts();
    const categories = [...new Set(sold.map(({ category }) => category))];
    expect(headings).toEqual(['Best for you', ...categories.sort((one, other) => one.localeCompare(other, 'en'))]);
    expect(await page.locator('[data-product]:not([data-picks] *)').count()).toBe(sold.length);

    const data = page.getByRole('region', { name: 'Internet data' });
    const days = (await data.locator('dd').allInnerTexts()).map((text) =>
      text === 'Unlimited' ? Number.POSITIVE_INFINITY : Number.parseInt(text, 10),
    );
    expect(days).toEqual([...days].sort((one, other) => one - other));
    expect(days.at(-1)).toBe(Number.POSITIVE_INFINITY);
    await expect(card(page, 'D1G0')).toContainText('Others');
    await expect(card(page, 'D1G7')).toContainText('Weekly');

    for (const [category, icon] of [
      ['Internet data', 'data'],
      ['SMS', 'sms'],
      ['International', 'international'],
      ['Roaming', 'roaming'],
      ['Calls', 'default'],
    ] as const) {
      const heading = page.getByRole('heading', { level: 3, name: category, exact: true });
      await expect(heading.locator('svg'), category).toHaveAttribute('data-icon', icon);
    }
    const mixed = (await card(page, 'M1G60V').innerText()).replaceAll('\u00a0', ' ');
    for (const text of ['Miaraka 1 GB + 60 min + 50 SMS', '1 GB', '60 min', '50', '7 days', 'MGA 7,000', 'per GB'])
      expect(mixed).toContain(text);
    await expect(card(page, 'M1G60V').getByRole('definition')).toHaveText(['7 days']);
    await expect(card(page, 'D2G1N')).toContainText('Only 22:00 to 06:00');

    await test.step('choosing one stores the whole order and opens the payment page', async () => {
      await buy(page, 'D1G7').click();
      await expect(page).toHaveURL(/\/payment\/start$/);
      await expect(fact(page, 'Bundle')).toHaveText('1 GB, 7 days');
      await expect(fact(page, 'Benefits')).toHaveText('1 GB');
      expect(await stored(page, 'QueryData')).toMatchObject({
        orderId: expect.stringMatching(/^[0-9a-f]{32}$/),
        msisdn: line,
        amount: 5_000,
        currency: 'MGA',
        lineType: 'PREPAID',
        transactionType: 'PREPAID_BUNDLES',
        productCode: 'D1G7',
        description: '1 GB, 7 days',
        data: '1',
        dataUnit: 'GB',
        bundleInfo: { amount: 5_000, lineType: 'PREPAID', description: '1 GB, 7 days', data: '1', dataUnit: 'GB' },
        redirectPage: path,
      });
      await page.goBack();
      await unfold(page);
      await expect(buy(page, 'D1G7'), 'another one is a tap away').toBeVisible();
    });
    await test.step('the cheapest fit is found in two taps', async () => {
      await tap(page, '≤ 10,000');
      await tap(page, '7 days');
      const gigabytes = ({ data, dataUnit }: WireBundle) => Number(data) / (dataUnit === 'MB' ? 1024 : 1);
      const [cheapest] = sold
        .filter(({ amount, validity }) => amount <= 10_000 && (validity === '-1' || Number(validity) >= 7))
        .filter((bundle) => !bundle.hours && ['DATA', 'MIXED'].includes(bundle.serviceType) && gigabytes(bundle) > 0)
        .sort((one, other) => one.amount / gigabytes(one) - other.amount / gigabytes(other));
      await expect(picks(page).first()).toHaveAttribute('data-product', cheapest?.productCode ?? '');
      await expect(picks(page).first()).toContainText('Cheapest per GB');
      await expect(page.getByText('Data that lasts longest', { exact: true })).toBeVisible();
      await expect(page.getByText('Best mix', { exact: true })).toBeVisible();
      await picks(page).first().getByRole('button', { name: /^Buy / }).click();
      await expect(page).toHaveURL(/\/payment\/start$/);
      expect(await stored(page, 'QueryData')).toMatchObject({ productCode: cheapest?.productCode });
    });
  });

  test('BUN-4 MNY-3 a bundle that was withdrawn or became dearer before payment is reported, and another can be chosen @desktop', async ({
    page,
  }) => {
    const line = freshLine();
    const chosen = (productCode: string, amount: number) =>
      orderFor(line, { amount, productCode, transactionType: 'PREPAID_BUNDLES', redirectPage: path });
    for (const [order, said] of [
      [chosen('GONE7', 5_000), 'This bundle is no longer on sale.'],
      [chosen('D1G7', 4_000), 'The price of this bundle has changed.'],
    ] as const) {
      await openOrder(page, order);
      await payButton(page).click();
      await expect(page.getByRole('alert')).toContainText(said);
      await expect(page.getByRole('alert')).toContainText('Nothing was taken');
    }
    await page.getByRole('alert').getByRole('link').click();
    await expect(page).toHaveURL(new RegExp(path));
    expect(Object.values((await sandbox.books()).wallet).filter(({ msisdn }) => msisdn.endsWith(line))).toEqual([]);
  });
});

test.describe('on the recharge page', () => {
  test('PRE-6 a valid prepaid number shows its bundles under the form, which does not move @both', async ({ page }) => {
    const line = freshLine();
    await open(page, '/prepaid-recharge');
    const before = await buyButton(page).boundingBox();
    expect(await page.locator('[data-product]').count()).toBe(0);
    await numberField(page).fill(line);
    await expect(prepaidLine(page)).toBeVisible();
    await expect(picks(page)).toHaveCount(3);
    expect(await buyButton(page).boundingBox()).toEqual(before);
    expect((await picks(page).first().boundingBox())?.y).toBeGreaterThan(before?.y ?? 0);
    await page.getByRole('button', { name: 'Bundles for this number' }).click();
    await expect(page.getByRole('heading', { name: `Bundles for +261 ${grouped(line)}` })).toBeFocused();
    await page.getByRole('button', { name: /^All \d+ bundles$/ }).click();
    await unfold(page);
    await expect(card(page, 'D1G7')).toBeVisible();
    await numberField(page).fill('390000002');
    await expect(page.getByText('This is a postpaid line')).toBeVisible();
    await expect(card(page, 'D1G7')).toBeHidden();
    await numberField(page).fill(line);
    await page.getByRole('button', { name: /^All \d+ bundles$/ }).click();
    await unfold(page);
    await buy(page, 'M1G60V').click();
    await expect(page).toHaveURL(/\/payment\/start$/);
    expect(await stored(page, 'QueryData')).toMatchObject({
      transactionType: 'PREPAID_BUNDLES',
      productCode: 'M1G60V',
      redirectPage: '/prepaid-recharge',
    });
  });
});

test.describe('from home', () => {
  test('a popular bundle opens the purchase with that bundle selected', async ({ page }) => {
    const line = freshLine();
    await open(page, '/');
    const popular = page.getByRole('region', { name: 'Popular bundles' });
    expect(await popular.getByRole('listitem').count()).toBeGreaterThanOrEqual(3);
    await popular.getByRole('link', { name: /Tselatra 5 GB/ }).click();
    await expect(page).toHaveURL(/\/data-bundle\?product=D5G30$/);
    await expect(card(page, 'D5G30')).toContainText('MGA 20,000');
    const buyIt = page.getByRole('button', { name: 'BUY FOR MGA 20,000' });
    await expect(buyIt).toBeDisabled();
    await numberField(page).fill(line);
    await buyIt.click();
    await expect(page).toHaveURL(/\/payment\/start$/);
    expect(await stored(page, 'QueryData')).toMatchObject({ msisdn: line, productCode: 'D5G30', amount: 20_000 });
  });

  test('APP-5 back on home, a skeleton reserves the space, and nothing moves when content arrives @both', async ({
    page,
  }) => {
    await open(page, '/about');
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route(callUrl('bundles'), async (route) => {
      await promise;
      await route.continue();
    });
    await page.getByRole('banner').getByRole('link', { name: 'Fanilo' }).click();
    const popular = page.getByRole('region', { name: 'Popular bundles' });
    await expect(popular).toHaveAttribute('aria-busy', 'true');
    await expect(amountField(page)).toBeVisible();
    const places = () =>
      page
        .getByRole('main')
        .evaluate((main) =>
          ['#more', '#popular', '#promotions'].map((id) => main.querySelector(id)?.getBoundingClientRect().top),
        );
    const before = await places();
    resolve();
    await expect(popular.getByRole('link', { name: /Tselatra 1 GB/ })).toBeVisible();
    expect(await places()).toEqual(before);
  });
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('NOS-2 a bundle is found and bought by forms alone, up to the payment page', async ({ page }) => {
    const line = freshLine();
    await page.goto(path);
    await numberField(page).fill('39000');
    await page.getByRole('button', { name: 'SHOW BUNDLES' }).click();
    await expect(page.getByText('Invalid Mobile No', { exact: true })).toBeVisible();
    await expect(numberField(page)).toHaveValue('39 00 0');
    await numberField(page).fill(line);
    await page.getByRole('button', { name: 'SHOW BUNDLES' }).click();
    await expect(page).toHaveURL(/\/data-bundle\?line=/);
    expect(page.url()).not.toContain(line);
    await unfold(page);
    await expect(card(page, 'D1G7')).toBeVisible();
    await tap(page, '≤ 10,000');
    await tap(page, '7 days');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect(picks(page).first()).toContainText('Cheapest per GB');
    await expect(card(page, 'D5G30')).toHaveCount(0);
    await buy(page, 'D1G7').click();
    await expect(page).toHaveURL(/\/payment\/start\?order=/);
    const order = page.getByRole('complementary', { name: 'Your order' });
    await expect(order).toContainText(grouped(line));
    await expect(order).toContainText('1 GB, 7 days');
    await expect(order).toContainText('MGA 5,000');
  });

  test('NOS-2 PRE-6 a popular bundle is bought from home, and a bundle of a number from the recharge page @desktop', async ({
    page,
  }) => {
    const line = freshLine();
    await page.goto('/');
    await page
      .getByRole('region', { name: 'Popular bundles' })
      .getByRole('link', { name: /Tselatra 1 GB/ })
      .click();
    await numberField(page).fill(line);
    await page.getByRole('button', { name: 'BUY FOR MGA 5,000' }).click();
    await expect(page).toHaveURL(/\/payment\/start\?order=/);
    await expect(page.getByRole('complementary', { name: 'Your order' })).toContainText('1 GB, 7 days');

    await page.goto(`${path}?product=B20G30`);
    await numberField(page).fill(line);
    await page.getByRole('button', { name: /^BUY FOR/ }).click();
    await expect(page.getByText('This bundle is not sold for this line. These are.')).toBeVisible();
    await unfold(page);
    await expect(buy(page, 'D1G7')).toBeVisible();

    await page.goto('/prepaid-recharge');
    await numberField(page).fill(line);
    await page.getByRole('button', { name: 'Bundles for this number' }).click();
    await expect(page).toHaveURL(/\/data-bundle\?line=/);
    await unfold(page);
    await buy(page, 'V120M7').click();
    await expect(page.getByRole('complementary', { name: 'Your order' })).toContainText('120 min, 7 days');
  });
});
