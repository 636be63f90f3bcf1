import { randomInt } from 'node:crypto';
import { expect, type Page, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { recordCalls } from '../fixtures/portal.ts';
import { resize } from '../fixtures/resize.ts';
import { fact, open, pay, stored, toStatusPage } from '../fixtures/walk.ts';

const path = '/orp/fixed-internet';
const accountField = (page: Page) => page.getByLabel('Account number');
const emailField = (page: Page) => page.getByLabel('Email');
const showBills = (page: Page) => page.getByRole('button', { name: 'SHOW BILLS' });
const rows = (page: Page) => page.getByRole('table', { name: 'Your bills' }).getByRole('row');
const row = (page: Page, invoiceNo: string) => rows(page).filter({ hasText: invoiceNo });
const payIn = (page: Page, invoiceNo: string) => row(page, invoiceNo).getByRole('button', { name: 'PAY BILL' });
/** Every account PA2 and nine digits has one bill that is due, and nobody else uses this one. */
const freshAccount = () => `PA2${String(randomInt(1_000_000_000)).padStart(9, '0')}`;

async function ask(page: Page, accountNo: string, email: string) {
  await accountField(page).fill(accountNo);
  await emailField(page).fill(email);
  await showBills(page).click();
}

test('FIX-2 FIX-3 each unpaid bill can be paid, the overdue one says so in words, and the order is kept', async ({
  page,
}) => {
  await open(page, path);
  const calls = recordCalls(page, 'openInvoices');
  await ask(page, 'PA1000000001', 'client@example.mg');
  await expect(rows(page)).toHaveCount(4);
  expect(calls.map(({ body }) => body)).toEqual([
    { accountNo: 'PA1000000001', contactPersonEmailId: 'client@example.mg' },
  ]);
  await expect(row(page, 'PA1000000001-1')).toContainText('Paid');
  await expect(payIn(page, 'PA1000000001-1')).toHaveCount(0);
  await expect(row(page, 'PA1000000001-2')).toContainText('Overdue');
  await expect(row(page, 'PA1000000001-2')).toContainText('MGA 89,000');
  await expect(payIn(page, 'PA1000000001-2')).toBeVisible();
  await expect(row(page, 'PA1000000001-3')).toContainText('Due');
  await expect(row(page, 'PA1000000001-3')).toContainText('MGA 94,500.50');
  await expect(row(page, 'PA1000000001-3')).toContainText('You pay MGA 94,501');
  const phone = page.viewportSize() ?? { width: 360, height: 740 };
  for (const shape of [{ width: 1280, height: 800 }, phone]) {
    await resize(page, shape);
    await expect(payIn(page, 'PA1000000001-3')).toBeVisible();
    const tooWide = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(tooWide, `${shape.width} wide`).toBeLessThanOrEqual(0);
  }

  await payIn(page, 'PA1000000001-3').click();
  await expect(page).toHaveURL(/\/payment\/start$/);
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
  expect(await stored(page, 'QueryData')).toMatchObject({
    orderId: expect.stringMatching(/^[0-9a-f]{32}$/),
    msisdn: '390000005',
    emailId: 'client@example.mg',
    amount: 94_501,
    currency: 'MGA',
    transactionType: 'POSTPAID_BILL',
    redirectPage: path,
    invoiceDetail: {
      accountNo: 'PA1000000001',
      invoiceNo: 'PA1000000001-3',
      billingStartDate: date,
      billingEndDate: date,
      dueDate: date,
      invoiceToken: expect.any(String),
    },
  });
  await expect(fact(page, 'Invoice number')).toHaveText('PA1000000001-3');
  await expect(fact(page, 'Final amount')).toHaveText('MGA 94,501');
  await page.goBack();
  await expect(accountField(page)).toHaveValue('PA1000000001');
  await expect(emailField(page)).toHaveValue('client@example.mg');
});

test('FIX-3 a paid bill is shown as paid, and cannot be paid from a page that was opened before @desktop', async ({
  page,
  context,
}) => {
  const account = freshAccount();
  const email = `${account.toLowerCase()}@example.mg`;
  const late = await context.newPage();
  await open(late, path);
  await ask(late, account, email);
  await open(page, path);
  await ask(page, account, email);
  await payIn(page, `${account}-1`).click();
  await page.goto('/payment/start/fanilo-money');
  await pay(page, freshLine());
  await toStatusPage(page);
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await expect(page.getByText('FIXED INTERNET BILL PAYMENT')).toBeVisible();
  await expect(page.getByText('Your bill is paid.')).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(/delivered/i);

  await payIn(late, `${account}-1`).click();
  await expect(late).toHaveURL(/\/payment\/start$/);
  await late.goto('/payment/start/fanilo-money');
  await late.getByLabel('Phone number').fill(freshLine());
  await late.getByRole('button', { name: /^Pay / }).click();
  await expect(late.getByText(/This invoice has already been paid\./)).toBeVisible();

  await open(page, path);
  await ask(page, account, email);
  await expect(row(page, `${account}-1`)).toContainText('Paid');
  await expect(page.getByRole('button', { name: 'PAY BILL' })).toHaveCount(0);
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('NOS-3 D1 bills are listed by form with errors at their fields, stay in another language and after a reload, and PAY BILL opens the payment page', async ({
    page,
  }) => {
    const account = freshAccount();
    await page.goto(path);
    await ask(page, 'XX1000000001', 'client');
    await expect(page.getByText('Invalid Account Number', { exact: true })).toBeVisible();
    await expect(page.getByText('Invalid Email Id', { exact: true })).toBeVisible();
    await expect(accountField(page)).toHaveValue('XX1000000001');
    await expect(emailField(page)).toHaveValue('client');
    await ask(page, 'EB1000000002', '');
    await expect(page.getByText('Email is required', { exact: true })).toBeVisible();
    await ask(page, 'EB1000000002', 'vide@example.mg');
    await expect(page.getByText('No data found', { exact: true })).toBeVisible();
    await ask(page, account, `${account.toLowerCase()}@example.mg`);
    await expect(row(page, `${account}-1`)).toContainText('MGA 89,000');
    await page.getByRole('link', { name: 'Français' }).click();
    await expect(page).toHaveURL(/\/sw\/orp\/fixed-internet/);
    await expect(page.getByRole('row').filter({ hasText: `${account}-1` })).toContainText(/MGA 89\s000/);
    await page.reload();
    await expect(page.getByRole('row').filter({ hasText: `${account}-1` })).toContainText(/MGA 89\s000/);
    await page.getByRole('link', { name: 'English' }).click();
    await expect(row(page, `${account}-1`)).toContainText('MGA 89,000');
    expect(page.url()).not.toMatch(new RegExp(account, 'i'));
    await payIn(page, `${account}-1`).click();
    await expect(page).toHaveURL(/\/payment\/start\?order=/);
    await expect(fact(page, 'Invoice number')).toHaveText(`${account}-1`);
    await expect(fact(page, 'Final amount')).toHaveText('MGA 89,000');
  });
});
