import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from '@playwright/test';
import { ensureChromium } from '../scripts/chromium.ts';
import { freePort } from '../scripts/free-port.ts';
import { startStack } from '../scripts/stack.ts';
import { holdBar, median, printHeading, printTable } from './report.ts';
import { openSites, type Visit, visit } from './slow-line.ts';

// PRF-2: first paint, a usable form and hydration on slow 3G, against the same HTML without script and a bare React page.
const { values, positionals } = parseArgs({
  options: { visits: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const routes =
  positionals.length > 0 ? positionals : ['/', '/prepaid-recharge', '/data-bundle', '/postpaid-bill-pay', '/gethelp'];
const folder = await mkdtemp(join(tmpdir(), 'portal-bench-'));
const stack = await startStack({
  port: await freePort(),
  dataDir: folder,
  env: { RATE_LIMIT_SCALE: '1000000', LOG_LEVEL: 'warn', DATABASE_URL: '' },
});
const browser = await chromium.launch({
  executablePath: await ensureChromium(),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
});
const sites = await openSites(stack.url);

try {
  printHeading(`First visits at 400 kbit/s, 400 ms, processor six times slower, median of ${values.visits}`);
  await visit(browser, `${sites.real}/`, true);
  const rows: (string | number)[][] = [];
  const bars: [string, boolean][] = [];
  for (const route of routes) {
    const real: Visit[] = [];
    const scriptless: Visit[] = [];
    const bare: Visit[] = [];
    for (let round = 0; round < Number(values.visits); round += 1) {
      real.push(await visit(browser, `${sites.real}${route}`, true));
      scriptless.push(await visit(browser, `${sites.scriptless}${route}`, false));
      bare.push(await visit(browser, `${sites.bare}${route}`, true));
    }
    const of = (visits: Visit[], figure: keyof Visit) => median(visits.map((one) => one[figure] ?? 0));
    const paint = of(real, 'firstPaintMs') / of(scriptless, 'firstPaintMs');
    const usable = of(real, 'usableMs') / of(scriptless, 'usableMs');
    const hydrated = of(real, 'hydratedMs') / of(bare, 'hydratedMs');
    const shift = Math.max(...real.map(({ layoutShift }) => layoutShift));
    rows.push([
      route,
      of(real, 'firstPaintMs'),
      paint,
      of(real, 'usableMs'),
      usable,
      of(real, 'hydratedMs'),
      of(bare, 'hydratedMs'),
      hydrated,
      shift.toFixed(3),
    ]);
    bars.push([
      `PRF-2 ${route}: first paint and usable form within 1.2 of the page without script`,
      Math.max(paint, usable) <= 1.2,
    ]);
    bars.push([`PRF-2 ${route}: hydrated within 1.2 of a bare React page`, hydrated <= 1.2]);
    bars.push([`PRF-2 ${route}: nothing moves`, shift < 0.01]);
  }
  printTable(['', 'paint ms', 'ratio', 'usable ms', 'ratio', 'hydrated ms', 'bare React', 'ratio', 'shift'], rows);
  console.log();
  for (const [what, isMet] of bars) holdBar(what, isMet);
} finally {
  await sites.close();
  await browser.close();
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
}
