import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { consoleCallPath } from '../contract/console/calls.ts';
import { ensureChromium } from '../scripts/chromium.ts';
import { freePort } from '../scripts/free-port.ts';
import { endWith } from '../scripts/progress.mjs';
import { root } from '../scripts/source-files.ts';
import { startStack } from '../scripts/stack.ts';
import { initiationOf, paths } from './fixtures/portal.ts';

const folder = join(root, 'docs/pictures/console');
const viewport = { width: 1280, height: 800 };
const quality = 72;

type Person = 'care' | 'finance' | 'editor' | 'publisher' | 'operator' | 'admin';

/** Takes screenshots of every console page in the sandbox, for docs/console.md: `npm run pictures`, after a build. */
async function drawConsole(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portal-pictures-'));
  const port = await freePort();
  const stack = await startStack({
    port,
    dataDir,
    approveAfterMs: 100,
    env: { LOG_LEVEL: 'error', RATE_LIMIT_SCALE: '1000' },
  });
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const people = new Map<Person, Page>();
    const as = async (person: Person): Promise<Page> => {
      const known = people.get(person);
      if (known) return known;
      const context = await browser.newContext({ viewport, locale: 'en-GB', reducedMotion: 'reduce' });
      const page = await signedIn(context, stack.url, person);
      people.set(person, page);
      return page;
    };
    const draw = async (name: string, person: Person, path: string) => {
      const page = await as(person);
      await page.goto(`${stack.url}/console${path}`, { waitUntil: 'networkidle' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await save(page, name);
    };

    const stranger = await browser.newContext({ locale: 'en-GB' });
    await signInPage(await stranger.newPage(), stack.url);
    const payments = await customersPay(stack.url);
    const { proposal } = await posted(await as('care'), stack.url, 'proposeGoodwill', {
      ...{ id: payments.delivered, amount: 1_000, reason: 'It took an hour' },
    });
    const ticket = await posted(await as('care'), stack.url, 'openTicket', {
      ...{ payment: payments.delivered, text: 'Good day. How can we help?' },
    });
    await draw('today', 'operator', '/today');
    await draw('find', 'care', '/find?state=SUCCEEDED');
    await draw('payment', 'care', `/payments/${payments.delivered}`);
    await draw('tickets', 'care', '/tickets');
    await draw('ticket', 'care', `/tickets/${ticket.id}`);
    await draw('leads', 'care', '/leads');
    await draw('feedback', 'care', '/feedback');
    await draw('review', 'finance', '/review');
    await draw('reconciliation', 'finance', '/reconciliation');
    await draw('approvals', 'finance', '/approvals');
    await draw('approval', 'finance', `/approvals/${proposal}`);
    await draw('insight', 'editor', '/insight');
    await draw('content', 'editor', '/content');
    await draw('content-package', 'editor', '/content/footer');
    await draw('ways', 'operator', '/ways');
    await draw('catalogue', 'editor', '/catalogue');
    await draw('places', 'editor', '/places');
    await draw('erase', 'admin', '/erase');
    await draw('people', 'admin', '/people');
    await draw('audit', 'admin', '/audit');
    await draw('sessions', 'admin', '/sessions');
    await draw('not-yours', 'editor', '/people');
  } finally {
    await browser.close();
    await stack.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function signInPage(page: Page, portal: string): Promise<void> {
  await page.setViewportSize(viewport);
  await page.goto(`${portal}/console`);
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await save(page, 'sign-in');
  await page.context().close();
}

async function signedIn(context: BrowserContext, portal: string, person: Person): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${portal}/console`);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: `${person}@console.example` }).click();
  await page.getByRole('navigation', { name: 'Menu' }).waitFor();
  return page;
}

/** Makes delivered payments, and one in REVIEW because the wallet took another amount. */
async function customersPay(portal: string): Promise<{ delivered: string }> {
  const paid: string[] = [];
  for (const payer of ['390000701', '390000702', '390000703']) paid.push(await pay(portal, payer));
  await send(`${portal}/sandbox/api/faults`, { provider: 'wallet', fault: 'wrongAmount', times: 1 });
  await pay(portal, '390000704');
  // The wallet approves by itself, and what was paid is delivered.
  await new Promise((done) => setTimeout(done, 15_000));
  return { delivered: paid[0] ?? '' };
}

async function pay(portal: string, payer: string): Promise<string> {
  const order = { ...initiationOf(payer, 5_000), confirmRepeat: true };
  const { result } = await send(portal + paths.initiate, order, { 'idempotency-key': randomUUID() });
  await send(portal + paths.process, { transactionId: result.transactionId });
  return String(result.transactionId);
}

// biome-ignore lint/suspicious/noExplicitAny: each call has a response of its own shape.
async function send(address: string, body: object, headers: Record<string, string> = {}): Promise<any> {
  const answer = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return answer.status === 204 ? null : answer.json();
}

/** A call of the console, as the page itself would make it. */
async function posted(page: Page, portal: string, name: 'proposeGoodwill' | 'openTicket', data: object) {
  const answer = await page.request.post(portal + consoleCallPath(name), { data, headers: { origin: portal } });
  if (!answer.ok()) throw new Error(`${name}: ${await answer.text()}`);
  return answer.json();
}

async function save(page: Page, name: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality });
  await writeFile(join(folder, `${name}.webp`), Buffer.from(data, 'base64'));
  await devtools.detach();
}

await drawConsole().catch(endWith);
