import { expect } from '@playwright/test';
import { test } from '../fixtures/own-stack.ts';
import { callUrl, recordCalls } from '../fixtures/portal.ts';
import { codeFor, freshLine, sandbox } from '../fixtures/sandbox.ts';
import {
  amountField,
  buyButton,
  buyToPaymentPage,
  chooseWay,
  fact,
  fillRecharge,
  numberField,
  open,
  openWithStoppedClock,
  prepaidLine,
  stored,
} from '../fixtures/walk.ts';

const path = '/prepaid-recharge';

test.describe('the fields', () => {
  test('PRE-1 a number pasted in any usual form is read as its nine digits', async ({ page }) => {
    await open(page, path);
    for (const text of ['+261 39 00 000 01', '0390000001', '261390000001', '39-00-000-01', 'Ravo: 39 00 000 01']) {
      await numberField(page).fill('');
      await numberField(page).focus();
      await page.keyboard.insertText(text);
      await expect(numberField(page), text).toHaveValue('39 00 000 01');
    }
  });

  test('PRE-1 the number takes digits only, nine at most, behind a fixed +261', async ({ page }) => {
    await open(page, path);
    await expect(page.locator('form').getByText('+261', { exact: true })).toBeVisible();
    await numberField(page).pressSequentially('3a9b0-0/0 00x01');
    await expect(numberField(page)).toHaveValue('39 00 000 01');
    await numberField(page).pressSequentially('999');
    await expect(numberField(page)).toHaveValue('39 00 000 01');
    await numberField(page).fill('letters only');
    await expect(numberField(page)).toHaveValue('');
    await expect(buyButton(page)).toBeVisible();
  });

  test('PRE-1 the amount takes digits only', async ({ page }) => {
    await open(page, path);
    await amountField(page).pressSequentially('1a2,b3-4');
    await expect(amountField(page)).toHaveValue('1234');
  });
});

test.describe('the line check', () => {
  test('PRE-2 asks nothing before nine digits and once, 300 ms after the last key', async ({ page }) => {
    await openWithStoppedClock(page, path);
    const calls = recordCalls(page, 'lineType');
    const line = freshLine();
    await numberField(page).pressSequentially(line.slice(0, 8));
    await page.clock.runFor(5_000);
    expect(calls).toHaveLength(0);

    await numberField(page).press(line.charAt(8));
    await page.clock.runFor(299);
    expect(calls).toHaveLength(0);
    await page.clock.runFor(1);
    await expect(prepaidLine(page)).toBeVisible();
    await page.clock.runFor(10_000);
    expect(calls).toHaveLength(1);
  });

  test('PRE-2 a number corrected within 300 ms is asked for once, in its last form @desktop', async ({ page }) => {
    await openWithStoppedClock(page, path);
    const calls = recordCalls(page, 'lineType');
    await numberField(page).pressSequentially('390000009');
    await page.clock.runFor(200);
    await numberField(page).press('Backspace');
    await numberField(page).press('1');
    await page.clock.runFor(300);
    await expect(prepaidLine(page)).toBeVisible();
    expect(calls.map(({ body }) => body.msisdn)).toEqual(['0390000001']);
  });

  test('PRE-2 a late answer for an older number is ignored @desktop', async ({ page }) => {
    const older = '390000009';
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const late = Promise.withResolvers<void>();
    await page.route(callUrl('lineType'), async (route) => {
      if (route.request().postDataJSON().msisdn !== `0${older}`) return route.continue();
      const response = await route.fetch();
      await held;
      // The page may have given up on this question; then there is nobody to answer.
      await route.fulfill({ response }).catch(() => {});
      late.resolve();
    });
    await open(page, path);
    const asked = page.waitForRequest((request) => request.url().includes('line-type'));
    await numberField(page).fill(older);
    await asked;
    await numberField(page).fill(freshLine());
    await expect(prepaidLine(page)).toBeVisible();
    release();
    await late.promise;
    // A full round trip later the older answer would have been drawn.
    await page.evaluate(() => fetch('/icon.svg').then((answer) => answer.text()));
    await expect(prepaidLine(page)).toBeVisible();
    await expect(page.getByText('Invalid Mobile No')).toBeHidden();
  });

  for (const [number, kind] of [
    ['390000002', 'POSTPAID'],
    ['390000003', 'HYBRID'],
  ] as const) {
    test(`PRE-3 a ${kind} line keeps buying disabled and points to the bill page`, async ({ page }) => {
      await open(page, path);
      await amountField(page).fill('1000');
      await numberField(page).fill(number);
      const toBill = page.getByRole('main').getByRole('link', { name: 'Pay a bill' });
      await expect(toBill).toHaveAttribute('href', '/postpaid-bill-pay');
      await expect(buyButton(page)).toBeDisabled();
      await toBill.click();
      await expect(page).toHaveURL(/\/postpaid-bill-pay$/);
    });
  }

  for (const number of ['390000009', '340000001']) {
    test(`PRE-3 ${number} is no line here: Invalid Mobile No`, async ({ page }) => {
      await open(page, path);
      await amountField(page).fill('1000');
      await numberField(page).fill(number);
      await expect(page.getByText('Invalid Mobile No', { exact: true })).toBeVisible();
      await expect(numberField(page)).toHaveAttribute('aria-invalid', 'true');
      await expect(buyButton(page)).toBeDisabled();
    });
  }

  test('PRE-3 PREPAID enables buying @desktop', async ({ page }) => {
    await open(page, path);
    await amountField(page).fill('1000');
    await expect(buyButton(page)).toBeDisabled();
    await numberField(page).fill(freshLine());
    await expect(buyButton(page)).toBeEnabled();
  });

  test('PRE-3 a charging system that does not answer says nothing about the number @desktop', async ({
    page,
    ownPortal,
  }) => {
    await sandbox.addFault(ownPortal, { provider: 'charging', fault: 'timeout', delayMs: 50 });
    await open(page, ownPortal + path);
    await amountField(page).fill('1000');
    await numberField(page).fill(freshLine());
    await expect(page.getByText('We could not check this number just now.')).toBeVisible();
    await expect(page.getByText('Invalid Mobile No')).toBeHidden();
    await expect(buyButton(page)).toBeDisabled();

    await sandbox.clearFaults(ownPortal);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(prepaidLine(page)).toBeVisible();
    await expect(buyButton(page)).toBeEnabled();
  });
});

test.describe('the amount', () => {
  test('PRE-4 below the minimum and above the maximum are refused with the limit', async ({ page }) => {
    await open(page, path);
    await numberField(page).fill(freshLine());
    await expect(prepaidLine(page)).toBeVisible();
    const tooLittle = page.getByText('Minimum amount should be MGA 500', { exact: true });
    const tooMuch = page.getByText('Maximum amount should be MGA 500,000', { exact: true });

    await amountField(page).fill('499');
    await expect(tooLittle).toBeVisible();
    await expect(buyButton(page)).toBeDisabled();
    await amountField(page).fill('500');
    await expect(tooLittle).toBeHidden();
    await expect(buyButton(page)).toBeEnabled();
    await amountField(page).fill('500001');
    await expect(tooMuch).toBeVisible();
    await expect(buyButton(page)).toBeDisabled();
    await amountField(page).fill('500000');
    await expect(tooMuch).toBeHidden();
    await expect(buyButton(page)).toBeEnabled();
  });

  test('PRE-5 BUY AIRTIME is disabled without number, without amount, with an error and for a line not prepaid @both', async ({
    page,
  }) => {
    await open(page, path);
    await expect(buyButton(page)).toBeDisabled();
    await numberField(page).fill(freshLine());
    await expect(prepaidLine(page)).toBeVisible();
    await expect(buyButton(page)).toBeDisabled();
    await amountField(page).fill('1000');
    await expect(buyButton(page)).toBeEnabled();
    await amountField(page).fill('1');
    await expect(buyButton(page)).toBeDisabled();
    await amountField(page).fill('1000');
    await expect(buyButton(page)).toBeEnabled();
    await numberField(page).fill('39000');
    await expect(buyButton(page)).toBeDisabled();
    await numberField(page).fill('390000002');
    await expect(page.getByRole('link', { name: 'Pay a bill' })).toBeVisible();
    await expect(buyButton(page)).toBeDisabled();
  });

  test('a quick amount fills the amount', async ({ page }) => {
    await open(page, path);
    await numberField(page).fill(freshLine());
    await page.getByText('5,000', { exact: true }).click();
    await expect(amountField(page)).toHaveValue('5000');
    await expect(buyButton(page)).toBeEnabled();
  });
});

test.describe('buying', () => {
  for (const from of ['/prepaid-recharge', '/']) {
    test(`PRE-7 buying on ${from} keeps the order and opens the payment page`, async ({ page }) => {
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
      await expect(numberField(page)).toHaveValue(/^39 /);
      await expect(amountField(page)).toHaveValue('1500');
      await expect(buyButton(page), 'a digit is changed, nothing is typed twice').toBeEnabled();
    });
  }

  test('PRE-8 the number travels with a leading 0 in every call', async ({ page }) => {
    const line = freshLine();
    const wire = `0${line}`;
    /** Wherever a call of this visit names the number: the call and how it is written there. */
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
    // Not empty by mistake: every call of this purchase that is about a number.
    const calls = new Set(named.map(([call]) => call));
    for (const call of [
      ...['subscriber/line-type', 'v1/bundle', 'v1/payment-options', 'v1/send-otp', 'v4/query-balance'],
      ...['v1/initiate', 'v1/process'],
    ])
      expect(calls, [...calls].join(', ')).toContain(call);
  });
});
