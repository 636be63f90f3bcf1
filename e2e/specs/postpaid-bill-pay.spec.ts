import { expect, type Page, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { callPortal, paths, recordCalls } from '../fixtures/portal.ts';
import { resize } from '../fixtures/resize.ts';
import { codeFor, codesSentTo } from '../fixtures/sandbox.ts';
import { amountField, fact, numberField, open, stored } from '../fixtures/walk.ts';

const path = '/postpaid-bill-pay';
const invalid = 'Invalid Mobile No';
const fetchButton = (page: Page) => page.getByRole('button', { name: 'Fetch your Postpaid Bill' });
const payBill = (page: Page) => page.getByRole('button', { name: 'MAKE A PAYMENT' });
const dialog = (page: Page) => page.getByRole('dialog');
const summary = (page: Page) => page.getByRole('region', { name: 'Your bill' });
const rounding = (page: Page) => page.getByText('Rounded up to MGA 45,251', { exact: true });

async function openByAccount(page: Page, accountNo: string) {
  await fetchButton(page).click();
  await dialog(page).getByRole('button', { name: 'Use the account number instead' }).click();
  await dialog(page).getByLabel('Account number').fill(accountNo.slice(0, 3));
  await dialog(page).getByLabel('Account number').blur();
  await expect(dialog(page).getByText('Invalid Account Number')).toBeVisible();
  await dialog(page).getByLabel('Account number').fill(accountNo);
  await dialog(page).getByRole('button', { name: 'Get Outstanding by account number' }).click();
}

test('POS-3 POS-5 POS-6 POS-7 a code shows the bill, which fills in the amount and is paid', async ({ page }) => {
  await open(page, `${path}?msisdn=390000002`);
  await expect(summary(page)).toBeHidden();
  await expect(page.getByRole('main')).not.toContainText('45,25');
  await fetchButton(page).click();
  await expect(dialog(page).getByLabel('Code')).toBeHidden();
  const before = await codesSentTo('390000002');
  await dialog(page).getByRole('button', { name: 'Get OTP' }).click();
  await expect(dialog(page).getByRole('button', { name: 'Get Outstanding', exact: true })).toBeDisabled();
  const code = await codeFor('390000002', before + 1);
  await dialog(page)
    .getByLabel('Code')
    .fill(String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
  await expect(dialog(page).getByText('Please enter correct OTP')).toBeVisible();
  await expect(summary(page)).toBeHidden();
  await dialog(page).getByLabel('Code').fill(code);

  await expect(summary(page)).toBeVisible();
  await expect(dialog(page)).toBeHidden();
  await expect(fact(page, 'Total outstanding')).toHaveText('MGA 45,250.40');
  await expect(fact(page, 'Amount to pay')).toHaveText('MGA 45,251');
  await expect(fact(page, 'Account number')).toHaveText('1000000002');
  await expect(rounding(page)).toBeVisible();
  await expect(amountField(page)).toHaveValue('45\u202f251');
  const phone = page.viewportSize() ?? { width: 360, height: 740 };
  await resize(page, { width: 1280, height: 800 });
  for (const label of ['Total outstanding', 'Amount to pay', 'Account number'])
    await expect(fact(page, label)).toBeVisible();
  await resize(page, phone);

  // Another number is another bill: nothing of this one stays.
  await numberField(page).fill('390000003');
  await expect(summary(page)).toBeHidden();
  await numberField(page).fill('390000002');
  await expect(payBill(page)).toBeEnabled();
  await payBill(page).click();
  await expect(page).toHaveURL(/\/payment\/start$/);
  expect(await stored(page, 'QueryData')).toMatchObject({
    orderId: expect.stringMatching(/^[0-9a-f]{32}$/),
    msisdn: '390000002',
    amount: 45_251,
    currency: 'MGA',
    lineType: 'POSTPAID',
    transactionType: 'POSTPAID_BILL',
    redirectPage: path,
  });
  await expect(fact(page, 'Final amount')).toHaveText('MGA 45,251');
});

test('POS-4 POS-7 ERR-1 the account number shows the bill instead; 60119 and 60005 show the server’s message @desktop', async ({
  page,
}) => {
  await open(page, `${path}?msisdn=390000014`);
  await openByAccount(page, '1000000002');
  await expect(dialog(page).getByText('The account number does not match this mobile number.')).toBeVisible();
  await dialog(page).getByLabel('Account number').fill('9999999999');
  await dialog(page).getByLabel('Account number').press('Enter');
  await expect(dialog(page).getByText('This account does not exist.')).toBeVisible();
  await dialog(page).getByLabel('Account number').fill('12345');
  await expect(dialog(page).getByRole('button', { name: 'Get Outstanding by account number' })).toBeDisabled();
  await dialog(page).getByRole('button', { name: 'Close' }).click();
  await expect(summary(page)).toBeHidden();

  await numberField(page).fill('390000002');
  await expect(fetchButton(page)).toBeEnabled();
  const asked = recordCalls(page, 'bill');
  await openByAccount(page, '1000 000 002');
  await expect(fact(page, 'Total outstanding')).toHaveText('MGA 45,250.40');
  await expect(rounding(page)).toBeVisible();
  await expect(amountField(page)).toHaveValue('45\u202f251');
  expect(asked).toHaveLength(1);
  expect(page.url()).not.toMatch(/4525/);
  await numberField(page).fill('390000003');
  await expect(summary(page)).toBeHidden();
  await expect(amountField(page), 'another line’s bill is not paid by this amount').toHaveValue('');
  await numberField(page).fill('390000002');
  await expect(amountField(page)).toHaveValue('45\u202f251');

  const refused = await callPortal(paths.bill, { data: { msisdn: '0390000002', uniqueCode: 'x'.repeat(32) } });
  expect(refused).toMatchObject({ http: 401, envelope: { statusCode: 'NOT_VERIFIED', result: null } });
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('NOS-3 a code shows the bill, errors are at their fields, and no URL has an amount @desktop', async ({
    page,
  }) => {
    const addresses: string[] = [];
    page.on('request', (request) => void addresses.push(request.url()));
    await page.goto(path);
    await numberField(page).fill('390000009');
    await fetchButton(page).click();
    await expect(page.getByText(invalid, { exact: true })).toBeVisible();
    const prepaid = freshLine();
    await numberField(page).fill(prepaid);
    await fetchButton(page).click();
    await expect(page.getByText('This is a prepaid line: it has no bill.')).toBeVisible();
    expect((await numberField(page).inputValue()).replaceAll(' ', '')).toBe(prepaid);

    const before = await codesSentTo('390000003');
    await numberField(page).fill('+261 39 00 000 03');
    await fetchButton(page).click();
    await expect(page.getByText('We sent a code of six digits by SMS to +261 39 00 000 03.')).toBeVisible();
    await page.getByLabel('Code').fill('12');
    await page.getByRole('button', { name: 'Get Outstanding', exact: true }).click();
    await expect(page.getByText('Please enter correct OTP')).toBeVisible();
    await page.getByLabel('Code').fill((await codeFor('390000003', before + 1)) === '000000' ? '000001' : '000000');
    await page.getByRole('button', { name: 'Get Outstanding', exact: true }).click();
    await expect(page.getByText('Please enter correct OTP. Attempts left: 4')).toBeVisible();
    await page.getByRole('button', { name: 'Resend' }).click();
    await expect(page.getByText(/You can ask for another code in \d+ seconds/)).toBeVisible();
    await page.getByLabel('Code').fill(await codeFor('390000003', before + 1));
    await page.getByRole('button', { name: 'Get Outstanding', exact: true }).click();
    await expect(fact(page, 'Total outstanding')).toHaveText('MGA 12,000');
    await expect(fact(page, 'Total outstanding'), 'its styles came too').toHaveCSS('text-align', 'right');
    await expect(amountField(page)).toHaveValue('12\u202f000');
    expect(page.url()).not.toContain('order=');

    await amountField(page).fill('10');
    await payBill(page).click();
    await expect(page.getByText('Minimum amount should be MGA 1,000')).toBeVisible();
    await expect(fact(page, 'Total outstanding')).toHaveText('MGA 12,000');
    await amountField(page).fill('12000');
    await payBill(page).click();
    await expect(page).toHaveURL(/\/payment\/start\?order=/);
    await expect(fact(page, 'Final amount')).toHaveText('MGA 12,000');
    expect(addresses.filter((address) => /12000|12,000/.test(address))).toEqual([]);
  });

  test('NOS-3 D1 the account number shows the bill, which stays in another language and after a reload', async ({
    page,
  }) => {
    await page.goto(path);
    await numberField(page).fill('390000002');
    for (const [account, words] of [
      ['123', 'Invalid Account Number'],
      ['1000000003', 'The account number does not match this mobile number.'],
    ] as const) {
      await page.getByLabel('Account number').fill(account);
      await page.getByRole('button', { name: 'Get Outstanding by account number' }).click();
      await expect(page.getByText(words, { exact: true }), account).toBeVisible();
      await expect(page.getByLabel('Account number')).toHaveValue(account);
    }
    await page.getByLabel('Account number').fill('1000000002');
    await page.getByRole('button', { name: 'Get Outstanding by account number' }).click();
    await expect(fact(page, 'Total outstanding')).toHaveText('MGA 45,250.40');
    await expect(rounding(page)).toBeVisible();
    // Neither another language nor a reload asks for the account number again.
    await page.getByRole('link', { name: 'Français' }).click();
    await expect(page).toHaveURL(/\/sw\/postpaid-bill-pay/);
    await expect(page.getByText(/^MGA 45\s250,40$/)).toBeVisible();
    await page.reload();
    await expect(page.getByText(/^MGA 45\s250,40$/)).toBeVisible();
    expect(page.url()).not.toMatch(/390000002|1000000002|4525/);
    await page.getByRole('link', { name: 'English' }).click();
    await expect(fact(page, 'Total outstanding')).toHaveText('MGA 45,250.40');
    await payBill(page).click();
    await expect(fact(page, 'Final amount')).toHaveText('MGA 45,251');
  });
});
