import { expect, type Page } from '@playwright/test';
import { orderFor } from '../../web/src/testing/orders.fixture.ts';
import { test as base } from '../fixtures/own-stack.ts';
import { isCall, recordCalls } from '../fixtures/portal.ts';
import { openOrder } from '../fixtures/walk.ts';

// Offered only by the operator whose currency the gateway settles.
const test = base.extend({ baseURL: async ({ ownPortal }, use) => use(ownPortal) });
test.use({ ownSettings: { OPERATOR: 'ng' } });

const popup = (page: Page) => page.frameLocator('iframe[title="Paystack checkout"]');

/** From an order to the popup over the reloaded card page; returns the payment's id. */
async function toPopup(page: Page, line: string): Promise<string> {
  await openOrder(page, orderFor(line, { currency: 'NGN' }), '/payment/start/card');
  await page.getByLabel('Email').fill('client@example.com');
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await page.waitForURL(/\/payment\/start\/card\?resume=/);
  await expect(popup(page).getByLabel('Card number')).toBeVisible();
  return String(new URL(page.url()).searchParams.get('resume'));
}

test('CRD-2 SEC-9 the popup opens with the amount in hundredths, pays once, its callback leads to the status page, and only our scripts and the gateway’s are loaded @desktop', async ({
  page,
  baseURL,
}) => {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text());
  });
  const foreign = new Set<string>();
  page.on('request', (request) => {
    // Ignore what the gateway loads in its own frame.
    if (request.resourceType() !== 'script' || request.frame() !== page.mainFrame()) return;
    const { origin, pathname } = new URL(request.url());
    if (origin !== new URL(baseURL ?? '').origin) foreign.add(origin + pathname);
  });
  const initiations = recordCalls(page, 'initiate');
  const callbacks: URL[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/pg-callback/')) callbacks.push(new URL(request.url()));
  });
  const id = await toPopup(page, '9390001234');
  // After a reload the same payment continues in the popup.
  const processed = page.waitForResponse(isCall('process'));
  await page.reload();
  const { result } = await (await processed).json();
  expect(result).toMatchObject({
    transactionId: id,
    status: 'ALREADY_PROCESSED',
    next: 'popup',
    popup: {
      amount: 100_000,
      currency: 'NGN',
      key: expect.stringMatching(/^pk_/),
      channels: ['ussd', 'bank', 'card', 'mobile_money', 'bank_transfer', 'qr'],
    },
  });
  await popup(page).getByLabel('Card number').fill('4111111111111111');
  await popup(page).getByLabel('Expiry').fill('12/39');
  await popup(page).getByLabel('CVC').fill('123');
  await popup(page).getByRole('button', { name: /^Pay / }).click();
  await expect(page).toHaveURL(new RegExp(`/payment/status\\?id=${id}`));
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  expect(initiations).toHaveLength(1);
  expect(callbacks.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual([
    { txref: expect.stringMatching(/./), PnrID: id, status: 'success' },
  ]);
  expect(violations).toEqual([]);
  expect([...foreign]).toEqual([result.popup.scriptUrl]);
});

test('CRD-2 MNY-3 cancel leads to the callback too, and nothing is taken; a popup that fails to load is reported @desktop', async ({
  page,
}) => {
  const cancelled = page.waitForRequest((request) => request.url().includes('/pg-callback/'));
  const id = await toPopup(page, '9390001235');
  await popup(page).getByRole('link', { name: 'Cancel payment' }).click();
  expect(Object.fromEntries(new URL((await cancelled).url()).searchParams)).toMatchObject({
    PnrID: id,
    status: 'cancelled',
  });
  await expect(page).toHaveURL(new RegExp(`/payment/status\\?id=${id}`));
  await expect(page.getByText('You came back from the bank’s page without paying.')).toBeVisible();

  await page.route(/inline\.js/, (route) => route.abort());
  await page.goto(`/payment/start/card?resume=${id}`);
  await expect(page.getByRole('alert')).toContainText('The gateway’s window could not be opened');
  await expect(page.getByRole('alert')).toContainText('Nothing was taken.');
  await page.unroute(/inline\.js/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(popup(page).getByLabel('Card number')).toBeVisible();
});
