import { expect, type Page, test } from '@playwright/test';
import { asOldestReads } from '../../scripts/oldest-browsers.ts';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { brokenRoutes, publicRoutes } from '../fixtures/routes.ts';
import { debitsOf } from '../fixtures/sandbox.ts';
import { amountField, buyButton, chooseWay, fact, numberField, payButton } from '../fixtures/walk.ts';

/** Removes from Chromium what the oldest browsers lack, in its objects and in the page's styles. */
async function asOldest(page: Page): Promise<string[]> {
  const scripts: string[] = [];
  await page.addInitScript(() => {
    for (const name of ['HTMLDialogElement', 'structuredClone']) Reflect.deleteProperty(window, name);
    Reflect.deleteProperty(Object, 'hasOwn');
    Reflect.deleteProperty(Array.prototype, 'at');
    Reflect.deleteProperty(String.prototype, 'replaceAll');
  });
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() === 'script') scripts.push(route.request().url());
    if (route.request().resourceType() !== 'document') return route.continue();
    const answer = await route.fetch({ maxRedirects: 0 });
    const html = await answer.text();
    const headers = { ...answer.headers() };
    // The changed style sheet no longer matches its hash in the policy.
    delete headers['content-security-policy'];
    const body = html.replace(
      /(<style[^>]*data-files[^>]*>)(.*?)(<\/style>)/s,
      (_, open, css, close) => open + asOldestReads(css) + close,
    );
    return route.fulfill({ response: answer, headers, body });
  });
  return scripts;
}

test('BRW-2 in Chrome 80, Safari 14 and Firefox 78 no script of ours runs, no page is wider than its screen, and a purchase is made by forms', async ({
  page,
}) => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  const scripts = await asOldest(page);
  for (const route of publicRoutes.filter((one) => !brokenRoutes.includes(one))) {
    await page.goto(route);
    await expect(page.getByRole('main').getByRole('heading').first(), route).toBeVisible();
    await expect(page.locator('.needs-script:visible'), route).toHaveCount(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), route).toBeLessThanOrEqual(360);
  }
  const line = freshLine();
  await page.goto('/');
  await numberField(page).fill(line);
  await amountField(page).fill('1000');
  await buyButton(page).click();
  await expect(fact(page, 'Final amount')).toHaveText('MGA 1,000');
  await chooseWay(page, 'Fanilo Money');
  await payButton(page).click();
  // The waiting page refreshes itself.
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  expect(await debitsOf(line)).toEqual([1_000]);
  expect(scripts).toEqual([]);
  expect(faults).toEqual([]);
});
