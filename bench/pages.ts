import { parseArgs } from 'node:util';
import { holdBar, median, printHeading, printTable } from './report.ts';
import { openSlowLine, type Visit } from './slow-line.ts';

// PRF-2: first paint, a usable form and hydration on slow 3G, against the same HTML without script and a bare React page.
const { values, positionals } = parseArgs({
  options: { visits: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const routes =
  positionals.length > 0 ? positionals : ['/', '/prepaid-recharge', '/data-bundle', '/postpaid-bill-pay', '/gethelp'];
const line = await openSlowLine();

try {
  printHeading(`First visits at 400 kbit/s, 400 ms, processor six times slower, median of ${values.visits}`);
  await line.visit('real', '/');
  const rows: (string | number)[][] = [];
  const bars: [string, boolean][] = [];
  for (const route of routes) {
    const real: Visit[] = [];
    const scriptless: Visit[] = [];
    const bare: Visit[] = [];
    for (let round = 0; round < Number(values.visits); round += 1) {
      real.push(await line.visit('real', route));
      scriptless.push(await line.visit('scriptless', route));
      bare.push(await line.visit('bare', route));
    }
    const of = (visits: Visit[], figure: 'firstPaintMs' | 'usableMs' | 'hydratedMs') =>
      median(visits.map((one) => one[figure] ?? 0));
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
  await line.close();
}
