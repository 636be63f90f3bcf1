import { parseArgs } from 'node:util';
import { holdBar, median, printHeading, printTable } from './report.ts';
import { openSlowLine, type Visit } from './slow-line.ts';

// PRF-2: first paint, a usable form and hydration on slow 3G, against the same HTML without script and a bare React page.
const { values, positionals } = parseArgs({
  options: { visits: { type: 'string', default: '15' } },
  allowPositionals: true,
});
const visits = Number(values.visits);
const routes =
  positionals.length > 0 ? positionals : ['/', '/prepaid-recharge', '/data-bundle', '/postpaid-bill-pay', '/gethelp'];

const sites = ['real', 'scriptless', 'bare'] as const;
type Site = (typeof sites)[number];
const noVisits = (): Record<Site, Visit[]> => ({ real: [], scriptless: [], bare: [] });

const line = await openSlowLine();

try {
  printHeading(`First visits at 400 kbit/s, 400 ms, processor six times slower, median of ${visits}`);
  const seen = new Map(routes.map((route) => [route, noVisits()]));
  // Routes and sites take turns in changing order, so that a slow phase of the machine affects all alike. The first
  // round is discarded: browser and server are a tenth slower before they are warm.
  for (let round = 0; round <= visits; round += 1)
    for (const [route, ofRoute] of seen) {
      process.stderr.write(`\r${round} of ${visits} visits, ${route}\x1b[K`);
      for (const site of round % 2 === 0 ? sites : sites.toReversed()) {
        const visit = await line.visit(site, route);
        if (round > 0) ofRoute[site].push(visit);
      }
    }
  process.stderr.write('\r\x1b[K');

  const rows: (string | number)[][] = [];
  const bars: [string, boolean][] = [];
  for (const [route, { real, scriptless, bare }] of seen) {
    const of = (ofSite: Visit[], figure: 'firstPaintMs' | 'usableMs' | 'hydratedMs') =>
      median(ofSite.map((one) => one[figure] ?? 0));
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
