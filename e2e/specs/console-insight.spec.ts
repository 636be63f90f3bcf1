import { expect } from '@playwright/test';
import { callPath } from '@portal/contract/calls.ts';
import { expectSoundInBothShapes, paid, signIn } from '../fixtures/console.ts';
import { test } from '../fixtures/own-stack.ts';

test.use({
  ownSettings: { RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error', SERVICE_WORKER: 'off' },
  locale: 'en-GB',
});

async function post(address: string, body: object, cookie = '') {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', lang: 'en', cookie },
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
}

/** A new visitor; returns their session cookie. */
async function visit(portal: string): Promise<string> {
  const page = await fetch(`${portal}/gethelp`, { headers: { accept: 'text/html' } });
  await page.text();
  return page.headers
    .getSetCookie()
    .flatMap((one) => one.split(';')[0] ?? [])
    .join('; ');
}

test('CNS-15 votes, searches without results, feedback and outcomes of flows are shown by day and language, without personal data', async ({
  page,
  ownPortal,
}) => {
  const words = 'zzqqx wwvvx';
  const search = (text: string, cookie: string) => post(`${ownPortal}${callPath('recordSearch')}`, { text }, cookie);
  for (const _ of [1, 2, 3, 4]) await search(words, await visit(ownPortal));
  await post(`${ownPortal}${callPath('saveForm')}`, {
    formType: 'WEBPORTAL',
    data: { topic: 'idea', message: 'A dark mode, please. Call 039 00 007 07.' },
  });
  await post(`${ownPortal}${callPath('recordEvent')}`, {
    event: 'failure',
    flow: 'otp',
    page_name: '261_start',
    outcome: 'WRONG_CODE',
  });
  await paid(ownPortal, '390000721');

  // The fifth visitor uses a real browser: searches, waits and votes.
  await page.goto(`${ownPortal}/gethelp`);
  const counted = page.waitForResponse((answer) => answer.url().endsWith(callPath('recordSearch')));
  await page.getByRole('searchbox').fill(words);
  expect((await counted).status()).toBe(200);
  await page.goto(`${ownPortal}/gethelp/codes/code-missing/code-not-arrived`);
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('button', { name: 'Yes' })).toHaveCount(0);

  await signIn(page, ownPortal, 'editor', '/console/insight');
  await expect(page.getByRole('heading', { level: 1, name: 'Insight' })).toBeVisible();
  const row = (table: string, text: string) =>
    page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: text });
  await expect(row('By what was searched', words)).toContainText('5');
  await expect(row('Votes by answer', 'The code does not arrive')).toBeVisible();
  await expect(row('By form', 'feedback')).toBeVisible();
  // Events are aggregated every few seconds.
  await expect(async () => {
    await page.reload();
    await expect(row('How flows ended, by cause', 'WRONG_CODE')).toContainText('code by SMS');
  }).toPass();
  await expect(row('How payments ended, by way to pay', 'Fanilo Money')).toBeVisible();
  await expect(row('Where people left', 'Ordered')).toBeVisible();
  const chart = page.getByRole('img', { name: /^How payments ended: \d+ in all/ });
  await expect(chart).toBeVisible();
  await test.step('the figures of a day are told without the table, by keys too', async () => {
    const part = page.getByRole('region', { name: 'How payments ended' });
    await expect(part.locator('.chart-value').last()).toHaveText(/^[1-9]/);
    const days = part.getByRole('slider', { name: 'How payments ended: choose a day' });
    await expect(days).toHaveAttribute('aria-valuetext', /^\d+ \w+ \d{4}: delivered [1-9]/);
    const today = (await days.getAttribute('aria-valuetext')) ?? '';
    await expect(part.getByText(today)).toBeVisible();
    await days.press('ArrowLeft');
    await expect(days).toHaveAttribute('aria-valuetext', /: delivered 0 · /);
    await expect(part.getByText(today)).toBeHidden();
    await days.press('End');
    await expect(part.getByText(today)).toBeVisible();
  });
  await page.getByRole('region', { name: 'How payments ended' }).getByText('The same as a table').click();
  await expect(page.getByRole('table', { name: 'How payments ended', exact: true }).getByRole('row')).toHaveCount(8);
  await expect(page.getByRole('main')).not.toContainText(/007 07|39000072/);
  await expectSoundInBothShapes(page, 'insight');

  await page.getByLabel('Language').last().selectOption('Malagasy');
  await expect(page).toHaveURL(/language=mg-MG/);
  await expect(page.getByRole('region', { name: 'Searches without an answer' })).not.toContainText(words);
  await page.getByLabel('Days').selectOption('last 30 days');
  await expect(page).toHaveURL(/days=30/);
  for (const [language, title] of [
    ['Français', 'Observation'],
    ['Malagasy', 'Fandinihana'],
  ] as const) {
    await page.getByRole('banner').getByRole('combobox').selectOption(language);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expectSoundInBothShapes(page, language);
  }
});

test('a search with Do Not Track is not counted', async ({ page, ownPortal }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'doNotTrack', { value: '1' }));
  const told: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(callPath('recordSearch'))) told.push(request.url());
  });
  await page.clock.install();
  await page.goto(`${ownPortal}/gethelp`);
  await page.getByRole('searchbox').fill('zzqqx');
  await page.clock.runFor(1_000);
  await expect(page.getByText('zzqqx').first()).toBeVisible();
  await page.clock.runFor(5_000);
  expect(told).toEqual([]);
});
