import { expect, type Page, test } from '@playwright/test';
import { orderFor } from '../../web/src/testing/orders.fixture.ts';
import { isCall } from '../fixtures/portal.ts';
import { expectBooks, expectMessage, sandbox } from '../fixtures/sandbox.ts';
import { openOrder, pay, refuseStreams, toStatusPage } from '../fixtures/walk.ts';

// The sandbox's lines and balances are shared, so these tests run serially and in one shape.
test.describe.configure({ mode: 'serial' });

const amount = 1_000;
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

interface Outcome {
  id: string;
  reference: string;
  /** Every status that the page received while waiting. */
  heard: string[];
  moved: { airtime: number; wallet: number };
}

/** Recharges a line from its own wallet, until `done` holds. */
async function recharge(page: Page, line: string, done: () => Promise<void>): Promise<Outcome> {
  const before = await sandbox.line(line);
  const heard: string[] = [];
  let reference = '';
  page.on('response', async (response) => {
    if (!isCall('fetch')(response) && !isCall('status')(response)) return;
    // The body of a response is gone after navigation.
    const answer = await response.json().catch(() => null);
    if (!answer) return;
    heard.push(answer.result.status);
    reference = answer.result.reference;
  });
  await openOrder(page, orderFor(line, { amount }));
  const id = await pay(page);
  await toStatusPage(page);
  await done();
  const after = await sandbox.line(line);
  const moved = { airtime: after.airtime - before.airtime, wallet: after.wallet - before.wallet };
  return { id, reference, heard, moved };
}

test('PAY-7 390000001 pays, receives its credit and an SMS @desktop', async ({ page }) => {
  const line = '390000001';
  const { id, reference, moved } = await recharge(page, line, () => expect(heading(page, 'Thank you')).toBeVisible());
  await expect(page.getByText('Paid and delivered.')).toBeVisible();
  await expectBooks(id, { taken: amount, delivered: amount });
  expect(moved).toEqual({ airtime: amount, wallet: -amount });
  await expectMessage(line, new RegExp(`^Fanilo: delivered\\. MGA 1,000 .*${reference}$`));
});

/** A wallet's reason is shown only to visitors who proved the number. */
const notApproved = /^\* The payment was not approved/;

async function expectNotTaken(page: Page, line: string) {
  const { id, moved } = await recharge(page, line, () => expect(heading(page, 'FAILED')).toBeVisible());
  await expect(page.getByText('Your money was not taken.')).toBeVisible();
  await expect(page.getByText(notApproved)).toBeVisible();
  await expectBooks(id, {});
  expect(moved).toEqual({ airtime: 0, wallet: 0 });
  expect(await sandbox.messages(line)).toEqual([]);
}

test('MNY-1 SEC-16 390000004 has too little: no money is taken, and the wallet’s reason is not disclosed @desktop', async ({
  page,
}) => {
  await expectNotTaken(page, '390000004');
});

test('MNY-1 SEC-16 390000007 declines: no money is taken, the same words are shown, and an unproved number gets no SMS @desktop', async ({
  page,
}) => {
  await expectNotTaken(page, '390000007');
});

test('MNY-1 390000008 never answers: the payment keeps waiting and is not called failed @desktop', async ({ page }) => {
  // With an event stream the page would poll rarely.
  await refuseStreams(page);
  const line = '390000008';
  const { id, reference, heard, moved } = await recharge(page, line, async () => {
    // Long enough for quick polling to end and slow polling to begin.
    await expect(heading(page, 'In Processing')).toBeVisible();
    let polls = 0;
    page.on('response', (response) => {
      if (isCall('fetch')(response)) polls++;
    });
    await expect.poll(() => polls).toBeGreaterThanOrEqual(7);
  });
  await expect(heading(page, 'In Processing')).toBeVisible();
  await expect(page.getByText('We are waiting for your approval on the phone.')).toBeVisible();
  await expect(page.getByText('Unsuccessful')).toBeHidden();
  expect(new Set(heard)).toEqual(new Set(['REQUEST_REGISTERED']));
  // Other tests use this wallet too, so check the books of this payment and not the balance.
  await expectBooks(id, {});
  expect(moved.airtime).toBe(0);
  expect((await sandbox.prompts(line)).find((prompt) => prompt.reference === reference)?.state).toBe('pending');
});

test('MNY-1 390000012 pays, and its credit is refused: the money is refunded @desktop', async ({ page }) => {
  const line = '390000012';
  const { id, reference, moved } = await recharge(page, line, () =>
    expect(page.getByText('Your money was given back.')).toBeVisible(),
  );
  await expect(heading(page, 'FAILED')).toBeVisible();
  await expect(page.getByText(/^\* It could not be delivered/)).toBeVisible();
  const steps = page.getByRole('main').getByRole('listitem');
  await expect(steps.filter({ hasText: 'Taken and on its way' })).toHaveText(/\d:\d\d/);
  await expect(steps.filter({ hasText: 'Given back' })).toHaveText(/\d:\d\d/);
  await expect(page.getByText(/^The money was back on /)).toBeVisible();
  await expectBooks(id, { taken: amount, givenBack: amount });
  expect(moved).toEqual({ airtime: 0, wallet: 0 });
  await expectMessage(line, new RegExp(`going back to you.*${reference}$`));
  await expectMessage(line, new RegExp(`^Fanilo: given back\\. MGA 1,000 is back.*${reference}$`));
});

test('MNY-1 390000013 loses the response: the unknown outcome is not called failed, and is resolved @desktop', async ({
  page,
}) => {
  const line = '390000013';
  const { id, reference, heard, moved } = await recharge(page, line, () =>
    expect(heading(page, 'Thank you')).toBeVisible(),
  );
  expect(heard).toContain('REQUEST_REGISTERED');
  expect(heard).not.toContain('FAILED');
  await expectBooks(id, { taken: amount, delivered: amount });
  expect(moved).toEqual({ airtime: amount, wallet: -amount });
  await expectMessage(line, new RegExp(`^Fanilo: delivered\\. MGA 1,000 .*${reference}$`));
});
