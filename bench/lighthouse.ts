import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { builtRoutes } from '../e2e/fixtures/routes.ts';
import { ensureChromium } from '../scripts/chromium.ts';
import { openPortal } from './portal.ts';
import { holdBar, printHeading, printTable } from './report.ts';

// Lighthouse on slow 3G. It is fetched when it is asked for, because it brings hundreds of packages that nothing else needs.
const lighthouse = 'lighthouse@12.8.2';
const { values, positionals } = parseArgs({
  options: { languages: { type: 'string', default: 'en,fr,mg' } },
  allowPositionals: true,
});
const prefixes: Record<string, string> = { en: '', fr: '/sw', mg: '/mg' };
const wanted = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof wanted)[number];
const run = promisify(execFile);
const chromium = await ensureChromium();
const { stack, folder, close } = await openPortal();

async function scoresOf(path: string): Promise<Record<Category, number>> {
  const report = join(folder, 'report.json');
  const slow3g = ['rttMs=400', 'throughputKbps=400', 'cpuSlowdownMultiplier=6'].map((one) => `--throttling.${one}`);
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
    ...slow3g,
  ];
  const options = { env: { ...process.env, CHROME_PATH: chromium }, maxBuffer: 64 * 1024 * 1024 };
  // It loses its own trace now and then, and asks to be run again.
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
  return Object.fromEntries(wanted.map((name) => [name, 100 * (categories[name].score ?? 0)])) as Record<
    Category,
    number
  >;
}

try {
  printHeading('Lighthouse, phone, 400 kbit/s, 400 ms, processor six times slower');
  const routes = positionals.length > 0 ? positionals : builtRoutes;
  const rows: (string | number)[][] = [];
  for (const language of values.languages.split(','))
    for (const route of routes) {
      const path = `${prefixes[language] ?? ''}${route}` || '/';
      const scores = await scoresOf(path);
      console.error(path, JSON.stringify(scores));
      rows.push([path, ...wanted.map((name) => scores[name].toFixed(0))]);
    }
  printTable(['', ...wanted], rows);
  console.log();
  // A payment is nobody's search result, and its pages say so.
  const counts = ([path]: (string | number)[], column: number) => column < 4 || !String(path).includes('/payment');
  const least = (column: number) =>
    Math.min(...rows.filter((row) => counts(row, column)).map((row) => Number(row[column])));
  holdBar('performance at least 90 everywhere', least(1) >= 90);
  holdBar('accessibility, best practices and SEO at least 95 everywhere', Math.min(least(2), least(3), least(4)) >= 95);
} finally {
  await close();
}
