import { bundleIcon } from '@portal/domain/bundle.ts';
import { takesCurrency } from '@portal/domain/exchange.ts';
import { formatMoney } from '@portal/domain/money.ts';
import { isMobile, isOwnNetwork, readNational } from '@portal/domain/msisdn.ts';
import { expect, test } from 'vitest';
import { readPackage } from '../content.ts';
import { loadPack } from '../load-pack.ts';

const pack = await loadPack('cd');
const { numbering, currency, secondCurrency } = pack;

test('D9 its numbers are accepted in the usual formats', () => {
  for (const typed of ['0950 000 005', '+243 950 000 005', '243950000005', '950000005'])
    expect(readNational(typed, numbering), typed).toBe('950000005');
  expect(isOwnNetwork('950000005', numbering) && isOwnNetwork('960000005', numbering)).toBe(true);
  expect(isMobile('810000005', numbering)).toBe(true);
  expect(isOwnNetwork('810000005', numbering)).toBe(false);
});

test('PAY-5 prices are in dollars and cents, and converted to whole francs', () => {
  expect(formatMoney({ amount: 250, currency: currency.code }, 'fr-FR', currency.digits)).toBe('USD 2,50');
  expect(secondCurrency).toMatchObject({ code: 'CDF', digits: 0 });
  const takesFrancs = pack.methods.filter((method) => takesCurrency(method, 'CDF', pack)).map(({ type }) => type);
  expect(takesFrancs).toEqual(['PG', 'AM']);
  expect(pack.methods.every((method) => takesCurrency(method, 'USD', pack))).toBe(true);
});

test('BUN-2 lists each product once, in French, with the icon of its kind', () => {
  for (const { name, category, description, amount } of pack.catalogue) {
    for (const words of [name, category, description]) expect(Object.keys(words)).toEqual(['FR']);
    expect(Number.isSafeInteger(amount) && amount > 0).toBe(true);
  }
  const icons = new Map(
    pack.catalogue.map(({ serviceType, category }) => [serviceType, bundleIcon(category.FR ?? '')]),
  );
  expect(Object.fromEntries(icons)).toMatchObject({
    DATA: 'internet',
    BROADBAND: 'internet',
    SMS: 'sms',
    INTERNATIONAL: 'international',
    VOICE: 'default',
  });
  // Some cost less than a dollar, which can be paid only with the wallet.
  expect(pack.catalogue.some(({ amount }) => amount < 100)).toBe(true);
});

test('its French has typographic spaces and apostrophes', () => {
  const texts = ['header', 'footer', 'homepage', 'contact-us', 'mobile-money', 'privacy-policy']
    .map((name) => JSON.stringify(readPackage('cd', 'FR', name)).replaceAll(/\]\([^)]*\)|"\w+":|"\/[^"]*"/g, ''))
    .concat(pack.catalogue.map(({ name, description }) => `${name.FR} ${description.FR}`));
  for (const text of texts) expect(text.match(/.{0,20}(?:\p{L}'|[\p{L}\p{N})] ?[?!:;]).{0,10}/u)?.[0]).toBeUndefined();
});

test('D9 names neither another brand nor another country', () => {
  const said = ['header', 'footer', 'homepage', 'contact-us', 'mobile-money', 'privacy-policy'].map((name) =>
    JSON.stringify(readPackage('cd', 'FR', name)),
  );
  expect(said.join()).not.toMatch(/fanilo|madagascar|ariary|MGA|\+261/i);
  expect(said.join()).toContain('Mwinda');
});
