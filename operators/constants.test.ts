import { glob, readFile } from 'node:fs/promises';
import { fixedInternetAccountPattern, postpaidAccountPattern } from '@portal/domain/account-number.ts';
import { bundleIcon, groupBundles } from '@portal/domain/bundle.ts';
import { chunkTimeoutMilliseconds } from '@portal/domain/chunk-timeout.ts';
import * as constants from '@portal/domain/constants.ts';
import { cardMode } from '@portal/domain/transaction-types.ts';
import { expect, test } from 'vitest';
import { pack as cd } from './cd/pack.ts';
import { pack } from './mg/pack.ts';
import { pack as ng } from './ng/pack.ts';

const { oneTimeCode, walletPin, cacheDefaultSeconds, cacheSeconds, toastSeconds, walletPoll } = constants;
const { popularQuestions, mapDefaults, leadTags, leadRedirectSeconds, dualCurrency, paystack } = constants;

const bundle = { name: '', description: '', amount: 1, currency: 'MGA', productCode: '' };
const sorted = groupBundles([
  { ...bundle, category: 'SMS', validity: '1', validityUnit: 'days' },
  { ...bundle, category: 'Data', validity: '30', validityUnit: 'days' },
  { ...bundle, category: 'Data', validity: '7', validityUnit: 'days' },
]);

/** Section 9 of the specification, in order: its text, its value, and the product's value. */
const section9: [words: string, value: unknown, inTheCode: unknown][] = [
  ['country', '261', pack.numbering.countryCode],
  ['currency', 'MGA', pack.currency.code],
  ['default language', 'fr-FR', pack.defaultLocale],
  ['operator', 'MG', pack.opco],
  ['channel', 'CWAAA', pack.channel],
  ['phone length', 9, pack.numbering.nationalLength],
  ['account number length 10', /^\d{10}$/, postpaidAccountPattern],
  ['account number of fixed internet (section 5)', /^[PE][A-Z]\d{10}$/, fixedInternetAccountPattern],
  ['OTP 6 digits', 6, oneTimeCode.digits],
  ['resend 60 s', 60, oneTimeCode.resendSeconds],
  ['OTP 5 attempts', 5, oneTimeCode.attempts],
  ['PIN 4 digits', 4, walletPin.digits],
  ['PIN 5 attempts', 5, walletPin.attempts],
  ['cache default 10 s', 10, cacheDefaultSeconds],
  ['loader text 3600 s', 3600, cacheSeconds.loaderText],
  ['config 1 h', 3600, cacheSeconds.config],
  ['debounce 300 ms', 300, constants.inputDebounceMilliseconds],
  ['popular questions 10 in help', 10, popularQuestions.help],
  ['popular questions 5 in category view', 5, popularQuestions.category],
  ['toast 3 s', 3, toastSeconds.short],
  ['toast 10 s', 10, toastSeconds.long],
  ['error close 11 s', 11, oneTimeCode.errorCloseSeconds],
  ['wallet polling 10 s', 10, walletPoll.everySeconds],
  ['paymentMaxTry default 10', 10, pack.paymentMaxTry],
  ['lead redirect 3 s success', 3, leadRedirectSeconds.success],
  ['lead redirect 6 s unavailable', 6, leadRedirectSeconds.unavailable],
  ['map centre', { lat: -19.002846, lng: 46.460938 }, pack.map.centre],
  ['coverage zoom 9', 9, mapDefaults.coverageZoom],
  ['lead map zoom 12', 12, mapDefaults.leadZoom],
  ['search zoom 15', 15, mapDefaults.searchZoom],
  ['hover zoom 13', 13, mapDefaults.shopHoverZoom],
  ['shop radius 100 km', 100, mapDefaults.shopRadiusKilometres],
  ['5G circle 300 m', 300, mapDefaults.fifthGenerationCircleMetres],
  ['marker 15x30', [15, 30], [mapDefaults.markerWidth, mapDefaults.markerHeight]],
  // "Distance in miles one decimal (helper)" has no place: STO-1 settles that distances are in Km.
  ['dual currency USD/CDF', ['USD', 'CDF'], [cd.currency.code, cd.secondCurrency?.code]],
  ['USD = amount/100', 100, dualCurrency.unitsPerMajor],
  ['under 1 restricts to the brand’s wallet', 1, dualCurrency.leastMajorForAllOptions],
  ['card mode PAYMENT_GATEWAY', 'PAYMENT_GATEWAY', cardMode],
  ['Paystack popup amount x100', 100, paystack.amountFactor],
  ['Paystack currency NGN', 'NGN', ng.currency.code],
  ['Paystack channels', ['ussd', 'bank', 'card', 'mobile_money', 'bank_transfer', 'qr'], paystack.channels],
  ['lead country', 'madagascar', pack.country.name],
  ['lead reference', 'ODU PURCHASE', leadTags.reference],
  ['lead source', 'WEBPORTAL', leadTags.source],
  ['lead type', 'HBB_LEADS', leadTags.type],
  ['categories alphabetical', ['Data', 'SMS'], sorted.map(({ category }) => category)],
  ['bundles sorted by validity', ['7', '30'], sorted[0]?.bundles.map(({ validity }) => validity)],
  [
    'icon by category keyword',
    ['data', 'internet', 'sms', 'international', 'roaming', 'default'],
    ['My data', 'Internet', 'SMS packs', 'International', 'Roaming', 'Voice'].map(bundleIcon),
  ],
  ['postpaid bundles display off', false, pack.features.showPostpaidBundles],
  ['KPI off (section 1)', false, pack.features.kpi],
  ['chunk timeout 120000 ms', 120_000, chunkTimeoutMilliseconds],
  ['runtime tag beta', 'beta', pack.runMode],
  ['a CDN for asset links is configuration, none by default', null, pack.cdnBase],
];

test.each(section9)('CON-1 section 9: %s', (_words, value, inTheCode) => {
  expect(inTheCode).toEqual(value);
});

const root = new URL('..', import.meta.url);

/** The source of the product, without tests and fixtures. */
async function product(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const found = glob('{domain,contract,operators,server/src,web/src}/**/*.{ts,tsx}', { cwd: root });
  for await (const path of found)
    if (!/node_modules|dist\/|\.(test|fixture)\.tsx?$|\/(testing|simulation)\//.test(path))
      files.set(path, await readFile(new URL(path, root), 'utf8'));
  return files;
}

test('CON-1 each constant is defined once, and the product uses that definition', async () => {
  const files = await product();
  const spell = (text: string) => [...files].filter(([, source]) => source.includes(text)).map(([path]) => path);
  // Values with a single meaning, so that another occurrence is a copy. The types of forms are listed in the contract.
  for (const [text, place] of [
    ['ODU PURCHASE', 'domain/constants.ts'],
    ['bank_transfer', 'domain/constants.ts'],
    ['120_000', 'domain/chunk-timeout.ts'],
    ['[PE][A-Z]', 'domain/account-number.ts'],
    ['46.46', 'operators/mg/pack.ts'],
    ["'madagascar'", 'operators/mg/pack.ts'],
  ])
    expect(spell(text as string), text).toEqual([place]);
  expect(spell("'PAYMENT_GATEWAY'").filter((path) => !path.endsWith('/pack.ts'))).toEqual([
    'domain/transaction-types.ts',
  ]);
  expect(spell("'HBB_ODU_AW'").sort()).toEqual(['contract/forms.ts', 'domain/constants.ts']);

  const unused = Object.entries(constants).flatMap(([name, value]) => {
    const users = [...files].filter(([path, source]) => path !== 'domain/constants.ts' && source.includes(name));
    const keys = typeof value === 'object' ? Object.keys(value) : [];
    const isUsed = (key: string) => users.some(([, source]) => new RegExp(`\\b${key}\\b`).test(source));
    return users.length === 0 ? [name] : keys.filter((key) => !isUsed(key)).map((key) => `${name}.${key}`);
  });
  expect(unused).toEqual([]);
});
