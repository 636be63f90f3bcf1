import { expect, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { recordCalls } from '../fixtures/portal.ts';
import { buyAirtime, open, pay, scriptReady } from '../fixtures/walk.ts';

test('APP-11 each route change sends a page view, the end of a payment an outcome, and no event carries personal data', async ({
  page,
}) => {
  const events = recordCalls(page, 'recordEvent');
  const line = freshLine();
  await page.addInitScript(() => Object.assign(window, { dataLayer: [] }));
  await buyAirtime(page, line, 1_100, '/');
  await pay(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you' })).toBeVisible();
  const outcomes = () => events.map(({ body }) => body).filter(({ event }) => event !== 'page_view');
  await expect.poll(() => outcomes().length).toBe(2);
  expect(outcomes()).toEqual([
    { event: 'success', flow: 'payment', page_name: '261_status', outcome: 'SUCCESS' },
    { event: 'success', flow: 'recharge', page_name: '261_status', outcome: 'SUCCESS' },
  ]);
  const names = () =>
    events
      .map(({ body }) => body)
      .filter(({ event }) => event === 'page_view')
      .map(({ page_name }) => page_name);
  // Page views are sent when the browser is idle.
  await expect
    .poll(() => names().filter((name, index, all) => name !== all[index - 1]))
    .toEqual(['261_homepage', '261_start', '261_fanilo_money', '261_status']);
  expect(await page.evaluate(() => (window as { dataLayer?: unknown[] }).dataLayer?.length)).toBe(events.length);
  const sent = JSON.stringify(events.map(({ body, query }) => ({ body, query })));
  for (const secret of [line, line.slice(-6), '@']) expect(sent).not.toContain(secret);
  await page.reload();
  await scriptReady(page);
  expect(outcomes()).toHaveLength(2);
});

test('APP-11 a browser that sends Do Not Track sends no events @desktop', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'doNotTrack', { value: '1' }));
  const events = recordCalls(page, 'recordEvent');
  await open(page, '/');
  await open(page, '/about');
  expect(events).toEqual([]);
});
