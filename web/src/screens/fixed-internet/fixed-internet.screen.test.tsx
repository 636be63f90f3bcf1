import { fireEvent, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { button, buttons, field, fill, link, main, press, says, seen } from '../../testing/look.fixture.ts';
import { openPage } from '../../testing/page.fixture.tsx';

const path = '/orp/fixed-internet';
const accountField = () => field('Account number');
const emailField = () => field('Email');
const showBills = () => button('SHOW BILLS');

test('FIX-1 account and email are validated in words, and SHOW BILLS is disabled until both are right', async () => {
  const { user } = await openPage(path);
  expect(showBills()).toBeDisabled();
  await user.type(accountField(), 'pa 1000-000-001');
  expect(accountField()).toHaveValue('PA1000000001');
  expect(showBills()).toBeDisabled();
  await user.click(emailField());
  await user.tab();
  await seen('Email is required');
  for (const email of ['client', 'client@', 'cli ent@example.mg', 'client@example']) {
    fill(emailField(), email);
    await seen('Invalid Email Id');
    expect(showBills(), email).toBeDisabled();
  }
  fill(emailField(), 'client@example.mg');
  expect(says('Invalid Email Id')).toBe(false);
  expect(showBills()).toBeEnabled();
  for (const account of ['AB1000000001', 'P11000000001', 'PA100000001', '100000000201']) {
    fill(accountField(), account);
    fireEvent.blur(accountField());
    await seen('Invalid Account Number');
    expect(showBills(), account).toBeDisabled();
  }
});

test('FIX-1 a full account number refuses a digit that would push out its last one', async () => {
  const { user } = await openPage(path);
  await user.type(accountField(), 'PA1000000001');
  await user.type(accountField(), '7', { initialSelectionStart: 3, initialSelectionEnd: 3 });
  expect(accountField()).toHaveValue('PA1000000001');
  await user.type(accountField(), 'e', { initialSelectionStart: 0, initialSelectionEnd: 1 });
  expect(accountField()).toHaveValue('EA1000000001');
});

test('FIX-4 no invoices, an unknown account and a wrong email show the same message; a failed call does not', async () => {
  const { between, sentTo } = await openPage(path);
  const invoices = '/getopeninvoice';
  const shown = new Set<string>();
  const answered = new Set<string>();
  between(invoices, async (_, ask) => {
    const answer = await ask();
    answered.add(`${answer.status} ${await answer.clone().text()}`);
    return answer;
  });
  for (const [account, email] of [
    ['EB1000000002', 'vide@example.mg'],
    ['PA1000000001', 'vide@example.mg'],
    ['PZ9999999999', 'client@example.mg'],
  ] as const) {
    fill(accountField(), account);
    fill(emailField(), email);
    press(showBills());
    await waitFor(() => expect(sentTo(invoices).at(-1)?.body.accountNo).toBe(account));
    await seen('No data found');
    shown.add(main().textContent ?? '');
  }
  expect([shown.size, answered.size]).toEqual([1, 1]);
  between(invoices, () => Promise.reject(new TypeError('no network')));
  press(showBills());
  await seen(/We could not ask for your bills just now/);
  expect(says('No data found')).toBe(false);
  between(invoices, null);
  press(showBills());
  await seen('No data found');
});

test('FIX-3 SEC-21 whoever pays a bill is not shown the line of its account, and types their own number', async () => {
  await openPage(path);
  fill(accountField(), 'PA1000000001');
  fill(emailField(), 'client@example.mg');
  press(showBills());
  await waitFor(() => expect(buttons('PAY BILL')).not.toEqual([]));
  press(buttons('PAY BILL')[0] as HTMLButtonElement);
  await seen('How do you want to pay?');
  await waitFor(() => press(link(/^Fanilo Money/, main())));
  await waitFor(() => expect(field('Phone number')).toHaveValue(''));
  expect(says('Account number', main())).toBe(true);
  expect(says('Mobile number', main())).toBe(false);
  expect(document.body.textContent).not.toMatch(/39 ?00 ?000 ?05/);
});

test('FIX-4 APP-14 a result is not shown beside another account or email, and a call for the earlier one is cancelled', async () => {
  const { between, given } = await openPage(path);
  const invoices = '/getopeninvoice';
  const found = async () => {
    fill(accountField(), 'EB1000000002');
    fill(emailField(), 'vide@example.mg');
    press(showBills());
    await seen('No data found');
  };
  await found();
  fill(accountField(), 'EB100000000');
  expect(says('No data found')).toBe(false);
  await found();
  fill(emailField(), 'vide@example.m');
  expect(says('No data found')).toBe(false);
  between(invoices, () => new Promise(() => {}));
  fill(emailField(), 'vide@example.mg');
  press(showBills());
  const before = given.up.length;
  fill(accountField(), 'EB1000000003');
  await waitFor(() =>
    expect(given.up.slice(before).map(({ path }) => path)).toEqual([expect.stringContaining(invoices)]),
  );
});
