import { readFileSync } from 'node:fs';
import { expect, type Page, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { isCall, recordCalls } from '../fixtures/portal.ts';
import { codeFor, debitsOf, expectBooks } from '../fixtures/sandbox.ts';
import { openOrder, openWithStoppedClock, settled, storeOrder } from '../fixtures/walk.ts';

const address = '/payment/start/smartcash';
const sealed = /^[A-Za-z0-9+/]{500,}={0,2}$/;
const proceed = (page: Page) => page.getByRole('button', { name: 'Proceed' });
const codeField = (page: Page) => page.getByRole('dialog').getByLabel('Code', { exact: true });
const pinDialog = (page: Page) => page.getByRole('dialog', { name: 'Enter Smart Cash PIN' });
const pinField = (page: Page) => pinDialog(page).getByLabel('PIN');

async function toPin(page: Page, payer: string, codes = 1) {
  await page.getByLabel('Registered number').fill(payer);
  await proceed(page).click();
  await expect(codeField(page)).toBeVisible();
  await codeField(page).fill(await codeFor(payer, codes));
}

async function enterPin(page: Page, pin: string) {
  await pinField(page).fill(pin);
  await pinDialog(page).getByRole('button', { name: 'Confirm' }).click();
}

/** Records all request bodies from now on, as one text. */
function recordBodies(page: Page): string[] {
  const bodies: string[] = [];
  page.on('request', (request) => bodies.push(`${request.url()} ${request.postData() ?? ''}`));
  return bodies;
}

test('SMC-1 SMC-2 SEC-5 number and PIN are sent encrypted with Authorization, and the wallet pays', async ({
  page,
}) => {
  const line = freshLine();
  const payer = freshLine();
  const pin = '1234';
  const bodies = recordBodies(page);
  const sends = recordCalls(page, 'sendCode');
  const verifications = recordCalls(page, 'verifyUser');
  const initiations = recordCalls(page, 'authInitiate');
  const processes = recordCalls(page, 'authProcess');
  await openOrder(page, orderFor(line), address);
  await toPin(page, payer);
  await expect(pinDialog(page)).toBeVisible();
  // Registered before the PIN is asked for.
  expect(initiations).toHaveLength(1);
  await expect(pinField(page)).toHaveAttribute('type', 'password');
  await expect(pinField(page)).toHaveAttribute('inputmode', 'numeric');
  await expect(pinField(page)).toHaveAttribute('autocomplete', 'off');
  await enterPin(page, pin);
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  const id = String(new URL(page.url()).searchParams.get('id'));
  expect(sends[0]?.body).toMatchObject({ data: { msisdn: expect.stringMatching(sealed) } });
  expect(verifications[0]?.body).toMatchObject({ data: { username: expect.stringMatching(sealed) } });
  expect(initiations[0]?.body.paymentMobile).toMatch(sealed);
  expect(processes[0]?.body.paymentMobile).toMatch(sealed);
  expect(processes[0]?.body.amPin).toMatch(sealed);
  for (const { headers } of [...initiations, ...processes]) expect(headers.authorization).toMatch(/^\w+ \S{20,}$/);
  await expectBooks(id, { taken: 1_000, delivered: 1_000 }, 'smartcash');

  expect(bodies.filter((text) => text.includes(payer))).toEqual([]);
  const bare = /["'.=:]1234["'&]/;
  expect(bodies.filter((text) => bare.test(text))).toEqual([]);
  const kept = await page.evaluate(() => JSON.stringify({ ...window.sessionStorage, ...window.localStorage }));
  expect(bare.test(kept)).toBe(false);
  const log = process.env.PORTAL_LOG;
  if (log) expect(readFileSync(log, 'utf8')).not.toContain(payer);
});

test('SMC-3 SEC-6 ERR-1 wrong PINs decrement the tries, closing resets only the display, and the last one locks', async ({
  page,
}) => {
  const payer = freshLine();
  const initiations = recordCalls(page, 'authInitiate');
  const processes = recordCalls(page, 'authProcess');
  await openOrder(page, orderFor(freshLine()), address);
  await toPin(page, payer);
  await expect(pinDialog(page)).toContainText('Attempts left: 5');
  // The last tap is beside the sum and whom it is for.
  await expect(pinDialog(page)).toContainText(/MGA\s1,000 → \+261\s39/);
  for (const left of [4, 3]) {
    await enterPin(page, '0000');
    await expect(pinDialog(page)).toContainText('Incorrect PIN');
    await expect(pinDialog(page)).toContainText(`Attempts left: ${left}`);
    await expect(pinField(page)).toBeFocused();
    await expect(pinField(page)).toHaveValue('');
  }
  await expect.poll(() => initiations.length).toBe(3);
  expect(new Set(processes.map(({ body }) => body.transactionId)).size).toBe(2);
  await pinDialog(page).getByRole('button', { name: 'Close' }).click();
  await expect(pinDialog(page)).toBeHidden();

  await toPin(page, payer, 2);
  await expect(pinDialog(page)).toContainText('Attempts left: 5');
  for (const left of [2, 1]) {
    await enterPin(page, '0000');
    await expect(pinDialog(page)).toContainText(`Attempts left: ${left}`);
  }
  await enterPin(page, '0000');
  const locked = page.getByRole('dialog', { name: 'Wallet blocked' });
  await expect(locked.getByRole('alert')).toContainText(
    'Your Smart Cash wallet has been blocked due to too many incorrect PIN attempts.',
  );
  await expect(locked).toContainText('Attempts left: 0');
  await expect(locked.getByRole('link', { name: 'Customer care: 300' })).toHaveAttribute('href', 'tel:300');
  await expect(locked.getByRole('link', { name: 'Reset your PIN: *436*7#' })).toBeVisible();
  await expect(pinField(page)).toBeHidden();
  const sent = processes.length;

  await locked.getByRole('button', { name: 'Close' }).click();
  await toPin(page, payer, 3);
  await expect(locked).toBeVisible();
  await expect(pinField(page)).toBeHidden();
  expect(processes).toHaveLength(sent);
  expect(await debitsOf(payer, 'smartcash')).toEqual([]);
});

test('SMC-3 OTP-3 ERR-1 390000006 is already locked; a number without a wallet (4001) is reported, and the dialog closes after 11 s @desktop', async ({
  page,
}) => {
  await openOrder(page, orderFor(freshLine()), address);
  await toPin(page, '390000006');
  await expect(pinDialog(page)).toBeVisible();
  await enterPin(page, '1234');
  await expect(page.getByRole('dialog', { name: 'Wallet blocked' })).toBeVisible();

  await storeOrder(page, orderFor(freshLine()));
  await openWithStoppedClock(page, address);
  // The script of this form is loaded when the page is idle.
  await page.clock.runFor(100);
  const verified = page.waitForResponse(isCall('verifyUser'));
  await toPin(page, '390000011');
  await settled(page, verified);
  await expect(page.getByRole('alert')).toContainText('There is no wallet on this number.');
  await page.clock.runFor(10_900);
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.clock.runFor(200);
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(proceed(page)).toBeEnabled();
});

test('SMC-2 a PIN that is typed after the registration expired is sent with a new one; too low a balance is reported @desktop', async ({
  page,
}) => {
  const initiations = recordCalls(page, 'authInitiate');
  await page.clock.install();
  await openOrder(page, orderFor(freshLine()), address);
  await toPin(page, '390000004');
  await expect(pinDialog(page)).toBeVisible();
  await page.clock.fastForward(121_000);
  await enterPin(page, '1234');
  await expect(page.getByText('* There was not enough money.')).toBeVisible();
  await expect(page.getByText('Your money was not taken.')).toBeVisible();
  expect(initiations).toHaveLength(2);
  expect(initiations[0]?.headers['idempotency-key']).toBe(initiations[1]?.headers['idempotency-key']);
});
