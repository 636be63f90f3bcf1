import { expect, type Page, test } from '@playwright/test';
import { freshLine } from '../../web/src/testing/orders.fixture.ts';
import { type Development, startDevelopment } from '../fixtures/dev.ts';
import { callPortal, paths, registerPayment, startPayment } from '../fixtures/portal.ts';
import { sandbox } from '../fixtures/sandbox.ts';
import { grouped, numberField, open } from '../fixtures/walk.ts';

const screen = 'web/src/screens/prepaid-recharge/prepaid-recharge.screen.tsx';
const styles = 'web/src/screens/prepaid-recharge/prepaid-recharge.module.css';
const server = 'server/src/http/operational.routes.ts';
const texts = 'operators/texts/en/translation.json';
const healthz = '({ alive: true })';

test.describe.configure({ mode: 'serial' });

let dev: Development;
const shared = process.env.PORTAL_URL;
test.beforeAll(async () => {
  dev = await startDevelopment({ SANDBOX_APPROVE_AFTER_MS: '100', RATE_LIMIT_SCALE: '100000' });
  process.env.PORTAL_URL = dev.url;
});
test.afterAll(async () => {
  process.env.PORTAL_URL = shared;
  await dev.stop();
});

/** A marker that is lost when the document is reloaded. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isMarked: true }));
const isMarked = (page: Page) => page.evaluate(() => 'isMarked' in window);
const health = async () => (await fetch(`${dev.url}/healthz`)).json();

/** Prints the duration; it decides nothing, because a busy machine may take any time. */
async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const since = performance.now();
  await work();
  process.stdout.write(`${what} after ${((performance.now() - since) / 1000).toFixed(1)} s\n`);
}

test('DEV-2 a change of a screen or its styles shows in the open page, which keeps its state @desktop', async ({
  page,
}) => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  const line = freshLine();
  await open(page, `${dev.url}/prepaid-recharge`);
  await numberField(page).fill(line);
  await mark(page);

  await dev.edit(screen, "{t('recharge.title')}", 'Changed while it was open');
  await timed('a screen showed', () =>
    expect(page.getByRole('heading', { level: 1 })).toHaveText('Changed while it was open'),
  );
  await dev.edit(styles, '.page {', '.page {\n  outline: 3px solid rgb(1, 2, 3);');
  await timed('a style showed', () => expect(page.locator('div:has(> h1)')).toHaveCSS('outline-color', 'rgb(1, 2, 3)'));

  await expect(numberField(page)).toHaveValue(grouped(line));
  expect(await isMarked(page)).toBe(true);
  expect(complaints).toEqual([]);
});

test('DEV-2 a page is rendered by the server from the same sources, with its styles in it @desktop', async () => {
  const html = async () => (await fetch(`${dev.url}/prepaid-recharge`)).text();
  expect(await html()).toContain('<h1>Changed while it was open</h1>');
  await expect.poll(html).toContain('outline: 3px solid rgb(1, 2, 3)');
});

test('DEV-2 a change of the server shows in the open page; sandbox and database keep running @desktop', async ({
  page,
}) => {
  const line = freshLine();
  const id = await registerPayment(line);
  await startPayment(id);
  const status = async () => (await callPortal(`${paths.fetch}?txnId=${id}`)).envelope.result?.status;
  await expect.poll(status).toBe('SUCCESS');
  await expect.poll(() => sandbox.messages(line)).toHaveLength(1);
  await open(page, `${dev.url}/about`);
  await mark(page);

  await dev.edit(server, healthz, '({ alive: true, changed: true })');
  await dev.edit(texts, '"money": "We', '"money": "New words. We');
  await timed('the server answered anew', () => expect.poll(health).toEqual({ alive: true, changed: true }));
  await expect(page.getByText('New words.')).toBeVisible();
  expect(await isMarked(page)).toBe(false);
  expect(await status()).toBe('SUCCESS');
  expect(await sandbox.messages(line)).toHaveLength(1);
});

test('DEV-2 an error in the server’s code is reported, and the previous portal answers until it is fixed @desktop', async () => {
  await dev.edit(server, '({ alive: true, changed: true })', '({{ alive: true })');
  await expect.poll(dev.printed).toContain('Waiting for the next change');
  expect(dev.printed()).toMatch(/operational\.routes\.ts:\d+/);
  expect(await health()).toEqual({ alive: true, changed: true });
  await dev.edit(server, '({{ alive: true })', '({ alive: true, mended: true })');
  await expect.poll(health).toEqual({ alive: true, mended: true });
});

test('DEV-2 Ctrl-C ends it, and leaves no process behind @desktop', async () => {
  expect(await dev.stop()).toEqual({ code: 0, left: [] });
});
