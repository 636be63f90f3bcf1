import { schemaProblems } from '@portal/domain/lead/schema-check.ts';
import { formatMoney } from '@portal/domain/money.ts';
import { maskNational } from '@portal/domain/msisdn.ts';
import { paymentReasons } from '@portal/domain/payment/reasons.ts';
import { lettersForeignToSms, travelsBySms } from '@portal/domain/sms-text.ts';
import { describe, expect, test } from 'vitest';
import { packageNames, readPackage } from './content.ts';
import { readHelp } from './help.ts';
import { loadPack } from './load-pack.ts';

const pack = await loadPack('mg');
const english = 'EN';
const others = pack.languages.map(({ code }) => code).filter((code) => code !== english);
const languages = [english, ...others];

/** Words that are the same in both languages. Any other text that equals the English one was not translated. */
const sameWord: Record<string, readonly string[]> = {
  FR: ['{why}', 'Date', '{brand} Money', 'Fanilo Money', 'Fanilo', 'Recharge', 'Services', 'MPESA', 'SmartCash', 'SMS'],
  MG: ['{why}', '{brand} Money', 'Fanilo Money', 'Fanilo', 'MPESA', 'SmartCash', 'SMS'],
};

/** Removes link targets, which are not read. */
const withoutAddresses = (text: string) => text.replaceAll(/\]\([^)]*\)/g, ']');
const isAddress = (key: string) =>
  /(^|\.)(href|id|heading_image)$/.test(key) || /^(fields|actions)\.\d+\.(name|type|pattern|countryCode)$/.test(key);

/** Every value of a package by its path, whatever its depth: 'groups.0.links.2.label'. */
function leaves(value: unknown, path = ''): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path ? `${path}.${key}` : key));
}

const packageOf = (language: string, name: string) => new Map(leaves(readPackage(pack.code, language, name)));
const textsOf = (language: string) => packageOf(language, 'translation') as Map<string, string>;
const placeholders = (text: unknown) => [...String(text).matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
const fill = (text: string, params: Record<string, string>) =>
  text.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? '?');

function smsCount(text: string): number {
  const [single, part] = lettersForeignToSms(text).length === 0 ? [160, 153] : [70, 67];
  return text.length <= single ? 1 : Math.ceil(text.length / part);
}

test('the operator has three languages, and English is the reference', () => {
  expect(languages).toEqual(['EN', 'FR', 'MG']);
  expect(textsOf(english).size).toBeGreaterThan(100);
});

describe.each(others)('%s against English', (language) => {
  test('has the same packages', () => {
    expect(packageNames(pack.code, language)).toEqual(packageNames(pack.code, english));
  });

  test.each(packageNames(pack.code, english))('%s has the same keys', (name) => {
    expect([...packageOf(language, name).keys()].sort()).toEqual([...packageOf(english, name).keys()].sort());
  });

  test.each(packageNames(pack.code, english))('%s has the same placeholders in each text', (name) => {
    const translated = packageOf(language, name);
    const differing = [...packageOf(english, name)]
      .filter(([key]) => !isAddress(key))
      .filter(([key, text]) => String(placeholders(text)) !== String(placeholders(translated.get(key))))
      .map(([key]) => key);
    expect(differing).toEqual([]);
  });

  test.each(packageNames(pack.code, english))('%s is translated, not copied', (name) => {
    const translated = packageOf(language, name);
    const copied = [...packageOf(english, name)]
      .filter(([key, text]) => !isAddress(key) && typeof text === 'string' && translated.get(key) === text)
      .filter(([, text]) => !sameWord[language]?.includes(String(text)))
      .map(([key]) => key);
    expect(copied).toEqual([]);
  });

  test('has the same links in header and footer', () => {
    for (const name of ['header', 'footer']) expect(addresses(language, name)).toEqual(addresses(english, name));
  });

  test.each(packageNames(pack.code, language))('%s: spaces and apostrophes on screen are those of print', (name) => {
    const careless = [...packageOf(language, name)]
      .filter(([key]) => !isAddress(key) && !travelsBySms(key))
      .filter(([, text]) => /'|[\p{L}\p{N}})] ?[?!:;]/u.test(withoutAddresses(String(text))));
    expect(careless.map(([key]) => key)).toEqual([]);
  });
});

function addresses(language: string, name: string): unknown[] {
  return [...packageOf(language, name)].filter(([key]) => isAddress(key)).map(([, href]) => href);
}

describe.each(languages)('%s', (language) => {
  test('FRM-1 the schema of the lead form is valid', () => {
    expect(schemaProblems(readPackage(pack.code, language, 'lead-form-schema'))).toEqual([]);
  });

  test.each(packageNames(pack.code, language))('%s has no empty text', (name) => {
    const empty = [...packageOf(language, name)].filter(([, text]) => typeof text === 'string' && text.trim() === '');
    expect(empty.map(([key]) => key)).toEqual([]);
  });

  test('every link of header and footer is a path of this portal, without a language prefix', () => {
    const prefixes = pack.languages.map(({ prefix }) => prefix).filter(Boolean);
    for (const href of [...addresses(language, 'header'), ...addresses(language, 'footer')]) {
      expect(href).toMatch(/^\/[\w/-]*$/);
      expect(prefixes.filter((prefix) => `${href}/`.startsWith(`${prefix}/`))).toEqual([]);
    }
    expect(addresses(language, 'header').length).toBeLessThanOrEqual(4);
  });

  test('a USSD code is written in full', () => {
    const { markdown } = readPackage(pack.code, language, 'mobile-money') as { markdown: string };
    // An unescaped star would start emphasis and be lost on the page.
    expect(markdown).toContain(`[${pack.care.pinResetDial.replaceAll('*', '\\*')}](tel:`);
  });

  test('MNY-3 every reason of a payment has a text', () => {
    for (const reason of paymentReasons) expect(textsOf(language).has(`reasons.${reason}`), reason).toBe(true);
  });

  test('LEA-2 the link of the consent has the title of its page', () => {
    const labels = [...packageOf(language, 'lead-form-schema').values()].map(String);
    const links = labels.flatMap((label) => [...label.matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)]);
    expect(links.length).toBeGreaterThan(0);
    for (const [, href = '', words = ''] of links) {
      const { title } = readPackage(pack.code, language, href.split('/').at(-1) ?? '') as { title: string };
      expect(words).toBe(title);
    }
  });

  test('the loader has its three texts', () => {
    expect([...packageOf(language, 'loader-translation').keys()]).toEqual(['wait', 'holdOn', 'loadingMessage']);
  });
});

describe.each(pack.languages)('MNY-1 SMS in $code', ({ code, locale }) => {
  const texts = textsOf(code);
  const notices = [...texts].filter(([key]) => key.startsWith('notices.'));
  // With these reasons the money has moved, so a message that it was not taken never has them.
  const afterMoneyMoved: readonly string[] = [
    'deliveryRefused',
    'lateMoney',
    'amountConflict',
    'retriesSpent',
    'noConnector',
  ];
  const reasons = paymentReasons.filter((reason) => !afterMoneyMoved.includes(reason));
  const amount = { amount: pack.limits.prepaid.max, currency: pack.currency.code };
  const params = {
    brand: pack.brand.name,
    amount: formatMoney(amount, locale, pack.currency.digits).replaceAll(/[\u00a0\u202f]/g, ' '),
    number: maskNational('390000001', pack.numbering.groups).replaceAll('•', '*'),
    reference: 'W7K2M9QX4TBD',
  };

  test('every SMS text uses the GSM alphabet', () => {
    const foreign = [...texts].filter(([key, text]) => travelsBySms(key) && lettersForeignToSms(text).length > 0);
    expect(foreign.map(([key]) => key)).toEqual([]);
  });

  test.each(notices)('%s fits two SMS parts for every reason', (_, text) => {
    for (const reason of reasons) {
      const filled = fill(text, { ...params, reason: texts.get(`reasons.${reason}`) ?? '' });
      expect(smsCount(filled), `${filled.length} characters: ${filled}`).toBeLessThanOrEqual(2);
    }
  });
});

test('Malagasy uses the terms of the glossary in texts, pages and help', () => {
  /** Words for an amount, a dealer, a receipt and a bundle that the glossary does not use. */
  const others = /\b(sandany|mpivarotra|rosia|forfait)\b/i;
  const texts = packageNames(pack.code, 'MG').flatMap((name) => [...packageOf('MG', name)]);
  const help = leaves(readHelp(pack.code, 'MG'));
  const found = [...texts, ...help].filter(([, text]) => others.test(String(text)));
  expect(found.map(([key]) => key)).toEqual([]);
});
