import { parseArgs } from 'node:util';
import { load, reading } from './load.ts';
import { openPortal } from './portal.ts';
import { printHeading, printTable } from './report.ts';

// What a page of the server costs, against handing out a file of the same server. Public pages are kept as drawn for
// seconds; one with a query never is, so that shows what drawing costs.
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
  const pages = [
    '/',
    '/prepaid-recharge',
    '/sw/data-bundle',
    '/table',
    '/gethelp',
    '/mg/store-locator',
    '/payment/start/nonsense',
  ];
  for (const path of pages) await measure(path, 1);
  printHeading(`Pages drawn on the server, ${values.connections} connections, ${values.seconds} s each`);
  const file = await measure('/icon.svg');
  const rows: (string | number)[][] = [
    ['/icon.svg (a file)', file.perSecond, 1, file.p50Ms, file.p99Ms, file.cpuMs, '', ''],
  ];
  for (const path of pages) {
    const page = await measure(path);
    const drawn = await measure(`${path}?drawn=anew`);
    const ofFile = page.perSecond / file.perSecond;
    rows.push([path, page.perSecond, ofFile, page.p50Ms, page.p99Ms, page.cpuMs, drawn.perSecond, drawn.cpuMs]);
  }
  printTable(
    ['', 'a second', 'of the file', 'p50 ms', 'p99 ms', 'CPU ms', 'drawn each time, a second', 'drawn, CPU ms'],
    rows,
  );
} finally {
  await close();
}
