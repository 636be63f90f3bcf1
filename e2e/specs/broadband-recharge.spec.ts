import { expect, type Page } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { test } from '../fixtures/own-stack.ts';
import { callUrl, recordCalls } from '../fixtures/portal.ts';
import { resize } from '../fixtures/resize.ts';
import { codeFor, codesSentTo, sandbox } from '../fixtures/sandbox.ts';
import { fact, numberField, open, stored } from '../fixtures/walk.ts';

const path = '/broadband-recharge';
const balanceButton = (page: Page) => page.getByRole('button', { name: 'Fetch your Data Balance' });
const broadbandLine = (page: Page) => page.getByText('Broadband line', { exact: true });

// Only this spec's own portal runs as that operator.
test.use({ ownSettings: { OPERATOR: 'ng' } });

test('BRB-1 BRB-2 a router’s number lists broadband bundles, and buying one makes a broadband order', async ({
  page,
}) => {
  const checks = recordCalls(page, 'lineType');
  await open(page, path);
  await numberField(page).fill(freshLine());
  await expect(page.getByText('This is a mobile line, not a broadband line.')).toBeVisible();
  await page.route(callUrl('lineType'), (route) => route.abort('internetdisconnected'), { times: 1 });
  await numberField(page).fill('');
  await numberField(page).focus();
  await page.keyboard.insertText('+261 39 00 000 05');
  await expect(page.getByText('We could not check this number just now.')).toBeVisible();
  await expect(page.getByText('This is a mobile line')).toBeHidden();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(broadbandLine(page)).toBeVisible();
  expect(checks.every(({ body }) => body.checkIfBroadband === true)).toBe(true);
  // This operator does not show balances.
  await expect(balanceButton(page)).toHaveCount(0);

  const bundles = page.getByRole('article');
  await expect(bundles.first()).toBeVisible();
  const twenty = bundles.filter({ hasText: '20 GB' }).first();
  await twenty.getByRole('button').click();
  await expect(page).toHaveURL(/\/payment\/start$/);
  expect(await stored(page, 'QueryData')).toMatchObject({
    msisdn: '390000005',
    transactionType: 'PREPAID_BUNDLES',
    rechargeType: 'broadband',
    redirectPage: path,
    bundleInfo: { data: '20', dataUnit: 'GB' },
  });
});

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('NOS-2 BRB-1 a router’s bundle is bought by forms up to the payment page', async ({ page }) => {
    await page.goto(path);
    await numberField(page).fill('390000001');
    await page.getByRole('button', { name: 'SHOW BUNDLES' }).click();
    await expect(page.getByText('This is a mobile line, not a broadband line.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Bundles for this number' })).toHaveAttribute(
      'href',
      '/data-bundle?msisdn=390000001',
    );
    await numberField(page).fill('390000005');
    await page.getByRole('button', { name: 'SHOW BUNDLES' }).click();
    await page.getByRole('article').first().getByRole('button').click();
    await expect(page).toHaveURL(/\/payment\/start\?order=/);
    await expect(fact(page, 'Mobile number')).toHaveText('+261 39 00 000 05');
  });
});

test.describe('an operator that shows balances', () => {
  test('BRB-2 BRB-3 D9 a code sent to the owner’s phone shows the balances of data and airtime separately', async ({
    page,
    ownPortal,
  }) => {
    await open(page, ownPortal + path);
    await expect(page.getByText('+234', { exact: true })).toBeVisible();
    await numberField(page).fill('0939 000 0005');
    await expect(broadbandLine(page)).toBeVisible();
    const before = await codesSentTo('390000001', ownPortal);
    await balanceButton(page).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('We sent a code of six digits by SMS to 93• ••• ••01.')).toBeVisible();
    const code = await codeFor('390000001', before + 1, ownPortal);
    expect(await sandbox.messages('390000005', ownPortal)).toEqual([]);
    await page.route(callUrl('queryBalance'), (route) => route.abort('internetdisconnected'), { times: 1 });
    await dialog.getByLabel('Code').fill(code);
    await expect(page.getByText('We could not read the balance just now.')).toBeVisible();
    await page.getByRole('button', { name: 'Try again' }).click();

    await expect(dialog.getByRole('heading', { name: 'Active bundles' })).toBeVisible();
    const data = dialog.getByRole('region', { name: 'Data' }).getByRole('listitem');
    await expect(data).toHaveCount(2);
    await expect(data.filter({ hasText: 'Home data' })).toContainText('3.2 GB left');
    await expect(data.filter({ hasText: 'Home data' })).toContainText(/Valid until \d/);
    await expect(data.filter({ hasText: 'Unlimited nights' }).getByRole('strong')).toHaveText('Unlimited');
    const airtime = dialog.getByRole('region', { name: 'Airtime' }).getByRole('listitem');
    await expect(airtime).toHaveCount(1);
    await expect(airtime).toContainText('NGN 1,500');
    await resize(page, { width: 1280, height: 800 });
    await expect(data.filter({ hasText: 'Home data' })).toBeInViewport();
    await expect(airtime).toBeInViewport();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  });

  test('CRD-2 D9 a bundle is paid in naira in the Paystack popup @desktop', async ({ page, ownPortal }) => {
    await open(page, `${ownPortal}${path}?msisdn=9390000005`);
    await page.locator('[data-product=NB50G30]').first().getByRole('button').click();
    await expect(page).toHaveURL(/\/payment\/start/);
    await page.getByLabel('Email').fill('owner@example.com');
    await page.getByRole('button', { name: 'Continue' }).click();
    const popup = page.frameLocator('iframe[title="Paystack checkout"]');
    await expect(popup.getByText('NGN 12,000.00').first()).toBeVisible();
    await popup.getByLabel('Card number').fill('4111 1111 1111 1111');
    await popup.getByLabel(/Expiry/).fill('12/40');
    await popup.getByLabel('CVC').fill('123');
    await popup.getByRole('button', { name: /^Pay/ }).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    await expect(page.getByRole('main')).toContainText('NGN 12,000');
  });
});
