import { expect, test } from 'vitest';
import { readWrk } from './load.ts';

/** The output of wrk 4.1 with `--latency`. */
const output = (
  latency: { stdev: string; p50: string; p99: string },
  ending = '',
) => `Running 3s test @ http://127.0.0.1:4000
  1 threads and 8 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   295.30ms  250.11ms   1.11s    ${latency.stdev}
    Req/Sec    16.29     10.13    50.00     ${latency.stdev}
  Latency Distribution
     50%  ${latency.p50}
     75%  480.01ms
     90%  700.00ms
     99%    ${latency.p99}
  86 requests in 4.02s, 1.02MB read
${ending}Requests/sec:     21.40
Transfer/sec:      0.25MB
`;

test.each([
  ['microseconds', '812.00us', 0.812],
  ['milliseconds', '269.67ms', 269.67],
  ['seconds', '1.11s ', 1_110],
  ['minutes', '1.50m ', 90_000],
])('a latency in %s is read in milliseconds', (_unit, text, wanted) => {
  const { p50Ms, p99Ms } = readWrk(output({ stdev: '75.00%', p50: text, p99: text }));
  expect(p50Ms).toBeCloseTo(wanted, 6);
  expect(p99Ms).toBeCloseTo(wanted, 6);
});

test.each(['82.50%', '93.99%', '50%', '99%'])('a share of %s among the averages is no latency', (stdev) => {
  const read = readWrk(output({ stdev, p50: '2.50s ', p99: '12.00ms' }));
  expect(read).toEqual({ count: 86, perSecond: 21.4, p50Ms: 2_500, p99Ms: 12, failed: 0 });
});

test('failed requests are counted, both refused and unanswered', () => {
  const ending = '  Socket errors: connect 1, read 2, write 0, timeout 3\n  Non-2xx or 3xx responses: 40\n';
  expect(readWrk(output({ stdev: '75.00%', p50: '1.00ms', p99: '2.00ms' }, ending)).failed).toBe(46);
});
