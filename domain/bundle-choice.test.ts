import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Bundle, gigabytes, validityHours } from './bundle.ts';
import {
  budgetSteps,
  bundleSortKeys,
  fitsNeeds,
  hasNeeds,
  needsFields,
  noNeeds,
  pickBundles,
  readNeeds,
  readSort,
  sortBundles,
  sortField,
} from './bundle-choice.ts';

const bundle = (over: Partial<Bundle>): Bundle => ({
  name: 'Tselatra 1 GB',
  category: 'Internet',
  description: '1 GB, 7 days',
  data: '1',
  dataUnit: 'GB',
  validity: '7',
  validityUnit: 'DAYS',
  amount: 5000,
  currency: 'MGA',
  productCode: 'D1G7',
  ...over,
});

const anyAmount = fc.option(fc.constantFrom('0', '1', '20', '500', 'Unlimited'), { nil: undefined });
const anyBundle = fc
  .record({
    productCode: fc.stringMatching(/^[A-Z]\d{1,3}$/),
    data: anyAmount,
    dataUnit: fc.constantFrom('MB', 'GB'),
    voice: anyAmount,
    sms: anyAmount,
    validity: fc.constantFrom('-1', '1', '3', '7', '30', '90'),
    amount: fc.integer({ min: 1, max: 100_000 }),
    hours: fc.option(fc.constant('22:00-06:00'), { nil: undefined }),
    serviceType: fc.constantFrom('DATA', 'MIXED', 'ROAMING', 'VOICE', undefined),
  })
  .map(bundle);
const anyNeeds = fc.record({
  text: fc.constantFrom('', 'tselatra', 'x'),
  data: fc.boolean(),
  voice: fc.boolean(),
  sms: fc.boolean(),
  budget: fc.option(fc.integer({ min: 1, max: 100_000 })),
  days: fc.option(fc.constantFrom(1, 7, 30)),
});

describe('BUN-7 search', () => {
  const finds = (text: string, over: Partial<Bundle> = {}) => fitsNeeds(bundle(over), { ...noNeeds, text });

  test('ignores accents, case and the order of words', () => {
    expect(finds('ILLIMITÉ', { name: 'Alina internet illimité' })).toBe(true);
    expect(finds('internet illimite', { name: 'Illimité', category: 'Internet' })).toBe(true);
    expect(finds('itinerance', { category: 'Itinérance' })).toBe(true);
    expect(finds('roaming')).toBe(false);
  });

  test('takes GB and Go, with a space or without, as one', () => {
    for (const text of ['1 GB', '1go', '1 Go', '1gb']) {
      expect(finds(text), text).toBe(true);
      expect(finds(text, { name: 'Tselatra 1 Go', description: '1 Go, 7 jours' }), text).toBe(true);
    }
    expect(finds('1.5 gb', { name: 'Tselatra 1,5 Go', description: '' })).toBe(true);
  });

  test('a number matches only itself, not numbers that start with it', () => {
    expect(finds('1 gb', { name: 'Tselatra 10 GB', description: '10 GB, 30 days', productCode: 'D10G30' })).toBe(false);
    expect(finds('5000')).toBe(true);
    expect(finds('500')).toBe(false);
  });

  test('blank text finds everything, and a code finds its bundle', () => {
    expect(finds('  , ')).toBe(true);
    expect(finds('d1g7')).toBe(true);
  });
});

describe('BUN-7 filter', () => {
  const fits = (over: Partial<Bundle>, needs: Partial<typeof noNeeds>) =>
    fitsNeeds(bundle(over), { ...noNeeds, ...needs });

  test('by what must be inside', () => {
    expect(fits({}, { data: true })).toBe(true);
    expect(fits({ data: 'Unlimited' }, { data: true })).toBe(true);
    expect(fits({ data: undefined }, { data: true })).toBe(false);
    expect(fits({ data: '0' }, { data: true })).toBe(false);
    expect(fits({ voice: '20' }, { voice: true, data: true })).toBe(true);
    expect(fits({ voice: '20' }, { voice: true, sms: true })).toBe(false);
  });

  test('by budget and days, the bounds included, unlimited validity always long enough', () => {
    expect(fits({}, { budget: 5000, days: 7 })).toBe(true);
    expect(fits({}, { budget: 4999 })).toBe(false);
    expect(fits({}, { days: 8 })).toBe(false);
    expect(fits({ validity: '24', validityUnit: 'hours' }, { days: 1 })).toBe(true);
    expect(fits({ validity: '-1' }, { days: 365 })).toBe(true);
  });

  test('asking for more never finds more', () => {
    fc.assert(
      fc.property(anyBundle, anyNeeds, (one, needs) => {
        if (!fitsNeeds(one, needs)) return;
        expect(fitsNeeds(one, { ...needs, budget: null })).toBe(true);
        expect(fitsNeeds(one, { ...needs, days: null })).toBe(true);
        expect(fitsNeeds(one, { ...needs, data: false, voice: false, sms: false })).toBe(true);
        expect(fitsNeeds(one, noNeeds)).toBe(true);
      }),
    );
  });

  test('needs survive the round trip through the URL, and invalid values are ignored', () => {
    fc.assert(
      fc.property(anyNeeds, (needs) => {
        expect(readNeeds(needsFields(needs))).toEqual(needs);
      }),
    );
    expect(readNeeds({ budget: '-5', days: '1e3', data: 'yes', q: undefined })).toEqual(noNeeds);
  });
});

test('budgets to choose from are round amounts that tell bundles apart', () => {
  expect(budgetSteps([300, 5000, 26_000].map((amount) => ({ amount })))).toEqual([
    500, 1000, 2000, 5000, 10_000, 20_000,
  ]);
  expect(budgetSteps([{ amount: 1000 }])).toEqual([]);
  expect(budgetSteps([])).toEqual([]);
});

describe('D3 sorting', () => {
  test('reads what it writes and refuses unknown columns', () => {
    for (const by of bundleSortKeys)
      for (const descending of [true, false])
        expect(readSort(sortField({ by, descending }))).toEqual({ by, descending });
    expect(readSort('constructor')).toBeNull();
    expect(readSort(undefined)).toBeNull();
  });

  test('loses nothing, is ordered, and puts missing values last in both directions', () => {
    fc.assert(
      fc.property(fc.array(anyBundle), fc.boolean(), (bundles, descending) => {
        const sorted = sortBundles(bundles, { by: 'perGigabyte', descending });
        expect(new Set(sorted)).toEqual(new Set(bundles));
        expect(sorted).toHaveLength(bundles.length);
        const values = sorted.map((one) => {
          const size = gigabytes(one);
          return size === null ? null : one.amount / size;
        });
        const counted = values.filter((value) => value !== null);
        expect(values.slice(0, counted.length)).toEqual(counted);
        expect(counted).toEqual([...counted].sort((one, other) => (descending ? other - one : one - other)));
      }),
    );
  });

  test('unlimited is the most there can be', () => {
    const order = sortBundles(
      [bundle({ voice: 'Unlimited', productCode: 'X' }), bundle({ voice: '20', productCode: 'V' }), bundle({})],
      { by: 'voice', descending: true },
    );
    expect(order.map(({ productCode }) => productCode)).toEqual(['X', 'V', 'D1G7']);
  });

  test('by name compares numbers by value', () => {
    const names = ['Box 100 GB', 'Box 20 GB', 'alina 5 GB'].map((name) => bundle({ name }));
    const sorted = sortBundles(names, { by: 'name', descending: false });
    expect(sorted.map(({ name }) => name)).toEqual(['alina 5 GB', 'Box 20 GB', 'Box 100 GB']);
  });
});

describe('BUN-7 the finder', () => {
  const code = (found: Bundle | null) => found?.productCode ?? null;

  test('names the cheapest gigabyte, the longest and the best mix', () => {
    const picks = pickBundles([
      bundle({ productCode: 'dear', amount: 5000 }),
      bundle({ productCode: 'cheap', amount: 9000, data: '2' }),
      bundle({ productCode: 'long', amount: 9900, validity: '30' }),
      bundle({ productCode: 'small', amount: 9000, data: '500', dataUnit: 'MB', voice: '60', sms: '10' }),
      bundle({ productCode: 'mixed', amount: 9500, data: '500', dataUnit: 'MB', voice: '50', sms: '50' }),
    ]);
    expect([code(picks.cheapest), code(picks.longest), code(picks.mix)]).toEqual(['cheap', 'long', 'mixed']);
  });

  test('recommends nothing that works only at night or abroad', () => {
    const picks = pickBundles([
      bundle({ productCode: 'night', data: '20', hours: '22:00-06:00' }),
      bundle({ productCode: 'abroad', data: '20', serviceType: 'ROAMING' }),
      bundle({ productCode: 'plain' }),
    ]);
    expect([code(picks.cheapest), code(picks.longest), code(picks.mix)]).toEqual(['plain', 'plain', null]);
  });

  test('nothing to choose from gives nothing', () => {
    expect(pickBundles([])).toEqual({ cheapest: null, longest: null, mix: null });
  });

  test('no usable bundle is better than a pick, whatever the order of the list', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyBundle, { selector: ({ productCode }) => productCode }), (bundles) => {
        const picks = pickBundles(bundles);
        const usable = bundles.filter(({ hours, serviceType }) => !hours && serviceType !== 'ROAMING');
        for (const one of usable) {
          const size = gigabytes(one);
          if (size === null) continue;
          const found = picks.cheapest as Bundle;
          expect(found.amount / (gigabytes(found) ?? 0)).toBeLessThanOrEqual(one.amount / size);
          expect(validityHours(picks.longest as Bundle)).toBeGreaterThanOrEqual(validityHours(one));
        }
        const { mix } = picks;
        if (mix)
          expect([mix.data, mix.voice, mix.sms].filter((inside) => inside && inside !== '0').length).toBeGreaterThan(1);
        expect(pickBundles([...bundles].reverse())).toEqual(picks);
      }),
    );
  });
});

describe('BUN-7 needs in the URL', () => {
  test('are cut at eighty letters, and default to none', () => {
    expect(readNeeds({ q: 'a'.repeat(81) }).text).toBe('a'.repeat(80));
    expect(readNeeds({})).toEqual(noNeeds);
    expect(readNeeds({ data: '1', sms: '1', budget: '500', days: '7' })).toEqual({
      ...noNeeds,
      data: true,
      sms: true,
      budget: 500,
      days: 7,
    });
    expect(readNeeds({ budget: '1234567890' }).budget).toBeNull();
  });

  test('are written without those that are not set', () => {
    expect(needsFields(noNeeds)).toEqual({ q: '', data: '', voice: '', sms: '', budget: '', days: '' });
    expect(needsFields({ ...noNeeds, text: ' box ', voice: true, budget: 500, days: 7 })).toEqual({
      q: 'box',
      data: '',
      voice: '1',
      sms: '',
      budget: '500',
      days: '7',
    });
    expect(readSort('price-')).toBeNull();
  });
});

describe('BUN-7 words', () => {
  const finds = (text: string, over: Partial<Bundle> = {}) => fitsNeeds(bundle(over), { ...noNeeds, text });

  test('each must be the prefix of a word', () => {
    expect(finds('tsel inter')).toBe(true);
    expect(finds('latra')).toBe(false);
    expect(finds('tsel box')).toBe(false);
    expect(finds('-')).toBe(true);
  });

  test('a unit alone is found in either spelling', () => {
    expect(finds('go')).toBe(true);
    expect(finds('mo')).toBe(false);
    expect(finds('gb', { name: 'Go à volonté', description: '' })).toBe(true);
  });

  test('only a period that the bundle has is found', () => {
    expect(finds('weekly', { periodType: 'Weekly' })).toBe(true);
    expect(finds('stryker')).toBe(false);
  });

  test('a word of digits and letters only has to be a prefix', () => {
    expect(finds('d1g')).toBe(true);
    expect(finds('5g', { name: '5GBox' })).toBe(true);
  });
});

describe('BUN-7 contents', () => {
  test('blank contents count as none, and all needs must be met', () => {
    expect(fitsNeeds(bundle({ data: ' ' }), { ...noNeeds, data: true })).toBe(false);
    expect(fitsNeeds(bundle({ data: ' 0 ' }), { ...noNeeds, data: true })).toBe(false);
    expect(fitsNeeds(bundle({}), { ...noNeeds, voice: true })).toBe(false);
    expect(fitsNeeds(bundle({ validity: '0' }), noNeeds)).toBe(true);
  });

  const order = (by: (typeof bundleSortKeys)[number], descending: boolean, bundles: Partial<Bundle>[]) =>
    sortBundles(bundles.map(bundle), { by, descending }).map(({ productCode }) => productCode);

  test.each([
    ['data', [{ data: '2' }, { data: '512', dataUnit: 'MB' }, { data: 'Unlimited' }, { data: undefined }], '1023'],
    ['voice', [{ voice: '20' }, { voice: '5' }, { voice: 'Unlimited' }, {}], '1023'],
    ['sms', [{ sms: '20' }, { sms: '5' }, { sms: '-1' }, { sms: '0' }], '1023'],
    ['validity', [{ validity: '7' }, { validity: '1' }, { validity: '-1' }, { validity: '30' }], '1032'],
    ['price', [{ amount: 200, data: '4' }, { amount: 100 }, { amount: 400, data: '99' }, { amount: 300 }], '1032'],
    ['name', [{ name: 'b' }, { name: 'A' }, { name: 'd' }, { name: 'c' }], '1032'],
  ] as const)('are sorted by %s, both ways', (by, bundles, upwards) => {
    const coded = bundles.map((one, index) => ({ ...one, productCode: String(index) }));
    expect(order(by, false, coded).join('')).toBe(upwards);
    const counted = by === 'data' || by === 'voice' || by === 'sms' ? 3 : 4;
    const downwards = [...[...upwards.slice(0, counted)].reverse(), ...upwards.slice(counted)].join('');
    expect(order(by, true, coded).join('')).toBe(downwards);
  });

  test('equal ones keep the order they came in, both ways', () => {
    const coded = ['a', 'b', 'c'].map((productCode) => ({ productCode, voice: 'Unlimited' }));
    for (const by of ['name', 'voice', 'price'] as const)
      for (const descending of [true, false]) expect(order(by, descending, coded).join('')).toBe('abc');
  });

  test('a budget equal to the cheapest price finds it', () => {
    expect(budgetSteps([{ amount: 500 }, { amount: 2_000 }])).toEqual([500, 1_000]);
  });
});

describe('BUN-7 of equal bundles', () => {
  const codes = (...bundles: Partial<Bundle>[]) => {
    const picks = pickBundles(bundles.map(bundle));
    return [picks.cheapest, picks.longest, picks.mix].map((found) => found?.productCode ?? null);
  };

  test('the cheapest gigabyte is the one that lasts longer, then the one that costs less', () => {
    expect(codes({ productCode: 'a' }, { productCode: 'b', validity: '30' })[0]).toBe('b');
    expect(codes({ productCode: 'a', data: '2', amount: 10_000 }, { productCode: 'b' })[0]).toBe('b');
  });

  test('the longest is the one with more data, then the one that costs less', () => {
    expect(codes({ productCode: 'a' }, { productCode: 'b', data: '2', amount: 90_000 })[1]).toBe('b');
    expect(codes({ productCode: 'a', amount: 6_000 }, { productCode: 'b' })[1]).toBe('b');
    expect(codes({ productCode: 'a', validity: '1' }, { productCode: 'b', data: 'Unlimited' })[1]).toBe('b');
  });

  test('the best mix is the one that costs less, then the first by its code', () => {
    const mix = { voice: '10', sms: '10' };
    expect(codes({ ...mix, productCode: 'a', amount: 6_000 }, { ...mix, productCode: 'b' })[2]).toBe('b');
    expect(codes({ ...mix, productCode: 'b' }, { ...mix, productCode: 'a' })).toEqual(['a', 'a', 'a']);
    expect(codes({ ...mix, productCode: 'a' }, { ...mix, productCode: 'b' })).toEqual(['a', 'a', 'a']);
  });

  test('a mix has two of three contents, each weighed by its share of the maximum', () => {
    expect(codes({ productCode: 'one', data: undefined, voice: '10' })[2]).toBeNull();
    expect(codes({ productCode: 'two', voice: '10' })[2]).toBe('two');
    expect(
      codes(
        { productCode: 'calls', data: '1', voice: '100', sms: '1' },
        { productCode: 'even', data: '1', voice: '60', sms: '100' },
      )[2],
    ).toBe('even');
    expect(
      codes(
        { productCode: 'a', data: undefined, voice: '10', sms: '500' },
        { productCode: 'b', data: undefined, voice: '90', sms: '400' },
      )[2],
    ).toBe('b');
  });

  test('a bundle with calls only is not compared by data', () => {
    expect(
      codes({ productCode: 'calls', data: undefined, voice: '100', validity: '90' }, { productCode: 'data' }),
    ).toEqual(['data', 'data', null]);
    expect(codes({ productCode: 'endless', data: 'Unlimited' })).toEqual([null, 'endless', null]);
    for (const serviceType of ['DATA', 'VOICE', 'SMS', 'MIXED', 'BROADBAND'] as const)
      expect(codes({ productCode: 'x', serviceType })[0], serviceType).toBe('x');
  });
});

test('any one need counts as set, spaces do not', () => {
  expect(hasNeeds(noNeeds)).toBe(false);
  expect(hasNeeds({ ...noNeeds, text: '  ' })).toBe(false);
  for (const need of [{ text: 'a' }, { data: true }, { voice: true }, { sms: true }, { budget: 500 }, { days: 1 }])
    expect(hasNeeds({ ...noNeeds, ...need }), JSON.stringify(need)).toBe(true);
});
