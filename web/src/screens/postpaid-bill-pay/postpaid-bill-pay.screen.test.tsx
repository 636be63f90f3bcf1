import * as errorCodes from '@portal/contract/error-codes.ts';
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, field, fill, leave, link, main, press, says, seen } from '../../testing/look.fixture.ts';
import { freshLine } from '../../testing/orders.fixture.ts';
import { openPage, refusal } from '../../testing/page.fixture.tsx';

const path = '/postpaid-bill-pay';
const lineCheck = '/line-type';
const invalid = 'Invalid Mobile No';
const notChecked = /We could not check this number just now\./;
const numberField = () => field('Mobile number');
const amountField = () => field('Amount');
const payBill = () => button('MAKE A PAYMENT');
const fetchBill = () => button('Fetch your Postpaid Bill');

test('POS-1 POS-2 the number is accepted in any format, its type decides, and amounts have the limits of bills', async () => {
  const { user } = await openPage(path);
  expect(payBill()).toBeDisabled();
  expect(fetchBill()).toBeDisabled();
  for (const text of ['+261 39 00 000 02', '0390000002', '261390000002', 'Ravo: 39-00-000-02']) {
    fill(numberField(), '');
    await user.click(numberField());
    await user.paste(text);
    expect(numberField(), text).toHaveValue('39 00 000 02');
  }
  await seen('Postpaid line');
  expect(fetchBill()).toBeEnabled();
  expect(payBill()).toBeDisabled();

  for (const [amount, words] of [
    ['0', 'Minimum amount should be MGA 1,000'],
    ['999', 'Minimum amount should be MGA 1,000'],
    ['5000001', 'Maximum amount should be MGA 5,000,000'],
    ['1000000000000', 'Maximum amount should be MGA 5,000,000'],
  ] as const) {
    fill(amountField(), amount);
    leave(amountField());
    expect(says(words), amount).toBe(true);
    expect(payBill(), amount).toBeDisabled();
  }
  for (const pasted of ['1200.5', '45,250.40']) {
    await user.clear(amountField());
    await user.paste(pasted);
    expect(amountField(), 'cents are neither cut nor counted').toHaveValue(pasted);
    expect(says('Please enter a whole amount in the digits 0 to 9, without cents'), pasted).toBe(true);
    expect(payBill(), pasted).toBeDisabled();
  }
  fill(amountField(), '12');
  expect(payBill()).toBeDisabled();
  fill(amountField(), '1000');
  expect(payBill()).toBeEnabled();

  fill(numberField(), '39000000');
  expect(payBill()).toBeDisabled();
  for (const number of ['390000009', '340000001']) {
    fill(numberField(), number);
    await seen(invalid);
    expect(payBill(), number).toBeDisabled();
    expect(fetchBill(), number).toBeDisabled();
    fill(numberField(), '');
    expect(says(invalid)).toBe(false);
  }
  fill(numberField(), '390000003');
  await seen('Hybrid line');
  expect(payBill()).toBeEnabled();

  const prepaid = freshLine();
  fill(numberField(), prepaid);
  await seen('Recharge it', main());
  expect(link('Recharge it', main())).toHaveAttribute('href', `/prepaid-recharge?msisdn=${prepaid}`);
  expect(payBill()).toBeDisabled();
  expect(fetchBill()).toBeDisabled();
});

test('POS-2 a lost connection and a charging system that does not answer say nothing about the number', async () => {
  const answers = { [lineCheck]: () => Promise.reject(new TypeError('no network')) };
  const { between, sentTo } = await openPage(`${path}?msisdn=390000002&amount=2000`, { answers });
  await seen(notChecked);
  expect(says(invalid)).toBe(false);
  expect(payBill()).toBeDisabled();
  between(lineCheck, async () => refusal(504, errorCodes.upstreamTimeout));
  press(button('Try again'));
  await waitFor(() => expect(sentTo(lineCheck)).toHaveLength(2));
  await seen('in words');
  expect(says(invalid)).toBe(false);
  between(lineCheck, null);
  press(button('Try again'));
  await seen('Postpaid line');
  expect(payBill()).toBeEnabled();
});

test('POS-2 POS-6 a hybrid line is checked before paying', async () => {
  const { sentTo } = await openPage(`${path}?msisdn=390000003&amount=12000`);
  await waitFor(() => expect(payBill()).toBeEnabled());
  press(payBill());
  await waitFor(() => expect(window.location.pathname).toBe('/payment/start'));
  expect(sentTo(lineCheck).map(({ body }) => body)).toContainEqual({
    msisdn: '0390000003',
    checkIfBroadband: false,
    requestType: 'HYBRID_POSTPAID_CHECK',
  });
  expect(JSON.parse(sessionStorage.getItem('QueryData') ?? '{}')).toMatchObject({ lineType: 'HYBRID', amount: 12_000 });
});

test('POS-2 POS-6 a hybrid number that cannot be checked, or has no bill, is reported and not paid', async () => {
  const { between } = await openPage(`${path}?msisdn=390000003&amount=12000`);
  for (const [http, code, words] of [
    [504, errorCodes.upstreamTimeout, 'We could not check this number just now. Please try again.'],
    [409, errorCodes.lineNotEligible, 'There is no bill for this number.'],
  ] as const) {
    await waitFor(() => expect(payBill()).toBeEnabled());
    between(lineCheck, async () => refusal(http, code, words));
    press(payBill());
    await seen(words);
    expect(says(invalid)).toBe(false);
    expect(window.location.pathname).toBe(path);
    expect(sessionStorage.getItem('QueryData')).toBeNull();
  }
  expect(payBill()).toBeDisabled();
});

test('POS-4 the dialog for the account number does not mention SMS or codes, and links back to the code', async () => {
  await openPage(`${path}?msisdn=390000002`);
  await waitFor(() => expect(fetchBill()).toBeEnabled());
  press(fetchBill());
  const dialog = () => document.querySelector('dialog[open]')?.textContent ?? '';
  await waitFor(() => expect(dialog()).toMatch(/SMS/));
  press(button('Use the account number instead'));
  expect(field('Account number')).toBeEnabled();
  expect(dialog()).not.toMatch(/SMS|code|OTP/i);
  press(button('Back'));
  expect(dialog()).toMatch(/SMS/);
});

test('ERR-1 APP-13 the message shown is the answer’s, else the error’s inner one, else the error’s, else our own', async () => {
  // Errors that the portal returns itself are tested elsewhere; these come from an interceptor.
  const { between } = await openPage(`${path}?msisdn=390000002`);
  await waitFor(() => expect(fetchBill()).toBeEnabled());
  press(fetchBill());
  await seen('Use the account number instead');
  press(button('Use the account number instead'));
  for (const [json, said] of [
    [
      { statusCode: 60119, status: 'failure', message: 'Words of the answer', error: { message: 'no' } },
      'Words of the answer',
    ],
    [{ statusCode: 60005, error: { message: 'no', error: { message: 'Words within' } } }, 'Words within'],
    [{ statusCode: 60005, error: { message: 'Words of the error' } }, 'Words of the error'],
    [{ statusCode: 60005 }, 'Something Went Wrong!'],
  ] as const) {
    between('/msisdn-account', async () => Response.json(json, { status: 404 }));
    fill(field('Account number'), '1000000002');
    press(button('Get Outstanding by account number'));
    await seen(said);
  }
});
