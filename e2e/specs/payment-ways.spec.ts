import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { test } from '../fixtures/own-stack.ts';
import { initiationOf, paths } from '../fixtures/portal.ts';
import { sandbox } from '../fixtures/sandbox.ts';
import { amountField, buyButton, numberField, wayLink, ways } from '../fixtures/walk.ts';

// Without script, so that what is seen is what the server wrote; on a portal of its own, because its provider fails.
test.use({ javaScriptEnabled: false, ownSettings: { LIVE_STREAMS: '100' } });

test('LIV-2 each payment method shows its health by the payments of the last hour: a failing one says so and is last, and one without recent data shows none @desktop', async ({
  page,
  ownPortal,
}) => {
  const call = async (path: string, body?: object) => {
    const answer = await fetch(`${ownPortal}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return ((await answer.json()) as { result: Record<string, string> }).result;
  };
  const payBy = async (paymentMode: string, status: string) => {
    const mpesa = paymentMode === 'MPESA';
    const order = { ...initiationOf(freshLine()), paymentMode, paymentGateway: paymentMode };
    const { transactionId = '' } = await call(mpesa ? paths.mpesaInitiate : paths.initiate, order);
    await call(mpesa ? paths.mpesaProcess : paths.process, { transactionId });
    await expect.poll(async () => (await call(`${paths.status}?tid=${transactionId}`)).status).toBe(status);
  };
  const toPaymentPage = async () => {
    await page.goto(ownPortal);
    await numberField(page).fill(freshLine());
    await amountField(page).fill('1000');
    await buyButton(page).click();
    await expect(ways(page).getByRole('link').first()).toBeVisible();
  };

  await sandbox.addFault(ownPortal, { provider: 'mpesa', fault: 'refuse' });
  await Promise.all([
    ...Array.from({ length: 20 }, () => payBy('FANILO_MONEY', 'SUCCESS')),
    ...Array.from({ length: 20 }, () => payBy('MPESA', 'FAILED')),
  ]);
  await toPaymentPage();
  await expect(wayLink(page, 'Fanilo Money').getByText('Working well')).toBeVisible();
  await expect(wayLink(page, 'MPESA').getByText('Having trouble: many payments are failing just now')).toBeVisible();
  await expect(ways(page).locator('[data-way]').last()).toContainText('MPESA');
  for (const name of ['Debit/Credit Card', 'Airtime', 'SmartCash'])
    await expect(wayLink(page, name).getByText(/Working well|Slow just now|Having trouble/), name).toHaveCount(0);
});
