import { expect, type Page, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { codeFor, codesSentTo } from '../fixtures/sandbox.ts';
import {
  amountField,
  buyButton,
  fact,
  numberField,
  open,
  openOrder,
  payButton,
  scriptReady,
  tabTo,
  wayLink,
  ways,
} from '../fixtures/walk.ts';

const press = (page: Page, key: string) => page.keyboard.press(key);
const type = (page: Page, text: string) => page.keyboard.type(text);

/** The focus stands where one can see it. */
async function expectSeen(page: Page) {
  const seen = await page.evaluate(() => {
    const { outlineStyle, boxShadow } = getComputedStyle(document.activeElement ?? document.body);
    const box = (document.activeElement ?? document.body).getBoundingClientRect();
    return {
      isMarked: outlineStyle !== 'none' || boxShadow !== 'none',
      isInView: box.bottom > 0 && box.top < innerHeight,
    };
  });
  expect(seen).toEqual({ isMarked: true, isInView: true });
}

test('a recharge reaches the payment page by keyboard alone @both', async ({ page }) => {
  await page.goto('/');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await scriptReady(page);
  await tabTo(page, numberField(page));
  await page.keyboard.type(freshLine());
  await tabTo(page, amountField(page));
  await page.keyboard.type('1000');
  await expect(buyButton(page)).toBeEnabled();
  await tabTo(page, buyButton(page));
  await page.keyboard.press('Enter');
  await tabTo(page, wayLink(page, 'Fanilo Money'));
  await page.keyboard.press('Enter');
  await expect(payButton(page)).toBeVisible();
  await tabTo(page, payButton(page));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Processing' })).toBeVisible();
});

test('POS-3 POS-4 by keyboard alone: number, both proofs, the bill and the payment page', async ({ page }) => {
  await open(page, '/postpaid-bill-pay');
  await tabTo(page, numberField(page));
  await type(page, '390000003');
  const fetchBill = page.getByRole('button', { name: 'Fetch your Postpaid Bill' });
  await expect(fetchBill).toBeEnabled();
  await tabTo(page, fetchBill);
  await expectSeen(page);
  await press(page, 'Enter');
  const dialog = page.getByRole('dialog');
  await tabTo(page, dialog.getByRole('button', { name: 'Get OTP' }));
  // Escape closes, and the focus goes back to where it came from.
  await press(page, 'Escape');
  await expect(dialog).toBeHidden();
  await expect(fetchBill).toBeFocused();
  await press(page, 'Enter');
  await tabTo(page, dialog.getByRole('button', { name: 'Use the account number instead' }));
  await press(page, 'Enter');
  await tabTo(page, dialog.getByLabel('Account number'));
  await type(page, '1000000003');
  await press(page, 'Enter');
  await expect(dialog).toBeHidden();
  await expect(fact(page, 'Account number')).toHaveText('1000000003');
  const payBill = page.getByRole('button', { name: 'MAKE A PAYMENT' });
  await tabTo(page, amountField(page));
  await press(page, 'ControlOrMeta+a');
  await type(page, '2000');
  await expect(payBill).toBeEnabled();
  await tabTo(page, payBill);
  await press(page, 'Enter');
  await expect(ways(page)).toBeVisible();
});

// Codes to one number at the same time would be mixed up, so in one shape only, and on a line of its own.
test('POS-3 by keyboard alone: a code instead of the account number @desktop', async ({ page }) => {
  await open(page, '/postpaid-bill-pay?msisdn=390000014');
  const fetchBill = page.getByRole('button', { name: 'Fetch your Postpaid Bill' });
  const dialog = page.getByRole('dialog');
  await expect(fetchBill).toBeEnabled();
  await tabTo(page, fetchBill);
  await press(page, 'Enter');
  const before = await codesSentTo('390000014');
  await tabTo(page, dialog.getByRole('button', { name: 'Get OTP' }));
  await press(page, 'Enter');
  await tabTo(page, dialog.getByLabel('Code'));
  await type(page, await codeFor('390000014', before + 1));
  await expect(dialog).toBeHidden();
});

test('BUN-7 BUN-4 by keyboard alone: number, budget and need, and a bundle @desktop', async ({ page }) => {
  await open(page, '/data-bundle');
  await tabTo(page, numberField(page));
  await type(page, freshLine());
  await expect(page.getByRole('heading', { name: /^Bundles for/ })).toBeVisible();
  const finder = page.getByRole('form', { name: 'Find the right bundle' });
  await tabTo(page, finder.getByRole('radio').first());
  await press(page, 'ArrowRight');
  await expectSeen(page);
  const pick = page.locator('[data-picks] [data-product]').first();
  await expect(pick).toBeVisible();
  await tabTo(page, pick.getByRole('button', { name: /^Buy / }));
  await expectSeen(page);
  await press(page, 'Enter');
  await expect(ways(page)).toBeVisible();
});

test('BRB-1 by keyboard alone: a router’s number and its bundle', async ({ page }) => {
  await open(page, '/broadband-recharge');
  await tabTo(page, numberField(page));
  await type(page, '390000005');
  const first = page.getByRole('article').first().getByRole('button');
  await expect(first).toBeVisible();
  await tabTo(page, first);
  await expectSeen(page);
  await press(page, 'Enter');
  await expect(ways(page)).toBeVisible();
});

test('FIX-1 FIX-3 by keyboard alone: account, email, the bills and one of them', async ({ page }) => {
  await open(page, '/orp/fixed-internet');
  await tabTo(page, page.getByLabel('Account number'));
  await type(page, 'PA1000000001');
  await tabTo(page, page.getByLabel('Email'));
  await type(page, 'client@example.mg');
  await press(page, 'Enter');
  const payFirst = page.getByRole('table', { name: 'Your bills' }).getByRole('button', { name: 'PAY BILL' }).first();
  await expect(payFirst).toBeVisible();
  await tabTo(page, payFirst);
  await expectSeen(page);
  await press(page, 'Enter');
  await expect(ways(page)).toBeVisible();
});

test('D3 by keyboard alone: the table is sorted, filtered and bought from', async ({ page }) => {
  await open(page, '/table');
  await tabTo(page, page.getByText('Search, contents and order'));
  await expectSeen(page);
  await press(page, 'Enter');
  await tabTo(page, page.getByLabel('Search'));
  await type(page, 'Miaraka');
  await expect(page).toHaveURL(/q=Miaraka/);
  await tabTo(page, page.getByRole('columnheader', { name: 'Price' }).getByRole('link'));
  await expectSeen(page);
  await press(page, 'Enter');
  await expect(page.getByRole('columnheader', { name: 'Price' })).toHaveAttribute('aria-sort', 'ascending');
  await tabTo(page, page.locator('tbody th a').first());
  await expectSeen(page);
  await press(page, 'Enter');
  await tabTo(page, numberField(page));
  await type(page, freshLine());
  const buy = page.getByRole('button', { name: /^BUY FOR/ });
  await expect(buy).toBeEnabled();
  await press(page, 'Enter');
  await expect(ways(page)).toBeVisible();
});

test('on a phone no focused element of the payment page is covered by the bar with Pay', async ({ page }) => {
  await openOrder(page, orderFor(freshLine()), '/payment/start/mpesa');
  const covered = () =>
    page.evaluate(() => {
      const focused = document.activeElement;
      const bar = [...document.querySelectorAll('div')].find((one) => getComputedStyle(one).position === 'fixed');
      if (!focused || !bar || focused === document.body || bar.contains(focused)) return null;
      const { top, bottom } = focused.getBoundingClientRect();
      const edge = bar.getBoundingClientRect().top;
      return bottom > edge && top < window.innerHeight ? (focused.textContent ?? focused.tagName) : null;
    });
  const names: string[] = [];
  let steps = 0;
  for (; steps < 80; steps += 1) {
    await page.keyboard.press('Tab');
    if (await page.evaluate(() => document.activeElement === document.body)) break;
    const name = await covered();
    if (name) names.push(name);
  }
  expect(steps).toBeGreaterThan(20);
  expect(names).toEqual([]);
});
