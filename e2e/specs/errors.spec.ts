import { expect, type Page, test } from '@playwright/test';
import { type CallName, callUrl, recordCalls } from '../fixtures/portal.ts';
import { freshLine } from '../fixtures/sandbox.ts';
import { openOrder, orderFor, scriptReady, settled, stopClock, store } from '../fixtures/walk.ts';

// Codes and texts that the sandbox's own systems reach are proved where they occur; here are the answers one by one.
const address = '/payment/start/airtime';
const codeDialog = (page: Page) => page.getByRole('dialog', { name: 'Enter the code' });
const codeField = (page: Page) => codeDialog(page).getByLabel('Code', { exact: true });
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue', exact: true });

async function answer(page: Page, call: CallName, status: number, json: unknown) {
  await page.unroute(callUrl(call));
  await page.route(callUrl(call), (route) => route.fulfill({ status, json }));
}

const failure = (statusCode: number, message: string, more: object = {}) => ({
  statusCode,
  status: 'failure',
  message,
  result: null,
  error: { message, ...more },
});

async function openAirtime(page: Page) {
  await page.goto('/about');
  await store(page, 'QueryData', orderFor(freshLine(), { emailId: 'client@example.mg' }));
  await stopClock(page);
  await page.goto(address);
  await page.keyboard.press('Shift');
  await scriptReady(page);
}

for (const [code, message] of [
  [4001, 'There is no wallet on this number.'],
  [400, 'This code cannot be sent.'],
] as const)
  test(`ERR-1 OTP-3 a code refused with ${code} shows the message and closes after 11 s @desktop`, async ({ page }) => {
    await answer(page, 'sendCode', 400, failure(code, message));
    await openAirtime(page);
    await goOn(page).click();
    await expect(codeDialog(page).getByRole('alert')).toContainText(message);
    await settled(page);
    await page.clock.runFor(10_900);
    await expect(codeDialog(page)).toBeVisible();
    await page.clock.runFor(200);
    await expect(codeDialog(page)).toBeHidden();
    await expect(goOn(page)).toBeEnabled();
  });

test('ERR-1 OTP-2 OTP-3 2003 counts down, 2002 ends the tries, 502 is the limit, each in the words agreed @phone', async ({
  page,
}) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await openOrder(page, orderFor(freshLine(), { emailId: 'client@example.mg' }), address);
  const verifications = recordCalls(page, 'verifyCode');
  await answer(page, 'verifyCode', 401, failure(2003, 'Please enter correct OTP', { attemptsLeft: 3 }));
  await goOn(page).click();
  await codeField(page).fill('123456');
  await expect(codeDialog(page).getByText('Please enter correct OTP')).toBeVisible();
  await expect(codeDialog(page).getByText('Attempts left: 3')).toBeVisible();
  // What the server does not say is counted here.
  await answer(page, 'verifyCode', 401, failure(2003, 'Please enter correct OTP'));
  await codeField(page).fill('123457');
  await expect(codeDialog(page).getByText('Attempts left: 2')).toBeVisible();
  await answer(page, 'verifyCode', 429, failure(2002, 'Maximum attempts exhausted.'));
  await codeField(page).fill('123458');
  await expect(codeDialog(page).getByRole('alert')).toHaveText('Maximum attempts exhausted.');
  await expect(codeField(page)).toBeHidden();
  expect(verifications).toHaveLength(3);
  expect(logged.filter((line) => line.includes('answered 4')).length).toBeGreaterThanOrEqual(3);

  await codeDialog(page).getByRole('button', { name: 'Close' }).click();
  await answer(page, 'sendCode', 502, failure(502, 'whatever the server says'));
  await goOn(page).click();
  await expect(codeDialog(page).getByRole('alert')).toHaveText('max limit exhausted, please try after sometime.');
});

test('ERR-1 APP-13 what is shown is the answer’s message, else the error’s inner one, else the error’s, else our own @desktop', async ({
  page,
}) => {
  await page.goto('/postpaid-bill-pay?msisdn=390000002');
  await scriptReady(page);
  await page.getByRole('button', { name: 'Fetch your Postpaid Bill' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Use the account number instead' }).click();
  const { account, submit } = {
    account: dialog.getByLabel('Account number'),
    submit: dialog.getByRole('button', { name: 'Get Outstanding by account number' }),
  };
  for (const [status, json, said] of [
    [404, failure(60119, 'Words of the answer'), 'Words of the answer'],
    [404, { statusCode: 60005, error: { message: 'no', error: { message: 'Words within' } } }, 'Words within'],
    [404, { statusCode: 60005, error: { message: 'Words of the error' } }, 'Words of the error'],
    [404, { statusCode: 60005 }, 'Something Went Wrong!'],
  ] as const) {
    await answer(page, 'validateAccount', status, json);
    await account.fill('1000000002');
    await submit.click();
    await expect(dialog.getByText(said, { exact: true })).toBeVisible();
  }
});
