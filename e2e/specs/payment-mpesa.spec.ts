import { expect, type Page, test } from '@playwright/test';
import { freshLine, orderFor } from '../../web/src/testing/orders.fixture.ts';
import { callPortal, isCall, paths, recordCalls } from '../fixtures/portal.ts';
import { debitsOf, expectBooks, sandbox } from '../fixtures/sandbox.ts';
import {
  openOrder,
  refuseStreams,
  scriptReady,
  settled,
  stopClock,
  storeOrder,
  toStatusPage,
} from '../fixtures/walk.ts';

const address = '/payment/start/mpesa';
const neverAnswers = '390000008';
const goOn = (page: Page) => page.getByRole('button', { name: 'Continue to pay' });

async function pay(page: Page, payer: string): Promise<string> {
  await page.getByLabel('Phone number').fill(payer);
  const initiated = page.waitForResponse(isCall('mpesaInitiate'));
  await goOn(page).click();
  return (await (await initiated).json()).result.transactionId;
}

test('MPS-1 initiate and process use MPESA’s calls, a double click pays once, and the status page follows', async ({
  page,
}) => {
  const line = freshLine();
  const payer = freshLine();
  const initiations = recordCalls(page, 'mpesaInitiate');
  const processes = recordCalls(page, 'mpesaProcess');
  await openOrder(page, orderFor(line), address);
  await page.getByLabel('Phone number').fill(payer);
  await goOn(page).dblclick();
  await toStatusPage(page);
  const id = String(new URL(page.url()).searchParams.get('id'));
  expect(initiations.map(({ body }) => body)).toMatchObject([{ paymentMode: 'MPESA', paymentMobile: `0${payer}` }]);
  expect(processes.map(({ body }) => body)).toMatchObject([{ transactionId: id, paymentMode: 'MPESA' }]);
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  await expectBooks(id, { taken: 1_000, delivered: 1_000 }, 'mpesa');
  expect(await debitsOf(payer, 'mpesa')).toEqual([1_000]);
});

test('MPS-1 without a stream it polls every 10 s while in process, at most paymentMaxTry times, and then leaves without calling it failed @desktop', async ({
  page,
}) => {
  await refuseStreams(page);
  await storeOrder(page, orderFor(freshLine()));
  await stopClock(page);
  await page.goto(address);
  await page.keyboard.press('Shift');
  await scriptReady(page);
  const polls = recordCalls(page, 'status');
  const id = await pay(page, neverAnswers);
  await expect(page.getByRole('dialog', { name: 'Processing' })).toBeVisible();
  await settled(page);
  for (let expected = 1; expected <= 10; expected++) {
    await page.clock.runFor(9_999);
    expect(polls).toHaveLength(expected - 1);
    const answered = page.waitForResponse(isCall('status'));
    await page.clock.runFor(1);
    await settled(page, answered);
    expect(polls).toHaveLength(expected);
  }
  await page.clock.resume();
  await expect(page).toHaveURL(new RegExp(`/payment/status\\?id=${id}`));
  await expect(page.getByRole('heading', { name: 'In Processing' })).toBeVisible();
  await expectBooks(id, {}, 'mpesa');

  // Leaving loses nothing: the later outcome is shown.
  const { result } = (await callPortal(`${paths.status}?tid=${id}`)).envelope;
  expect(result?.status).toBe('IN_PROCESS');
  await page.goto('/about');
  const prompts = await sandbox.prompts(neverAnswers);
  await sandbox.answer(
    prompts.find(({ state, provider }) => state === 'pending' && provider === 'mpesa')?.id ?? '',
    'approve',
  );
  await expectBooks(id, { taken: 1_000, delivered: 1_000 }, 'mpesa');
});

test('MPS-1 SEC-16 a decline and a balance that is too low are reported in the same words, and no money is taken @desktop', async ({
  page,
}) => {
  for (const payer of ['390000007', '390000004']) {
    await openOrder(page, orderFor(freshLine()), address);
    const id = await pay(page, payer);
    await toStatusPage(page);
    await expect(page.getByText(/^\* The payment was not approved/)).toBeVisible();
    await expect(page.getByText('Your money was not taken.')).toBeVisible();
    await expectBooks(id, {}, 'mpesa');
  }
});

test('APP-14 the offline notice is in view while paying, at every scroll position', async ({ page, context }) => {
  await openOrder(page, orderFor(freshLine()), address);
  await goOn(page).scrollIntoViewIfNeeded();
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeInViewport();
});
