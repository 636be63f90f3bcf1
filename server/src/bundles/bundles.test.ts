import type { OperatorPack } from '@portal/domain/operator.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { describe, expect, test } from 'vitest';
import type { Line, Lines } from '../lines/lines.service.ts';
import { createBundles } from './bundles.service.ts';

const line = (over: Partial<Line>): Line => ({
  lineType: 'PREPAID',
  broadband: false,
  codeRecipient: null,
  since: null,
  ...over,
});
const known: Record<string, Line> = {
  '0390000001': line({}),
  '0390000002': line({ lineType: 'POSTPAID' }),
  '0390000003': line({ lineType: 'HYBRID' }),
  '0390000005': line({ broadband: true }),
};
const lines: Lines = { find: async (msisdn) => known[msisdn] ?? null, balances: async () => [] };
const withPostpaid: OperatorPack = { ...pack, features: { ...pack.features, showPostpaidBundles: true } };

const all = { serviceType: 'ALL', locale: 'en-GB' } as const;
const bundlesOf = (from: OperatorPack) => createBundles(from, lines, async () => from.catalogue);
const codes = async (wanted: Parameters<ReturnType<typeof createBundles>['list']>[0], from = pack) =>
  (await bundlesOf(from).list(wanted)).map(({ productCode }) => productCode);

describe('what is on sale', () => {
  test('BUN-5 postpaid bundles are hidden while the flag is false', async () => {
    expect(await codes({ ...all, msisdn: '0390000002' })).toEqual([]);
    expect((await codes(all)).filter((code) => code.startsWith('P'))).toEqual([]);
    expect(await codes({ ...all, lineType: 'POSTPAID' })).toEqual([]);
    expect(await bundlesOf(pack).find('P8G30', line({ lineType: 'POSTPAID' }), 'en-GB')).toBeNull();
  });

  test('BUN-5 with the flag a postpaid line gets postpaid bundles only', async () => {
    const shown = await codes({ ...all, msisdn: '0390000002' }, withPostpaid);
    expect(shown).toContain('P8G30');
    expect(shown).not.toContain('D1G7');
    expect(await codes({ ...all, msisdn: '0390000003' }, withPostpaid)).toEqual(
      expect.arrayContaining(['P8G30', 'D1G7']),
    );
    expect(await bundlesOf(withPostpaid).find('P8G30', line({ lineType: 'POSTPAID' }), 'en-GB')).not.toBeNull();
  });

  test('a line gets what it can use: a phone no router plans, a router only those', async () => {
    const phone = await codes({ ...all, msisdn: '0390000001' });
    expect(phone).toContain('D1G7');
    expect(phone.filter((code) => /^[BH]/.test(code))).toEqual([]);
    const router = await codes({ ...all, msisdn: '0390000005' });
    expect(router).toContain('B20G30');
    expect(router.filter((code) => !code.startsWith('B'))).toEqual([]);
    expect((await codes({ ...all, serviceType: 'HBB' })).length).toBeGreaterThan(2);
    expect((await codes(all)).length).toBeGreaterThan(80);
  });

  test('a number without a line is refused', async () => {
    await expect(codes({ ...all, msisdn: '0390000009' })).rejects.toThrow('Invalid Mobile No');
  });

  test('only a few are popular', async () => {
    expect(await codes({ ...all, popular: true })).toEqual(['D1G7', 'D5G30', 'V120M7', 'M1G60V']);
  });

  test('a bundle has texts and units in the requested language, and is counted in the units of the charging system', async () => {
    const bundles = bundlesOf(pack);
    const french = await bundles.find('D1.5G7', line({}), 'fr-FR');
    expect(french?.bundle).toMatchObject({
      name: 'Tselatra 1,5 Go',
      description: '1,5 Go, 7 jours',
      data: '1.5',
      dataUnit: 'Go',
    });
    expect(french?.item.content).toEqual({ amount: 1.5, units: 'GB' });
    const night = await bundles.find('DX1N', line({}), 'fr-FR');
    expect(night?.bundle).toMatchObject({ data: 'Illimité', dataUnit: '', hours: '22:00-06:00' });
    expect(night?.item).toMatchObject({ isUnlimited: true, content: null, validityDays: 1 });
    expect((await bundles.find('D1G0', line({}), 'en-GB'))?.item.validityDays).toBeNull();
  });
});

test('D20 a bundle carries linetype beside lineType', async () => {
  const [first, ...others] = await bundlesOf(pack).list(all);
  expect(first?.lineType).toBe('PREPAID');
  for (const bundle of [first, ...others]) expect(bundle?.linetype).toBe(bundle?.lineType);
});
