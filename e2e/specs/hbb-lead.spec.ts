import { expect, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { dialog, enterCode, fillDetails, openDetails, proceed, toConfirm } from '../fixtures/lead.ts';
import { callPortal, callUrl, isCall, paths, recordCalls, registerPayment, startPayment } from '../fixtures/portal.ts';
import { codeFor, expectBooks, sandbox } from '../fixtures/sandbox.ts';
import {
  chooseWay,
  fact,
  moneyHeading,
  open,
  pay,
  scriptReady,
  store,
  stored,
  toStatusPage,
} from '../fixtures/walk.ts';

const path = '/hbb-lead';

test('LEA-1 device and plans are side by side; Proceed is disabled until a plan is chosen, and a reload keeps it', async ({
  page,
}) => {
  await open(page, path);
  await expect(page.getByRole('heading', { name: 'Home 5G outdoor unit' })).toBeVisible();
  await expect(page.getByText('Wi-Fi for the whole house')).toBeVisible();
  await expect(page.getByText('The price includes tax and a one-time connection fee of MGA 20,000.')).toBeVisible();
  await expect(proceed(page)).toBeDisabled();
  await expect(page.getByRole('radio')).toHaveCount(4);
  await page.getByRole('radio', { name: '50 GB, 30 days' }).check();
  const selected = page.getByRole('region', { name: 'Selected Plan' });
  for (const words of ['50 GB, 30 days', '30 days', 'MGA 90,000']) await expect(selected).toContainText(words);
  await expect(proceed(page)).toBeEnabled();
  await page.reload();
  await scriptReady(page);
  await expect(page.getByRole('radio', { name: '50 GB, 30 days' })).toBeChecked();

  await store(page, 'devices_detail', { heading_image: '/icon.svg', deviceName: 'Indoor router', features: ['Small'] });
  await page.reload();
  await scriptReady(page);
  await expect(page.getByRole('heading', { name: 'Indoor router' })).toBeVisible();
  await page.getByRole('link', { name: 'Back', exact: true }).click();
  await expect(page).toHaveURL('/');
});

test('LEA-1 NOS-4 Proceed works before the script: the form carries the plan, and the details follow', async ({
  page,
}) => {
  let areHeld = true;
  await page.route(/\/assets\/.*\.js$/, (route) => (areHeld ? route.abort() : route.continue()));
  await page.goto(`${path}?isFaniloWorks=true&id=AW-9`);
  // Without a plan the browser itself asks for one.
  await proceed(page).click();
  await expect(page).toHaveURL(`${path}?isFaniloWorks=true&id=AW-9`);
  await page.getByRole('radio', { name: '50 GB, 30 days' }).check();
  await Promise.all([page.waitForURL(/[?&]plan=H50G30/), proceed(page).click()]);
  await expect(page.getByRole('region', { name: 'Selected Plan' })).toContainText('MGA 90,000');
  areHeld = false;
  await page.reload();
  await scriptReady(page);
  await expect(page.getByRole('heading', { name: 'Your details' })).toBeVisible();
  await expect(page).toHaveURL(`${path}?isFaniloWorks=true&id=AW-9`);
});

test('LEA-3 LEA-4 LEA-5 STA-4 a feasible town leads through map, code and lead to payment, and the status page shows the lead', async ({
  page,
}) => {
  const number = freshLine();
  const asked = recordCalls(page, 'sendLeadCode');
  const sent = recordCalls(page, 'submitLead');
  await openDetails(page);
  await fillDetails(page, number);
  await toConfirm(page);
  await expect(fact(page, 'Address')).toHaveText('Lot II 12 Analakely');
  await dialog(page).getByRole('button', { name: 'Edit' }).click();
  await expect(page.getByLabel('Full name')).toHaveValue('Lova Rabe');
  await toConfirm(page);
  await page.reload();
  await scriptReady(page);
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await enterCode(page, await codeFor(number));
  await expect(dialog(page)).toContainText('Congratulations! Service is available in your area');
  expect(asked[0]?.body).toMatchObject({ msisdn: `0${number}`, customerDetails: { fullName: 'Lova Rabe' } });
  expect(sent).toHaveLength(1);
  expect(sent[0]?.body).toMatchObject({
    feasibility: true,
    lineType: 'PREPAID',
    reference: 'ODU PURCHASE',
    consent: true,
    address: { country: 'madagascar', city: 'Antananarivo', lat: expect.any(Number), lng: expect.any(Number) },
  });
  await expect(page).toHaveURL('/payment/start');
  const { leadId } = (await stored(page, 'QueryData')) as { leadId: string };
  await chooseWay(page, 'Fanilo Money');
  const initiated = page.waitForRequest(isCall('initiate'));
  await pay(page);
  expect((await initiated).postDataJSON()).toMatchObject({ transactionType: 'HBB_LEADS', txnId: leadId });
  await toStatusPage(page);
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await expect(moneyHeading(page)).toBeVisible();
  await expect(page.getByText(leadId)).toBeVisible();
  await expect(page.getByText('We call you to agree on a day for the installation.')).toBeVisible();
  await expect(page.getByText(/^l•+@example\.mg$/)).toBeVisible();
});

test('LEA-1 the page retries when its content failed to load @desktop', async ({ page }) => {
  await open(page, path);
  await page.route(callUrl('bundles'), (route) => route.abort());
  await page.getByRole('banner').getByRole('link', { name: 'Recharge' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Recharge' })).toBeVisible();
  await page.goBack();
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible();
  await page.unrouteAll();
  await again.click();
  await expect(page.getByRole('radio', { name: '50 GB, 30 days' })).toBeVisible();
});

test('PAY-6 STA-4 a Works visit from its address to the paid order: email fixed, type HBB_LEADS, mode HBB_AIRTIME', async ({
  page,
}) => {
  const number = freshLine();
  await rechargeByWallet(number, 90_000);
  const leads = recordCalls(page, 'submitLead');
  const initiations = recordCalls(page, 'initiate');
  await openDetails(page, `${path}?isFaniloWorks=true&id=AW-7`);
  await expect(page.getByText('Fanilo Works visit AW-7')).toBeVisible();
  await fillDetails(page, number);
  await toConfirm(page);
  await dialog(page).getByRole('button', { name: 'Confirm' }).click();
  await enterCode(page, await codeFor(number));
  await expect(dialog(page)).toContainText('Congratulations!');
  expect(leads.map(({ body }) => body)).toEqual([expect.objectContaining({ source: 'HBB_ODU_AW', worksId: 'AW-7' })]);
  await expect(page).toHaveURL('/payment/start');
  const { leadId } = (await stored(page, 'QueryData')) as { leadId: string };

  await expect(page.getByRole('group', { name: 'Ways to pay' }).locator('[data-way]')).toHaveCount(1);
  await expect(page.getByLabel('Email')).toHaveJSProperty('readOnly', true);
  await expect(page.getByLabel('Email')).toHaveValue(`lead${number}@example.mg`);
  const asked = page.waitForRequest(isCall('sendCode'));
  await page.getByRole('button', { name: /Continue|^Pay / }).click();
  expect((await asked).postDataJSON()).toMatchObject({ data: { paymentMode: 'HBB_AIRTIME' } });
  await enterCode(page, await codeFor(number, 2));
  const sure = page.getByRole('dialog', { name: 'Are you sure?' });
  await expect(fact(page, 'Balance')).toHaveText('MGA 100,000');
  await sure.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  expect(initiations).toHaveLength(1);
  expect(initiations[0]?.body).toMatchObject({
    transactionType: 'HBB_LEADS',
    paymentMode: 'HBB_AIRTIME',
    txnId: leadId,
    amount: 90_000,
  });
  for (const words of [leadId, 'We call you to agree on a day for the installation.'])
    await expect(page.getByText(words)).toBeVisible();
  await expect(page.getByText(/^l•+@example\.mg$/)).toBeVisible();

  const id = String(new URL(page.url()).searchParams.get('id'));
  await expectBooks(id, { taken: 90_000, delivered: 90_000 }, 'airtime');
  expect((await sandbox.line(number)).airtime).toBe(10_000);
  const orders = (await sandbox.orders()).filter(({ relatedEntity }) => relatedEntity[0]?.id === leadId);
  expect(orders.map(({ externalId }) => externalId)).toEqual([id]);
  const tracked = await callPortal(paths.trackLead, { refLeadId: leadId });
  expect(tracked.envelope.result).toMatchObject({ leadStatus: 'PAID' });
});

/** Tops up a line first, because a plan costs more than a new line's balance. */
async function rechargeByWallet(number: string, amount: number) {
  const id = await registerPayment(number, amount);
  await startPayment(id);
  await expectBooks(id, { taken: amount, delivered: amount });
}
