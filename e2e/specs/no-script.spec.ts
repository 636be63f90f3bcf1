import { expect, type Page, test } from '@playwright/test';
import { brokenRoutes, publicRoutes } from '../fixtures/routes.ts';
import { debitsOf, expectMessage, freshLine, sandbox } from '../fixtures/sandbox.ts';
import { amountField, buyButton, grouped, moneyHeading, numberField, payButton } from '../fixtures/walk.ts';

test.use({ javaScriptEnabled: false });

/** A text that was not found shows its key, such as recharge.title. */
const rawKey =
  /(?<![\w./@])(common|home|recharge|payment|status|about|notBuilt|reasons|notices)\.[a-z]\w*(?:\.\w+)*(?![\w/@])/;

const languages = [
  { prefix: '', locale: 'en-GB' },
  { prefix: '/sw', locale: 'fr-FR' },
  { prefix: '/mg', locale: 'mg-MG' },
];

for (const { prefix, locale } of languages) {
  test(`NOS-1 every public page is complete and readable without script in ${locale} @desktop`, async ({ page }) => {
    for (const route of publicRoutes) {
      const address = prefix + (route === '/' && prefix ? '' : route);
      const answer = await page.goto(address);
      expect(answer?.status(), address).toBe(brokenRoutes.includes(route) ? 404 : 200);
      await expect(page.locator('html'), address).toHaveAttribute('lang', locale);
      await expect(page.getByRole('main').getByRole('heading').first(), address).toBeVisible();
      await expect(page.getByRole('banner').getByRole('link').first(), address).toBeVisible();
      expect(await page.getByRole('contentinfo').getByRole('link').count(), address).toBeGreaterThan(10);
      const text = await page.locator('body').innerText();
      expect(text.length, address).toBeGreaterThan(300);
      expect(text.match(rawKey)?.[0], address).toBeUndefined();
      expect(text, address).not.toMatch(/\{\w+\}/);
      const main = await page.getByRole('main').innerText();
      expect(main.trim().length, address).toBeGreaterThan(20);
    }
  });
}

async function toPaymentPage(page: Page, line: string, amount: string) {
  await page.goto('/');
  await numberField(page).fill(line);
  await amountField(page).fill(amount);
  await buyButton(page).click();
  await expect(page).toHaveURL(/\/payment\/start\?order=/);
  await expect(payButton(page)).toBeVisible();
}

test.describe('buying', () => {
  test('NOS-2 a recharge from home to Thank you, the waiting page refreshing itself', async ({ page }) => {
    const line = freshLine();
    await toPaymentPage(page, line, '2000');
    await expect(page.getByRole('complementary', { name: 'Your order' })).toContainText(grouped(line));
    await expect(payButton(page)).toHaveText('Pay MGA 2,000');
    const loads: string[] = [];
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.method() === 'GET') loads.push(request.url());
    });
    await payButton(page).click();
    await expect(moneyHeading(page)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible({ timeout: 30_000 });
    expect(loads.filter((url) => url.includes('/payment/status?id=')).length).toBeGreaterThan(1);
    expect(await debitsOf(line)).toEqual([2_000]);
    expect((await sandbox.line(line)).airtime).toBe(12_000);
    await expectMessage(line, /delivered\. MGA 2,000/);
  });

  test('NOS-2 a quick amount counts where no amount was typed', async ({ page }) => {
    const line = freshLine();
    await page.goto('/prepaid-recharge');
    await numberField(page).fill(line);
    await page.getByText('5,000', { exact: true }).click();
    await buyButton(page).click();
    await expect(payButton(page)).toHaveText('Pay MGA 5,000');
  });

  test('NOS-2 what is wrong is said beside its field, and what was typed is kept', async ({ page }) => {
    await page.goto('/');
    const cases = [
      { number: '390000009', amount: '1000', error: 'Invalid Mobile No', field: numberField },
      { number: '12', amount: '1000', error: 'Invalid Mobile No', field: numberField },
      {
        number: '390000002',
        amount: '1000',
        error: 'This is a postpaid line: it is paid by bill.',
        field: numberField,
      },
      { number: freshLine(), amount: '100', error: 'Minimum amount should be MGA 500', field: amountField },
      { number: freshLine(), amount: '999999', error: 'Maximum amount should be MGA 500,000', field: amountField },
      { number: freshLine(), amount: '', error: 'Please enter an amount', field: amountField },
    ];
    for (const { number, amount, error, field } of cases) {
      await numberField(page).fill(number);
      await amountField(page).fill(amount);
      await buyButton(page).click();
      await expect(page.getByText(error, { exact: true }), error).toBeVisible();
      await expect(field(page), error).toHaveAttribute('aria-invalid', 'true');
      const note = await field(page).getAttribute('aria-describedby');
      await expect(page.locator(`[id="${note}"]`), error).toContainText(error);
      expect((await numberField(page).inputValue()).replaceAll(' ', ''), error).toBe(number);
      await expect(amountField(page), error).toHaveValue(amount);
    }
  });

  test('NOS-2 a wrong wallet number comes back beside its field, the order kept', async ({ page }) => {
    const line = freshLine();
    await toPaymentPage(page, line, '1000');
    for (const [number, error] of [
      ['', 'Phone No is required'],
      ['39000', 'Please enter valid Fanilo number'],
    ] as const) {
      await page.getByLabel('Phone number').fill(number);
      await payButton(page).click();
      await expect(page.getByText(error, { exact: true })).toBeVisible();
      expect((await page.getByLabel('Phone number').inputValue()).replaceAll(' ', '')).toBe(number);
      await expect(payButton(page)).toHaveText('Pay MGA 1,000');
    }
    await page.getByLabel('Phone number').fill(line);
    await payButton(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible({ timeout: 30_000 });
    expect(await debitsOf(line)).toEqual([1_000]);
  });

  test('NOS-2 PAY-9 a form posted twice pays once @desktop', async ({ page }) => {
    const line = freshLine();
    await toPaymentPage(page, line, '1000');
    const form = page.url();
    await payButton(page).click();
    await expect(moneyHeading(page)).toBeVisible();
    const first = page.url();
    await page.goBack();
    await expect(page).toHaveURL(form);
    await payButton(page).click();
    await expect(moneyHeading(page)).toBeVisible();
    expect(page.url()).toBe(first);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible({ timeout: 30_000 });
    expect(await debitsOf(line)).toEqual([1_000]);
  });
});
