import { randomInt } from 'node:crypto';
import { expect } from '@playwright/test';
import { expectNoViolations } from '../fixtures/axe.ts';
import { expectCoverage, expectHelp, expectStores } from '../fixtures/operator-pages.ts';
import { test as base } from '../fixtures/own-stack.ts';
import { sandbox } from '../fixtures/sandbox.ts';
import { amountField, buyButton, chooseWay, fact, numberField, open, payButton } from '../fixtures/walk.ts';

/** Nigeria: longer numbers, naira, and a gateway of its own. */
const test = base.extend({ baseURL: async ({ ownPortal }, use) => use(ownPortal) });
test.use({ ownSettings: { OPERATOR: 'ng' } });
test.describe.configure({ mode: 'default' });

const newLine = () => `939${String(randomInt(10_000, 10_000_000)).padStart(7, '0')}`;

test('D9 CRD-2 from home to Thank you in naira, by the gateway that is selected by default', async ({
  page,
  ownPortal,
}) => {
  const line = newLine();
  await open(page, '/');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-NG');
  await expect(page.getByText('+234').first()).toBeVisible();
  await expect(page.getByText('NGN', { exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: /^Contact us/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /home broadband/i }), 'not sold here').toHaveCount(0);
  await expectNoViolations(page, 'home');
  await numberField(page).fill(line);
  await amountField(page).fill('500');
  await expect(buyButton(page)).toBeEnabled();
  await buyButton(page).press('Enter');

  await expect(page.getByRole('radio', { name: 'Paystack' })).toBeChecked();
  await expect(fact(page, 'Final amount')).toHaveText('NGN 500');
  await expect(fact(page, 'Mobile number')).toHaveText(`+234 ${line.replace(/^(...)(...)(....)$/, '$1 $2 $3')}`);
  await expect(page.getByRole('group', { name: 'Currency' })).toHaveCount(0);
  await expectNoViolations(page, 'payment');
  await page.getByLabel('Email').fill('client@example.com');
  await page.getByRole('button', { name: 'Continue', exact: true }).press('Enter');
  const popup = page.frameLocator('iframe[title="Paystack checkout"]');
  await popup.getByLabel('Card number').fill('4111111111111111');
  await popup.getByLabel('Expiry').fill('12/39');
  await popup.getByLabel('CVC').fill('123');
  await popup.getByRole('button', { name: /^Pay / }).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await expect(fact(page, 'Amount')).toHaveText('NGN 500');
  await expectNoViolations(page, 'status');
  const id = String(new URL(page.url()).searchParams.get('id'));
  const books = await sandbox.books(ownPortal);
  // The gateway uses hundredths for every currency.
  expect(books.paystack[id]).toMatchObject({ taken: 50_000, givenBack: 0, currency: 'NGN' });
  expect(books.charging[id]).toMatchObject({ delivered: 500, count: 1 });
});

test('D9 an answer of its own help is found, and a search without results says so', async ({ page }) => {
  await expectHelp(page, {
    heading: 'How can we help?',
    search: 'Search',
    noMatch: /^No match for “zzqqxx”/,
    asked: 'smartcash',
    answer: { path: '/gethelp/ways-to-pay/smartcash/pay-with-smartcash', says: /your SmartCash PIN of 4 digits/ },
  });
});

test('D9 its shops are listed by town, and its sites are on its own map', async ({ page }) => {
  await expectStores(page, {
    ...{ box: 'City or pincode', button: 'Search', town: 'Eko', list: 'Shops, nearest first' },
    ...{ found: /shops .*Lagos/, first: 'Dealer Lagos 3', notFound: /We know no place called “Zzqqxx”/ },
    middle: { lat: 9.0, lng: 8.7 },
  });
  await expectCoverage(page, { sites: /^\d+ sites/ });
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('D9 NOS-2 a purchase by wallet, with the sandbox phone naming this operator only @desktop', async ({
    page,
    ownPortal,
  }) => {
    const line = newLine();
    await page.goto('/');
    await numberField(page).fill(line);
    await amountField(page).fill('300');
    await buyButton(page).click();
    await chooseWay(page, 'Fanilo Money');
    await payButton(page).click();
    await expect(page).toHaveURL(/\/payment\/status/);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    const id = String(new URL(page.url()).searchParams.get('id'));
    const books = await sandbox.books(ownPortal);
    expect(books.wallet[id]).toMatchObject({ taken: 300, currency: 'NGN' });

    await page.goto(`/sandbox?line=${line}`);
    await expect(page.getByText('NGN 10,300')).toBeVisible();
    const said = await page.locator('body').innerText();
    expect(said).toContain('+234');
    expect(said).toContain(line.replace(/^(...)(...)(....)$/, '$1 $2 $3'));
    expect(said).not.toMatch(/MGA|\+261/);
    await page.getByRole('link', { name: 'Recharge with 9390000001' }).click();
    await expect(numberField(page)).toHaveValue('939 000 0001');
  });
});
