import { pack } from '@portal/operators/mg/pack.ts';
import { beforeEach, expect, test, vi } from 'vitest';
import type { LineLookup } from '../connectors/ports.ts';
import { scriptedCharging } from '../testing/scripted-providers.ts';
import { createLines, type Lines } from './lines.service.ts';

let time = 0;
let lines: Lines;
const findLine = vi.fn<(msisdn: string) => Promise<LineLookup>>();
beforeEach(() => {
  findLine.mockReset().mockResolvedValue({ kind: 'line', lineType: 'PREPAID', broadband: false });
  lines = createLines({ ...scriptedCharging(), findLine }, pack.numbering, () => new Date(time));
});

test('a line is asked for once a minute', async () => {
  expect(await lines.find('0390000001')).toEqual({ lineType: 'PREPAID', broadband: false });
  await lines.find('0390000001');
  expect(findLine).toHaveBeenCalledTimes(1);
  time += 60_000;
  await lines.find('0390000001');
  expect(findLine).toHaveBeenCalledTimes(2);
});

test('what cannot be a number here is not asked for', async () => {
  for (const msisdn of ['', '0', '0123', '0200000000', '03900000011', '00390000001'])
    expect(await lines.find(msisdn), msisdn).toBeNull();
  expect(findLine).not.toHaveBeenCalled();
});

test('no answer is no line and no kept answer: the next try asks again', async () => {
  findLine.mockResolvedValueOnce({ kind: 'unclear', detail: 'HTTP 500' });
  await expect(lines.find('0390000001')).rejects.toMatchObject({ kind: 'upstreamTimeout' });
  expect(await lines.find('0390000001')).toMatchObject({ lineType: 'PREPAID' });
});

test('"no line" is kept like a line', async () => {
  findLine.mockResolvedValue({ kind: 'none' });
  expect(await lines.find('0390000001')).toBeNull();
  expect(await lines.find('0390000001')).toBeNull();
  expect(findLine).toHaveBeenCalledTimes(1);
});
