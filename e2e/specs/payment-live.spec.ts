import { expect, type Page, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { callPortal, isCall, paths, recordCalls } from '../fixtures/portal.ts';
import { promptOf, sandbox } from '../fixtures/sandbox.ts';
import { buyAirtime, isStream, pay, refuseStreams, settled, stopClock } from '../fixtures/walk.ts';

/** A line that never answers prompts by itself. */
const neverAnswers = '390000008';
const thanks = (page: Page) => page.getByRole('heading', { name: 'Thank you' });

async function approve(id: string) {
  const { envelope } = await callPortal(`${paths.status}?tid=${id}`);
  await sandbox.answer((await promptOf(neverAnswers, String(envelope.result?.reference))).id, 'approve');
}

test('LIV-1 (page; the second is measured by npm run bench:live) after an approval the waiting page says Thank you before it would have polled', async ({
  page,
}) => {
  await buyAirtime(page, freshLine());
  await stopClock(page);
  const listening = page.waitForResponse((answer) => isStream(new URL(answer.url())));
  const id = await pay(page, neverAnswers);
  expect((await listening).status()).toBe(200);
  await approve(id);
  // Effects of opening a screen run at once; polling starts after a second at the earliest.
  let ranMs = 0;
  await expect
    .poll(async () => {
      if (ranMs < 900) await page.clock.runFor(10);
      ranMs += 10;
      return thanks(page).isVisible();
    })
    .toBe(true);
});

test('LIV-1 (load; the second is measured by npm run bench:live) while its stream is open the waiting page polls every 30 s only, and gives up no later', async ({
  page,
}) => {
  await buyAirtime(page, freshLine());
  await stopClock(page);
  const asked = recordCalls(page, 'status');
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const told = new Promise((resolve) => devtools.once('Network.eventSourceMessageReceived', resolve));
  const id = await pay(page, neverAnswers);
  await told;
  await settled(page);
  for (let turn = 1; turn <= 3; turn++) {
    await page.clock.runFor(29_000);
    expect(asked).toHaveLength(turn - 1);
    const answered = page.waitForResponse(isCall('status'));
    await page.clock.runFor(1_000);
    await settled(page, answered);
    expect(asked).toHaveLength(turn);
  }
  await page.clock.runFor(10_000);
  await page.clock.resume();
  await expect(page).toHaveURL(new RegExp(`/payment/status\\?id=${id}`));
});

test('LIV-1 (fallback; the second is measured by npm run bench:live) where the event stream is refused the page shows Thank you by polling', async ({
  page,
}) => {
  await refuseStreams(page);
  const refused = page.waitForResponse((answer) => isStream(new URL(answer.url())));
  await buyAirtime(page, freshLine());
  const asked = page.waitForRequest(isCall('status'));
  const id = await pay(page, neverAnswers);
  await approve(id);
  await asked;
  await expect(thanks(page)).toBeVisible();
  expect((await refused).status()).toBe(503);
});
