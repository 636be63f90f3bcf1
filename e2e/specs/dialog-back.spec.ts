import { expect, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { codeFor, expectBooks } from '../fixtures/sandbox.ts';
import { buyToPaymentPage, chooseWay, open, openOrder, scriptReady } from '../fixtures/walk.ts';

test('APP-6 AIR-2 Back closes a dialog and leaves the form as it was; with none open it leaves the page', async ({
  page,
}) => {
  const line = freshLine();
  await open(page, '/prepaid-recharge');
  await openOrder(page, orderFor(line), '/payment/start/airtime');
  await page.getByLabel('Email').fill('client@example.mg');
  await page.getByLabel('Phone number').fill(line);
  const goOn = page.getByRole('button', { name: 'Continue' });
  const code = page.getByRole('dialog').getByLabel('Code', { exact: true });
  await goOn.click();
  await expect(code).toBeVisible();
  await page.goBack();
  await expect(code).toBeHidden();
  await expect(page).toHaveURL('/payment/start/airtime');
  await expect(page.getByLabel('Email')).toHaveValue('client@example.mg');

  // Closed by its button it leaves no entry; one dialog after another has one.
  await goOn.click();
  await expect(code).toBeVisible();
  await code.fill(await codeFor(line));
  const sure = page.getByRole('dialog', { name: 'Are you sure?' });
  await expect(sure).toBeVisible();
  await page.goBack();
  await expect(sure).toBeHidden();
  await expect(page).toHaveURL('/payment/start/airtime');
  await expect.poll(() => page.evaluate(() => history.state?.isDialog ?? false)).toBe(false);
  await page.goBack();
  await expect(page).not.toHaveURL(/payment/);
});

test('APP-6 STA-6 after a payment through dialogs Back leads to the flow, and the page before it is one more step away', async ({
  page,
}) => {
  const line = freshLine();
  await open(page, '/');
  await buyToPaymentPage(page, line);
  await chooseWay(page, 'Airtime');
  await page.getByLabel('Email').fill('client@example.mg');
  await page.getByLabel('Phone number').fill(line);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page
    .getByRole('dialog')
    .getByLabel('Code', { exact: true })
    .fill(await codeFor(line));
  await page.getByRole('dialog', { name: 'Are you sure?' }).getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  const id = String(new URL(page.url()).searchParams.get('id'));
  await expectBooks(id, { taken: 1_000, delivered: 1_000 }, 'airtime');
  await scriptReady(page);
  await page.goBack();
  await expect(page).toHaveURL('/prepaid-recharge');
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL('/');
});
