import { pack } from '@portal/operators/mg/pack.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import type { BalanceLookup, LineLookup } from '../connectors/ports.ts';
import { scriptedFulfilment } from '../testing/scripted-providers.ts';
import { createLines, type Lines } from './lines.service.ts';

let time = 0;
let lines: Lines;
const findLine = vi.fn<(msisdn: string) => Promise<LineLookup>>();
const balances = vi.fn<(msisdn: string) => Promise<BalanceLookup>>();
const prepaid = { lineType: 'PREPAID', broadband: false, codeRecipient: null, since: null } as const;
beforeEach(() => {
  findLine.mockReset().mockResolvedValue({ kind: 'line', ...prepaid });
  balances.mockReset();
  lines = createLines({ ...scriptedFulfilment(), findLine, balances }, pack.numbering, () => new Date(time));
});

test('a line is looked up once a minute', async () => {
  expect(await lines.find('0390000001')).toEqual(prepaid);
  await lines.find('0390000001');
  expect(findLine).toHaveBeenCalledTimes(1);
  time += 60_000;
  await lines.find('0390000001');
  expect(findLine).toHaveBeenCalledTimes(2);
});

test('an invalid number is not looked up', async () => {
  for (const msisdn of ['0', '0123', '0200000000', '03900000011', '00390000001'] as const)
    expect(await lines.find(msisdn), msisdn).toBeNull();
  expect(findLine).not.toHaveBeenCalled();
});

test('no response is neither "no line" nor cached: the next call looks it up again', async () => {
  findLine.mockResolvedValueOnce({ kind: 'unclear', detail: 'HTTP 500' });
  await expect(lines.find('0390000001')).rejects.toMatchObject({ kind: 'upstreamTimeout' });
  expect(await lines.find('0390000001')).toMatchObject({ lineType: 'PREPAID' });
});

test('"no line" is cached like a line', async () => {
  findLine.mockResolvedValue({ kind: 'none' });
  expect(await lines.find('0390000001')).toBeNull();
  expect(await lines.find('0390000001')).toBeNull();
  expect(findLine).toHaveBeenCalledTimes(1);
});

test('a router has the number that gets its codes', async () => {
  findLine.mockResolvedValue({
    kind: 'line',
    lineType: 'PREPAID',
    broadband: true,
    codeRecipient: '0390000001',
    since: null,
  });
  expect(await lines.find('0390000005')).toMatchObject({ broadband: true, codeRecipient: '0390000001' });
});

test('balances are not cached, and no response is no balance', async () => {
  const entry = {
    service: 'AIRTIME',
    description: 'Airtime',
    isUnlimited: false,
    units: 'MGA',
    expiresAt: null,
  } as const;
  balances.mockResolvedValueOnce({ kind: 'balances', entries: [{ ...entry, amount: 500 }] });
  balances.mockResolvedValueOnce({ kind: 'balances', entries: [{ ...entry, amount: 100 }] });
  balances.mockResolvedValueOnce({ kind: 'unclear', detail: 'HTTP 500' });
  expect(await lines.balances('0390000001')).toMatchObject([{ amount: 500 }]);
  expect(await lines.balances('0390000001')).toMatchObject([{ amount: 100 }]);
  await expect(lines.balances('0390000001')).rejects.toMatchObject({ kind: 'upstreamTimeout' });
});
