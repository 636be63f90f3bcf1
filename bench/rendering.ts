import { parseArgs } from 'node:util';
import { load, reading } from './load.ts';
import { openPortal } from './portal.ts';
import { holdBar, printHeading, printTable } from './report.ts';

// PRF-7: the cost of a server-rendered page, compared with a static file of the same server. Public pages are cached; a
// URL with a query never is, so it shows the cost of rendering.
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, connections: { type: 'string', default: '8' } },
});
const { stack, close } = await openPortal();
const measure = (path: string, seconds = Number(values.seconds)) =>
  load({
    url: stack.url,
    connections: Number(values.connections),
    seconds,
    pid: stack.pid,
    request: reading(path),
  });

try {
  const cached = ['/', '/prepaid-recharge', '/sw/data-bundle', '/table', '/gethelp', '/mg/store-locator'];
  const pages = [...cached, '/payment/start/nonsense'];
  const ratios: number[] = [];
  for (const path of pages) await measure(path, 1);
  printHeading(`Pages rendered on the server, ${values.connections} connections, ${values.seconds} s each`);
  const file = await measure('/icon.svg');
  const rows: (string | number)[][] = [
    ['/icon.svg (a file)', file.perSecond, 1, file.p50Ms, file.p99Ms, file.cpuMs, '', ''],
  ];
  for (const path of pages) {
    const page = await measure(path);
    const rendered = await measure(`${path}?rendered=anew`);
    const ofFile = page.perSecond / file.perSecond;
    if (cached.includes(path)) ratios.push(ofFile);
    rows.push([path, page.perSecond, ofFile, page.p50Ms, page.p99Ms, page.cpuMs, rendered.perSecond, rendered.cpuMs]);
  }
  printTable(
    ['', 'a second', 'of the file', 'p50 ms', 'p99 ms', 'CPU ms', 'rendered each time, a second', 'rendered, CPU ms'],
    rows,
  );
  console.log();
  holdBar('PRF-7 every cached page leaves at half the rate of a file or more', Math.min(...ratios) >= 0.5);
} finally {
  await close();
}
