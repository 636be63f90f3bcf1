import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { builtRoutes } from '../e2e/fixtures/routes.ts';
import { ensureChromium } from '../scripts/chromium.ts';
import { openPortal } from './portal.ts';
import { holdBar, median, printHeading, printTable } from './report.ts';

// Lighthouse on slow 3G. Fetched on demand, because it depends on hundreds of packages that nothing else needs.
const lighthouse = 'lighthouse@12.8.2';
const { values, positionals } = parseArgs({
  options: {
    languages: { type: 'string', default: 'en,fr,mg' },
    visits: { type: 'string', default: '3' },
    maps: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
/** PRF-8 */
const mapRoutes: readonly string[] = ['/store-locator', '/openNetworks'];
const prefixes: Record<string, string> = { en: '', fr: '/sw', mg: '/mg' };
const wanted = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof wanted)[number];
const run = promisify(execFile);
const chromium = await ensureChromium();
const { stack, folder, close } = await openPortal();

type Scores = Record<Category, number>;

async function visit(path: string): Promise<Scores> {
  const report = join(folder, 'report.json');
  const slow3g = [
    'requestLatencyMs=400',
    'downloadThroughputKbps=400',
    'uploadThroughputKbps=400',
    'cpuSlowdownMultiplier=6',
  ].map((one) => `--throttling.${one}`);
  const words = [
    'exec',
    '--yes',
    '--',
    lighthouse,
    stack.url + path,
    '--quiet',
    '--output=json',
    `--output-path=${report}`,
    `--only-categories=${wanted.join(',')}`,
    '--chrome-flags=--headless=new --no-sandbox --disable-gpu',
    // Throttle network and processor. The default extrapolates from a fast visit, where scripts precede first paint.
    '--throttling-method=devtools',
    ...slow3g,
  ];
  const options = { env: { ...process.env, CHROME_PATH: chromium }, maxBuffer: 64 * 1024 * 1024 };
  // Lighthouse sometimes loses its trace and asks for another run.
  for (let triesLeft = 3; triesLeft > 0; triesLeft -= 1)
    await run('npm', words, options).then(
      () => {
        triesLeft = 0;
      },
      (error: unknown) => {
        if (triesLeft === 1) throw error;
      },
    );
  const { categories } = JSON.parse(await readFile(report, 'utf8')) as {
    categories: Record<Category, { score: number | null }>;
  };
  return Object.fromEntries(wanted.map((name) => [name, 100 * (categories[name].score ?? 0)])) as Scores;
}

/** The median of several visits: the slowdown multiplies the machine's noise by six. */
async function scoresOf(path: string): Promise<Scores> {
  const seen: Scores[] = [];
  for (let round = 0; round < Number(values.visits); round += 1) seen.push(await visit(path));
  console.error(path, seen.map(({ performance }) => performance.toFixed(0)).join(' '));
  return Object.fromEntries(wanted.map((name) => [name, median(seen.map((one) => one[name]))])) as Scores;
}

try {
  printHeading(`Lighthouse, phone, 400 kbit/s, 400 ms, processor six times slower, median of ${values.visits}`);
  const routes = values.maps ? mapRoutes : positionals.length > 0 ? positionals : builtRoutes;
  const rows: (string | number)[][] = [];
  for (const language of values.languages.split(','))
    for (const route of routes) {
      const path = `${prefixes[language] ?? ''}${route}` || '/';
      const scores = await scoresOf(path);
      rows.push([path, ...wanted.map((name) => scores[name].toFixed(0))]);
    }
  printTable(['', ...wanted], rows);
  console.log();
  // Payment pages are excluded from search engines, so their SEO score does not count.
  const counts = ([path]: (string | number)[], column: number) => column < 4 || !String(path).includes('/payment');
  const leastOf = (some: typeof rows, column: number) => Math.min(...some.map((row) => Number(row[column])));
  const least = (column: number) =>
    leastOf(
      rows.filter((row) => counts(row, column)),
      column,
    );
  const maps = rows.filter(([path]) => mapRoutes.some((route) => String(path).endsWith(route)));
  holdBar('performance at least 90 everywhere', least(1) >= 90);
  if (maps.length > 0) holdBar('PRF-8 performance at least 95 where there is a map', leastOf(maps, 1) >= 95);
  holdBar('accessibility, best practices and SEO at least 95 everywhere', Math.min(least(2), least(3), least(4)) >= 95);
} finally {
  await close();
}
