import { expect, test } from 'vitest';
import { breakPlaces } from './line-breaks.ts';

test.each([
  ['https://fanilo.example/payment/status?id=n00t', 'https://|fanilo.|example/|payment/|status?|id=|n00t'],
  ['rasoanaivo.tsilavina@example.mg', 'rasoanaivo.|tsilavina@|example.|mg'],
  ['l••••••••••••@example.mg', 'l••••••••••••@|example.|mg'],
  ['a3ac2d62-2286-46f1', 'a3ac2d62-|2286-|46f1'],
])('%s breaks between its parts', (text, places) => {
  expect(breakPlaces(text).join('|')).toBe(places);
});

test('a digest, which would stretch a table, breaks into pieces', () => {
  const digest = 'f49844c1'.repeat(8);
  expect(breakPlaces(`table · ${digest}`)).toEqual([
    `table · ${digest.slice(0, 16)}`,
    ...[1, 2, 3].map((at) => digest.slice(16 * at, 16 * (at + 1))),
  ]);
});

test.each(['e-mail', 'MGA 5 000', 'Analakely, 101.', '19 nov. 2026, 02:42:31', 'n00t15t5zdcakvx3pyx45b03q2'])(
  '%s breaks at its spaces only',
  (text) => {
    expect(breakPlaces(text)).toEqual([text]);
  },
);
