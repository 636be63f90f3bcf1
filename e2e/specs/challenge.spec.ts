import { randomInt } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { callPath } from '../../contract/calls.ts';
import { test as base } from '../fixtures/own-stack.ts';
import { paths, recordCalls } from '../fixtures/portal.ts';
import { codeFor } from '../fixtures/sandbox.ts';
import { fact, numberField, open } from '../fixtures/walk.ts';

// A portal of its own with a twentieth of the budgets, which believes what we say about where we come from.
const test = base.extend({ baseURL: async ({ ownPortal }, use) => use(ownPortal) });
test.describe.configure({ mode: 'default' });
test.use({ ownSettings: { RATE_LIMIT_SCALE: '0.05', TRUSTED_PROXIES: '127.0.0.1,::1' } });

const somewhere = () => ({ 'x-forwarded-for': `10.${randomInt(250)}.${randomInt(250)}.${randomInt(1, 250)}` });
const fetchButton = (page: Page) => page.getByRole('button', { name: 'Fetch your Postpaid Bill' });
const dialog = (page: Page) => page.getByRole('dialog');
const question = (page: Page) => page.getByRole('heading', { name: 'Please show that you are a person' });
const answerField = (page: Page) => page.getByLabel(/^How much is \d plus \d\?/);
const goOn = (page: Page) => page.getByRole('button', { name: 'Go on' });

async function ask(portal: string, path: string, body: object) {
  const answer = await fetch(portal + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...somewhere() },
    body: JSON.stringify(body),
  });
  return answer.status;
}

/** Strangers ask for codes to numbers of that block until it takes a challenge. */
async function strangersAsk(portal: string) {
  for (let number = 0; number < 10; number += 1) {
    const msisdn = `0390009${String(randomInt(1_000)).padStart(3, '0')}`;
    if ((await ask(portal, paths.sendCode, { data: { msisdn } })) === 428) return;
  }
  throw new Error('no challenge was asked for');
}

async function strangersGuess(portal: string, accountNo: string) {
  for (let guess = 0; guess < 10; guess += 1) {
    const body = { accountNo, contactPersonEmailId: `guess${guess}@example.mg` };
    if ((await ask(portal, paths.openInvoices, body)) === 428) return;
  }
  throw new Error('no challenge was asked for');
}

async function strangersGuessAccounts(portal: string, msisdn: string) {
  for (let guess = 0; guess < 10; guess += 1) {
    const data = { msisdn, accountNo: `20000000${10 + guess}` };
    if ((await ask(portal, callPath('validateAccount'), { data })) === 428) return;
  }
  throw new Error('no challenge was asked for');
}

async function answerTheSum(page: Page, add = 0) {
  const label = await page.getByText(/^How much is \d plus \d\?$/).textContent();
  const [left = 0, right = 0] = [...(label ?? '').matchAll(/\d/g)].map(Number);
  await answerField(page).fill(String(left + right + add));
  await goOn(page).click();
}

/** Too early is told, and the same question can be answered again until the wait is over. */
async function answerInTime(page: Page) {
  await answerTheSum(page);
  await expect(page.getByText(/^That was quick\. Please wait \d+ seconds/)).toBeVisible();
  await expect(async () => {
    // Each try from elsewhere: at a twentieth an address has three, and phones change it all the time.
    await page.setExtraHTTPHeaders(somewhere());
    await answerTheSum(page);
    await expect(question(page)).toBeHidden({ timeout: 500 });
  }).toPass();
}

test('SEC-19 when the budget of codes runs low, the browser solves a proof of work, says so, and the code is sent', async ({
  page,
  ownPortal,
}) => {
  await strangersAsk(ownPortal);
  await page.setExtraHTTPHeaders(somewhere());
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const status = document.querySelector('dialog [role=status]')?.textContent;
      const progress = document.querySelector('dialog progress')?.getAttribute('aria-label');
      for (const text of [status, progress]) if (text && !seen.includes(text)) seen.push(text);
    }).observe(document, { subtree: true, childList: true });
  });
  const sends: { challenge: string | undefined; status: number }[] = [];
  page.on('response', (response) => {
    if (!response.url().endsWith(callPath('sendInvoiceCode'))) return;
    sends.push({ challenge: response.request().headers()['x-challenge'], status: response.status() });
  });
  await open(page, '/postpaid-bill-pay?msisdn=390000002');
  await fetchButton(page).click();
  await dialog(page).getByRole('button', { name: 'Get OTP' }).click();
  await dialog(page)
    .getByLabel('Code')
    .fill(await codeFor('390000002', 1, ownPortal));
  await expect(fact(page, 'Total outstanding')).toHaveText('MGA 45,250.40');
  expect(sends.map(({ status }) => status)).toEqual([428, 200]);
  expect(sends[1]?.challenge).toMatch(/^[\w-]+\.work\.[\w-]+$/);
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  expect(seen).toEqual(expect.arrayContaining(['Checking that you are a person …', 'How far the check is']));
});

test('SEC-19 SEC-21 guesses by strangers do not lock the owner of an account out', async ({ page, ownPortal }) => {
  await strangersGuess(ownPortal, 'PA1000000001');
  await page.setExtraHTTPHeaders(somewhere());
  const calls = recordCalls(page, 'openInvoices');
  await open(page, '/orp/fixed-internet');
  await page.getByLabel('Account number').fill('PA1000000001');
  await page.getByLabel('Email').fill('client@example.mg');
  await page.getByRole('button', { name: 'SHOW BILLS' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'PA1000000001-1' })).toBeVisible();
  expect(calls).toHaveLength(2);
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('SEC-19 NOS-3 a question and a delay precede the code, and a wrong answer is reported', async ({
    page,
    ownPortal,
  }) => {
    await strangersAsk(ownPortal);
    await page.setExtraHTTPHeaders(somewhere());
    await page.goto('/postpaid-bill-pay');
    await numberField(page).fill('390000003');
    await fetchButton(page).click();
    await expect(question(page)).toBeVisible();
    await answerTheSum(page, 1);
    await expect(page.getByText('That was not the sum. Here is another question.')).toBeVisible();
    await answerInTime(page);
    await expect(page.getByText('We sent a code of six digits by SMS to +261 39 00 000 03.')).toBeVisible();
    await page.getByLabel('Code').fill(await codeFor('390000003', 1, ownPortal));
    await page.getByRole('button', { name: 'Get Outstanding', exact: true }).click();
    await expect(fact(page, 'Total outstanding')).toHaveText('MGA 12,000');
  });

  test('SEC-19 NOS-3 after guesses by strangers the bills are shown after one question, asked once', async ({
    page,
    ownPortal,
  }) => {
    const account = `PA2000000${randomInt(100, 1_000)}`;
    await strangersGuess(ownPortal, account);
    await page.setExtraHTTPHeaders(somewhere());
    await page.goto('/orp/fixed-internet');
    await page.getByLabel('Account number').fill(account);
    await page.getByLabel('Email').fill(`${account.toLowerCase()}@example.mg`);
    await page.getByRole('button', { name: 'SHOW BILLS' }).click();
    await expect(question(page)).toBeVisible();
    await answerInTime(page);
    const bill = page.getByRole('row').filter({ hasText: `${account}-1` });
    await expect(bill).toBeVisible();
    await bill.getByRole('button', { name: 'PAY BILL' }).click();
    await expect(page).toHaveURL(/\/payment\/start\?order=/);
    await expect(fact(page, 'Invoice number')).toHaveText(`${account}-1`);
  });

  test('SEC-19 NOS-3 after guesses by strangers the account number is accepted after one question', async ({
    page,
    ownPortal,
  }) => {
    await strangersGuessAccounts(ownPortal, '0390000002');
    await page.setExtraHTTPHeaders(somewhere());
    await page.goto('/postpaid-bill-pay');
    await numberField(page).fill('390000002');
    await page.getByLabel('Account number').fill('1000000002');
    await page.getByRole('button', { name: 'Get Outstanding by account number' }).click();
    await expect(question(page)).toBeVisible();
    await answerInTime(page);
    await expect(fact(page, 'Total outstanding')).toHaveText('MGA 45,250.40');
  });
});
