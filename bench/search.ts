import { parseArgs } from 'node:util';
import { openBrowser, openPortal } from './portal.ts';
import { holdBar, printHeading, printTable } from './report.ts';

// Time from a key press to the painted results in the help centre, with the processor slowed six times.
const { values } = parseArgs({ options: { delay: { type: 'string', default: '250' } } });
const languages: [prefix: string, texts: string[]][] = [
  ['', ['money taken no credit', 'forgot pin', 'wrong nubmer recharge', 'refund when', 'roaming cost']],
  ['/sw', ['argent debite pas de credit', 'code secret oublie', 'facutre', 'remboursement', 'wifi maison']],
  ['/mg', ['vola lasa fa tsy tonga', 'hadino ny kaody', 'fampindramana', 'internet an-trano', 'credit tsy tonga']],
];

const { stack, close } = await openPortal();
const browser = await openBrowser();

/** Runs in the page: measures the time from a key press to its painted results. */
function watchKeys() {
  const seen: number[] = [];
  Object.assign(window, { seen });
  window.addEventListener(
    'input',
    (event) => {
      const key = event.timeStamp;
      // Clearing the field is no search.
      if (!(event.target as HTMLInputElement).value.trim()) return;
      // React renders the change before the next frame.
      queueMicrotask(() => requestAnimationFrame(() => setTimeout(() => seen.push(performance.now() - key))));
    },
    true,
  );
}

/** A null prefix measures an empty page: the browser's own cost of a key press. */
async function keysIn(prefix: string | null, texts: string[]): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
  const box = page.getByRole('searchbox');
  if (prefix === null) await page.setContent('<input type="search">');
  else {
    await page.goto(`${stack.url}${prefix}/gethelp`);
    await page.locator('html[data-hydrated]').waitFor({ state: 'attached' });
    // Preload the questions and the search index of all languages, as after a first search.
    await box.fill('roaming');
    await page.waitForTimeout(3_000);
  }
  await page.evaluate(watchKeys);
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  for (const text of texts) {
    await box.fill('');
    await page.waitForTimeout(500);
    await box.pressSequentially(text, { delay: Number(values.delay) });
    await page.waitForTimeout(500);
  }
  const seen = await page.evaluate(() => (window as unknown as { seen: number[] }).seen);
  await page.close();
  return seen;
}

const at = (numbers: number[], share: number) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * share)] ?? 0;

try {
  printHeading('From a key to its answers in the help centre, processor six times slower');
  const rows: (string | number)[][] = [];
  let bare = 0;
  for (const [prefix, texts] of [[null, languages[0]?.[1] ?? []] as const, ...languages]) {
    const seen = await keysIn(prefix, texts);
    const most = at(seen, 0.95);
    bare ||= most;
    const name = prefix === null ? 'a field in an empty page' : `${prefix}/gethelp`;
    rows.push([name, String(seen.length), at(seen, 0.5), most, most / bare]);
  }
  printTable(['', 'keys', 'painted ms, median', '95 of 100', 'of the empty page'], rows);
  console.log();
  for (const [name, , , most] of rows.slice(1))
    holdBar(`${name}: 95 of 100 answers are painted within 50 ms of the key`, Number(most) <= 50);
} finally {
  await browser.close();
  await close();
}
