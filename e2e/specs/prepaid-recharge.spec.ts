import { expect, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { codeFor } from '../fixtures/sandbox.ts';
import {
  amountField,
  buyButton,
  buyToPaymentPage,
  chooseWay,
  fact,
  fillRecharge,
  grouped,
  numberField,
  open,
  stored,
} from '../fixtures/walk.ts';

// What the form says to what is typed is proved in web/src/screens/prepaid-recharge/prepaid-recharge.screen.test.tsx.
test('an amount typed with cents is refused in words, and neither truncated nor multiplied', async ({ page }) => {
  await open(page, '/prepaid-recharge');
  await fillRecharge(page, freshLine(), 1_500);
  for (const [keys, isWhole] of [
    ['2000.50', false],
    ['5250,4', false],
    ['2,000', true],
    ['2000.00', true],
  ] as const) {
    await amountField(page).fill('');
    await amountField(page).pressSequentially(keys);
    await expect(amountField(page)).toHaveValue(keys.replace(/^(\d)(\d{3})/, '$1\u202f$2'));
    await expect(page.getByText('Please enter a whole amount')).toHaveCount(isWhole ? 0 : 1);
    await expect(buyButton(page)).toBeEnabled({ enabled: isWhole });
  }
});

test('PRE-7 buying stores the order with the page it began on, and opens the payment page', async ({ page }) => {
  for (const from of ['/prepaid-recharge', '/']) {
    const line = freshLine();
    await open(page, from);
    await fillRecharge(page, line, 1_500);
    await buyButton(page).click();
    await expect(page).toHaveURL(/\/payment\/start$/);
    await expect(fact(page, 'Final amount')).toHaveText('MGA 1,500');
    expect(await stored(page, 'QueryData')).toMatchObject({
      msisdn: line,
      amount: 1_500,
      currency: 'MGA',
      lineType: 'PREPAID',
      transactionType: 'PREPAID_RECHARGE',
      redirectPage: from,
    });
    await page.goBack();
    await expect(numberField(page)).toHaveValue(grouped(line));
    await expect(amountField(page)).toHaveValue('1\u202f500');
    await expect(buyButton(page), 'a digit is changed, nothing is typed twice').toBeEnabled();
  }
});

test('PRE-8 every call sends the number with a leading 0', async ({ page }) => {
  const line = freshLine();
  const wire = `0${line}`;
  /** Every call of this visit that contains the number, with how it is written. */
  const named: [call: string, written: string][] = [];
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (!/portal-service|\/cms\//.test(pathname)) return;
    const call = pathname.split('/').slice(-2).join('/');
    const read = (value: unknown): void => {
      if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) read(inner);
      else if (String(value).replace(/\D/g, '').includes(line)) named.push([call, String(value)]);
    };
    read(Object.fromEntries(searchParams));
    read(request.postDataJSON());
  });
  await buyToPaymentPage(page, line);
  await chooseWay(page, 'Airtime');
  await page.getByLabel('Email').fill('client@example.mg');
  await page.getByRole('button', { name: /Continue|^Pay / }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/code/i)
    .first()
    .fill(await codeFor(line));
  await page.getByRole('dialog', { name: 'Are you sure?' }).getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  expect(named.filter(([, written]) => written !== wire)).toEqual([]);
  // Make sure that the list is complete: all calls of this purchase that contain a number.
  const calls = new Set(named.map(([call]) => call));
  for (const call of [
    ...['subscriber/line-type', 'v1/bundle', 'v1/payment-options', 'v1/send-otp', 'v4/query-balance'],
    ...['v1/initiate', 'v1/process'],
  ])
    expect(calls, [...calls].join(', ')).toContain(call);
});
