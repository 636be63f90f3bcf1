import { expect, type Page } from '@playwright/test';
import { orderFor } from '../../web/src/testing/orders.fixture.ts';
import { test } from '../fixtures/own-stack.ts';
import { initiationOf, paths } from '../fixtures/portal.ts';
import { codeFor, sandbox } from '../fixtures/sandbox.ts';
import { open, payButton, store } from '../fixtures/walk.ts';

/** Production rules; the shared portal scales them up. */
test.use({ ownSettings: { RATE_LIMIT_SCALE: '1', LOG_LEVEL: 'warn' } });
// The tests share one wallet's counters.
test.describe.configure({ mode: 'default' });

const payer = '390000001';
const swapped = '390000015';
const reset = (portal: string) => fetch(`${portal}/sandbox/api/reset`, { method: 'POST' });

/** Uses up most of a wallet's daily limit, so that the next payment needs a fresh code. */
async function paidMuch(portal: string) {
  const call = async (path: string, body: object, headers = {}) =>
    (
      await fetch(`${portal}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })
    ).json();
  const order = { ...initiationOf(payer, 300_000), confirmRepeat: true };
  const { result } = await call(paths.initiate, order, { 'idempotency-key': `much-${Date.now()}` });
  const started = await call(paths.process, { transactionId: result.transactionId });
  // An earlier test of this file already did.
  if (!started.result) return reset(portal);
  const stateNow = async () =>
    (await (await fetch(`${portal}${paths.fetch}?txnId=${result.transactionId}`)).json()).result.moneyState;
  // Wait until it is delivered: if the sandbox were reset earlier the payment would fail and not count.
  await expect.poll(stateNow).toBe('delivered');
  return reset(portal);
}

/** Opens that portal's payment page with an order in the session. */
async function openOrder(page: Page, portal: string, order: object, way: string) {
  await page.goto(`${portal}/about`);
  await store(page, 'QueryData', order);
  await open(page, `${portal}/payment/start/${way}`);
}

const codeField = (page: Page) => page.getByLabel('Code', { exact: true });

test('SEC-28 a risky payment shows a dialog for a further code, and goes on with it', async ({ page, ownPortal }) => {
  await reset(ownPortal);
  await paidMuch(ownPortal);
  await openOrder(page, ownPortal, orderFor(payer, { amount: 250_000 }), 'fanilo-money');
  await payButton(page).click();
  const dialog = page.getByRole('dialog', { name: 'We ask for a code' });
  await expect(dialog).toContainText('Nothing was taken yet.');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('alert')).toContainText('This payment needs a fresh code from the paying phone.');
  await expect(page.getByRole('alert')).toContainText('Nothing was taken.');
  await payButton(page).click();
  // The field appears once the code was sent; within a minute it is the same code.
  await expect(codeField(page)).toBeVisible();
  await codeField(page).fill(await codeFor(payer, 1, ownPortal));
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });
  test('SEC-28 a risky payment shows the form again with a field for the code, and goes on with it', async ({
    page,
    ownPortal,
  }) => {
    await reset(ownPortal);
    await paidMuch(ownPortal);
    await page.goto(`${ownPortal}/prepaid-recharge`);
    await page.getByLabel('Mobile number').fill(payer);
    await page.getByLabel('Amount', { exact: true }).fill('240000');
    await page.getByRole('button', { name: 'BUY AIRTIME' }).click();
    await page
      .getByRole('link', { name: /^Fanilo Money/ })
      .first()
      .click();
    await payButton(page).click();
    await expect(page.getByRole('status')).toContainText('this payment needs a code of its own');
    const confirm = page.getByRole('button', { name: 'Confirm the code' });
    await codeField(page).fill('12');
    await confirm.click();
    await expect(page.getByText('Please enter correct OTP')).toBeVisible();
    await codeField(page).fill(await codeFor(payer, 1, ownPortal));
    await confirm.click();
    await expect(page).toHaveURL(/\/payment\/status\?id=/);
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  });
});

test('SEC-28 airtime of a number whose SIM was swapped yesterday is held, and the page says that nothing was taken', async ({
  page,
  ownPortal,
}) => {
  await reset(ownPortal);
  await openOrder(page, ownPortal, orderFor(swapped, { emailId: 'client@example.mg' }), 'airtime');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await codeField(page).fill(await codeFor(swapped, 1, ownPortal));
  await page.getByRole('dialog', { name: 'Are you sure?' }).getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByText('Nothing was taken. This payment is looked at before it goes on.')).toBeVisible();
  await expect(page.getByText('Your money was not taken.')).toBeVisible();
  const { airtime } = await sandbox.books(ownPortal);
  expect(airtime[String(new URL(page.url()).searchParams.get('id'))]).toBeUndefined();
});
