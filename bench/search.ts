import { parseArgs } from 'node:util';
import { openBrowser, openPortal } from './portal.ts';
import { holdBar, printHeading, printTable } from './report.ts';

// From the key to the answers in the page, in the help centre, on a processor six times slower.
const { values } = parseArgs({ options: { delay: { type: 'string', default: '250' } } });
const languages: [prefix: string, texts: string[]][] = [
  ['', ['money taken no credit', 'forgot pin', 'wrong nubmer recharge', 'refund when', 'roaming cost']],
  ['/sw', ['argent debite pas de credit', 'code secret oublie', 'facutre', 'remboursement', 'wifi maison']],
  ['/mg', ['vola lasa fa tsy tonga', 'hadino ny kaody', 'fampindramana', 'internet an-trano', 'credit tsy tonga']],
];

const { stack, close } = await openPortal();
const browser = await openBrowser();

/** In the page: how long after a key its answers stand in the page, and how long until they are painted. */
function watchKeys() {
  const seen: { drawn: number; painted: number }[] = [];
  Object.assign(window, { seen });
  window.addEventListener(
    'input',
    (event) => {
      const key = event.timeStamp;
      // Clearing the field asks for nothing.
      if (!(event.target as HTMLInputElement).value.trim()) return;
      // React draws what a key changes before the browser does anything else.
      queueMicrotask(() => {
        const times = { drawn: 0, painted: 0 };
        setTimeout(() => {
          times.drawn = performance.now() - key;
        });
        requestAnimationFrame(() =>
          setTimeout(() => {
            times.painted = performance.now() - key;
            seen.push(times);
          }),
        );
      });
    },
    true,
  );
}

async function keysIn(prefix: string, texts: string[]): Promise<{ drawn: number; painted: number }[]> {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  await page.goto(`${stack.url}${prefix}/gethelp`);
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
  const box = page.getByRole('searchbox');
  // The questions of all languages and their index are there, as after the first search.
  await box.fill('roaming');
  await page.waitForTimeout(3_000);
  await page.evaluate(watchKeys);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  for (const text of texts) {
    await box.fill('');
    await page.waitForTimeout(500);
    await box.pressSequentially(text, { delay: Number(values.delay) });
    await page.waitForTimeout(500);
  }
  const seen = await page.evaluate(() => (window as unknown as { seen: { drawn: number; painted: number }[] }).seen);
  await page.close();
  return seen;
}

const at = (numbers: number[], share: number) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * share)] ?? 0;

try {
  printHeading('From a key to its answers in the help centre, processor six times slower');
  const rows: (string | number)[][] = [];
  for (const [prefix, texts] of languages) {
    const seen = await keysIn(prefix, texts);
    const drawn = seen.map((one) => one.drawn);
    const painted = seen.map((one) => one.painted);
    rows.push([
      `${prefix}/gethelp`,
      String(seen.length),
      at(drawn, 0.5),
      at(drawn, 0.95),
      at(painted, 0.5),
      at(painted, 0.95),
    ]);
  }
  printTable(['', 'keys', 'drawn ms, median', '95 of 100', 'painted ms, median', '95 of 100'], rows);
  console.log();
  for (const [route, ...figures] of rows)
    holdBar(`${route}: 95 of 100 answers are painted within 50 ms of the key`, Number(figures.at(-1)) <= 50);
} finally {
  await browser.close();
  await close();
}
