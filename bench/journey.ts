import { parseArgs } from 'node:util';
import { openBrowser, openPortal } from './portal.ts';
import { median, printHeading, printTable } from './report.ts';
import { openSlowPage } from './slow-line.ts';

// The waiting time of each step of a credit purchase on slow 3G, compared with one round trip.
const { values } = parseArgs({ options: { visits: { type: 'string', default: '7' } } });
const looksMs = 2_000;
const portal = await openPortal();
const browser = await openBrowser();

interface Journey {
  round: number;
  form: number;
  bundles: number;
  ways: number;
}

async function since(begun: number, shown: Promise<unknown>): Promise<number> {
  await shown;
  return performance.now() - begun;
}

async function travel(): Promise<Journey> {
  const { page, close } = await openSlowPage(browser);
  try {
    const arrived = performance.now();
    await page.goto(`${portal.stack.url}/prepaid-recharge`, { waitUntil: 'commit' });
    const form = await since(arrived, page.locator('html[data-hydrated]').waitFor({ state: 'attached' }));
    const typed = performance.now();
    await page.getByLabel('Mobile number').fill('390000001');
    const bundles = await since(typed, page.locator('[data-product]').first().waitFor());
    await page.getByLabel('Amount', { exact: true }).fill('1000');
    await page.waitForTimeout(looksMs);
    const pressed = performance.now();
    await page.getByRole('button', { name: 'BUY AIRTIME' }).click();
    const ways = await since(
      pressed,
      page.getByRole('group', { name: 'Ways to pay' }).getByRole('link').first().waitFor(),
    );
    const round = await page.evaluate(async () => {
      const asked = performance.now();
      await (await fetch('/healthz', { cache: 'no-store' })).text();
      return performance.now() - asked;
    });
    return { round, form, bundles, ways };
  } finally {
    await close();
  }
}

try {
  printHeading(`Buying credit at 400 kbit/s, 400 ms, processor six times slower, median of ${values.visits}`);
  await travel();
  const journeys: Journey[] = [];
  for (let round = 0; round < Number(values.visits); round += 1) journeys.push(await travel());
  const of = (step: keyof Journey) => median(journeys.map((journey) => journey[step]));
  const row = (what: string, step: keyof Journey) => [what, of(step), of(step) / of('round')];
  printTable(
    ['', 'ms', 'rounds'],
    [
      row('one round', 'round'),
      row('from the address to a form that answers', 'form'),
      row('from the number to its bundles', 'bundles'),
      row(`from BUY AIRTIME, ${looksMs / 1000} s later, to the ways to pay`, 'ways'),
    ],
  );
} finally {
  await browser.close();
  await portal.close();
}
