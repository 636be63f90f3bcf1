import { expect, type Page } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { test as base, otherSettings } from '../fixtures/own-stack.ts';
import { recordCalls } from '../fixtures/portal.ts';
import { codeFor, sandbox } from '../fixtures/sandbox.ts';
import { fact, openOrder } from '../fixtures/walk.ts';

// A portal of its own, in which the brand's wallet asks for a PIN.
const test = base.extend({ baseURL: async ({ ownPortal }, use) => use(ownPortal) });
test.describe.configure({ mode: 'default' });
test.use({ ownSettings: otherSettings });

const goOn = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });
const codeField = (page: Page) => page.getByRole('dialog').getByLabel('Code', { exact: true });
const pinDialog = (page: Page) => page.getByRole('dialog', { name: 'Enter Fanilo Money PIN' });
const pinField = (page: Page) => pinDialog(page).getByLabel('PIN');

async function enterPin(page: Page, pin: string) {
  await pinField(page).fill(pin);
  await pinDialog(page).getByRole('button', { name: 'Confirm' }).click();
}

async function toPin(page: Page, portal: string, payer: string) {
  await page.getByLabel('Phone number').fill(payer);
  await goOn(page).click();
  await expect(codeField(page)).toBeVisible();
  await codeField(page).fill(await codeFor(payer, 1, portal));
}

test('WAL-1 WAL-2 SEC-5 code, PIN, then initiate and process with Authorization, and the wallet pays @desktop', async ({
  page,
  ownPortal,
}) => {
  const line = freshLine();
  const initiations = recordCalls(page, 'authInitiate');
  const processes = recordCalls(page, 'authProcess');
  await openOrder(page, orderFor(line));
  await page.getByLabel('Phone number').fill('');
  await goOn(page).click();
  await expect(page.getByText('Phone No is required', { exact: true })).toBeVisible();
  await toPin(page, ownPortal, line);
  await expect(pinDialog(page)).toBeVisible();
  expect(initiations).toHaveLength(0);
  await enterPin(page, '1234');
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await expect(fact(page, 'Amount')).toHaveText('MGA 1,000');
  expect([initiations.length, processes.length]).toEqual([1, 1]);
  expect(processes[0]?.body).toMatchObject({
    paymentMobile: `0${line}`,
    amPin: expect.stringMatching(/^[A-Za-z0-9+/]{500,}={0,2}$/),
    amPinKeyId: expect.stringMatching(/./),
  });
  for (const { headers } of [...initiations, ...processes]) expect(headers.authorization).toMatch(/^\w+ \S{20,}$/);
});

test('WAL-2 SEC-6 ERR-1 a wrong PIN decrements the tries, and the fifth locks the wallet for every visitor @desktop', async ({
  page,
  browser,
  ownPortal,
}) => {
  const line = freshLine();
  const processes = recordCalls(page, 'authProcess');
  await openOrder(page, orderFor(line));
  await toPin(page, ownPortal, line);
  for (const left of [4, 3, 2, 1]) {
    await enterPin(page, '0000');
    await expect(pinDialog(page)).toContainText('Incorrect PIN');
    await expect(pinDialog(page)).toContainText(`Attempts left: ${left}`);
  }
  await enterPin(page, '0000');
  const locked = page.getByRole('dialog', { name: 'Wallet blocked' });
  await expect(locked.getByRole('alert')).toContainText(
    'Your Fanilo Money wallet has been blocked due to too many incorrect PIN attempts.',
  );
  await expect(locked.getByRole('link', { name: 'Customer care: 300' })).toBeVisible();
  await expect(locked.getByRole('link', { name: 'Reset your PIN: *436*7#' })).toBeVisible();
  expect(new Set(processes.map(({ body }) => body.transactionId)).size).toBe(5);

  const elsewhere = await (await browser.newContext({ baseURL: ownPortal })).newPage();
  await openOrder(elsewhere, orderFor(freshLine()));
  await elsewhere.getByLabel('Phone number').fill(line);
  await goOn(elsewhere).click();
  await codeField(elsewhere).fill(await codeFor(line, 2, ownPortal));
  await enterPin(elsewhere, '1234');
  await expect(elsewhere.getByRole('dialog', { name: 'Wallet blocked' })).toBeVisible();
  await elsewhere.context().close();
});

test('OTP-3 ERR-1 a refusal to send further codes (502) is reported as the limit, and the form is shown again @desktop', async ({
  page,
  ownPortal,
}) => {
  const line = freshLine();
  await openOrder(page, orderFor(line));
  await sandbox.addFault(ownPortal, { provider: 'sms', fault: 'refuse', times: 1 });
  await goOn(page).click();
  const dialog = page.getByRole('dialog', { name: 'Enter the code' });
  await expect(dialog.getByRole('alert')).toHaveText('max limit exhausted, please try after sometime.');
  await sandbox.clearFaults(ownPortal);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await toPin(page, ownPortal, line);
  await expect(pinDialog(page)).toBeVisible();
});

test('WAL-2 NOS-3 without script the page says that this payment method needs it, and offers another @desktop', async ({
  browser,
  ownPortal,
}) => {
  const context = await browser.newContext({ baseURL: ownPortal, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/prepaid-recharge');
  await page.getByLabel('Mobile number').fill(freshLine());
  await page.getByLabel('Amount', { exact: true }).fill('1000');
  await page.getByRole('button', { name: 'BUY AIRTIME' }).click();
  await page
    .getByRole('link', { name: /Fanilo Money/ })
    .first()
    .click();
  await expect(page.locator('form .without-script > div')).toContainText('This way to pay needs JavaScript');
  await expect(page.getByRole('link', { name: /MPESA/ })).toBeVisible();
  await context.close();
});
