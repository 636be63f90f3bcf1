import { expect, type Page, test } from '@playwright/test';
import { type CallName, callUrl } from '../fixtures/portal.ts';
import { scriptReady } from '../fixtures/walk.ts';

// Codes and texts are proved where they occur. Here is what only something between browser and portal answers.

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
