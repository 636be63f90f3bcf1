import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fromWire,
  groupNational,
  isCompleteNational,
  isMobile,
  isOwnNetwork,
  isWireNumber,
  maskNational,
  type Numbering,
  readNational,
  readPosted,
  toInternational,
  toWire,
} from './msisdn.ts';

const numbering: Numbering = {
  countryCode: '261',
  nationalLength: 9,
  ownPrefixes: ['39'],
  mobilePattern: '^3[2-9]\\d{7}$',
};
const nationals = fc.integer({ min: 320000000, max: 399999999 }).map(String);

describe('reading a number', () => {
  test.each([
    ['390000001', '390000001'],
    ['39 00 000 01', '390000001'],
    ['0390000001', '390000001'],
    ['039-00-000-01', '390000001'],
    ['+261 39 00 000 01', '390000001'],
    ['+261 (0)39 00 000 01', '390000001'],
    ['00261390000001', '390000001'],
    ['261390000001', '390000001'],
    ['2610390000001', '390000001'],
    ['Tel: +261 39 00 000 01', '390000001'],
    ['call 039 00 000 01 please', '390000001'],
    ['39a0b0', '3900'],
    ['3900000012345', '390000001'],
    ['0', ''],
    ['', ''],
    ['abc', ''],
    ['261', '261'],
    ['+', ''],
  ])('%j is %j', (text, expected) => {
    expect(readNational(text, numbering)).toBe(expected);
  });

  test("another country's number is not truncated to one of ours", () => {
    expect(readNational('+33 6 12 34 56 78', numbering)).toBe('');
    expect(readNational('0039 06 1234567', numbering)).toBe('');
  });

  test('typing key by key gives what pasting gives, with and without country code', () => {
    for (const typed of ['390000001', '0390000001', '261390000001', '00261390000001']) {
      let value = '';
      for (const key of typed) value = readNational(value + key, numbering);
      expect(value).toBe('390000001');
    }
  });

  test('any text gives digits only, at most the national length', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[+0-9 ]{0,30}$/)), (text) => {
        expect(readNational(text, numbering)).toMatch(/^\d{0,9}$/);
      }),
    );
  });

  test('every written form of a number reads as that number', () => {
    fc.assert(
      fc.property(nationals, (national) => {
        for (const form of [toWire(national), toInternational(national, numbering), groupNational(national)]) {
          expect(readNational(form, numbering)).toBe(national);
        }
      }),
    );
  });
});

describe('forms of a number', () => {
  test('the wire form has a leading 0', () => {
    expect(toWire('390000001')).toBe('0390000001');
    expect(fromWire('0390000001')).toBe('390000001');
    expect(toInternational('390000001', numbering)).toBe('+261390000001');
  });

  test('completeness, mobile range and network', () => {
    expect(isCompleteNational('390000001', numbering)).toBe(true);
    expect(isCompleteNational('39000000', numbering)).toBe(false);
    expect(isCompleteNational('090000001' as string, numbering)).toBe(false);
    expect(isMobile('340000001', numbering)).toBe(true);
    expect(isMobile('200000001', numbering)).toBe(false);
    expect(isOwnNetwork('390000001', numbering)).toBe(true);
    expect(isOwnNetwork('340000001', numbering)).toBe(false);
    expect(isOwnNetwork('39', numbering)).toBe(false);
  });

  test('grouping, also of a number still being typed', () => {
    expect(groupNational('390000001')).toBe('39 00 000 01');
    expect(groupNational('3900')).toBe('39 00');
    expect(groupNational('8031234567')).toBe('803 123 4567');
    expect(groupNational('390000001', [3, 6])).toBe('390 000001');
    expect(groupNational('')).toBe('');
  });

  test('a masked number shows two digits at each end', () => {
    expect(maskNational('390000001')).toBe('39 •• ••• 01');
    expect(maskNational('8031234567')).toBe('80• ••• ••67');
    expect(maskNational('1234')).toBe('•• ••');
  });

  test('a masked number never shows more than four digits', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{0,15}$/), (digits) => {
        expect(maskNational(digits).replace(/\D/g, '').length).toBeLessThanOrEqual(4);
      }),
    );
  });
});

describe('edge cases of numbers', () => {
  test('a plus sign inside a number does not make it one of another country', () => {
    expect(readNational('39 00 000 01 +', numbering)).toBe('390000001');
  });

  test('all leading zeros are dropped', () => {
    expect(readNational('+261 00390000001', numbering)).toBe('390000001');
  });

  test('without a mobile pattern the country code is recognised only before a complete number', () => {
    const { mobilePattern: _, ...anyMobile } = numbering;
    expect(readNational('261390000', anyMobile)).toBe('261390000');
    expect(readNational('261390000001', anyMobile)).toBe('390000001');
    expect(isMobile('200000001', anyMobile)).toBe(true);
    expect(isMobile('20000000', anyMobile)).toBe(false);
  });

  test('a country code that may also start a mobile number is recognised before a complete number', () => {
    const likeMobile = { ...numbering, countryCode: '39' };
    expect(readNational('39390000001', likeMobile)).toBe('390000001');
    expect(readNational('3939000000', likeMobile)).toBe('393900000');
  });

  test('letters after the digits make it invalid, and each of several prefixes is our own', () => {
    expect(isCompleteNational('39000000x', numbering)).toBe(false);
    expect(isMobile('3900000', numbering)).toBe(false);
    const two = { ...numbering, ownPrefixes: ['38', '39'] };
    expect(['380000001', '390000001', '340000001'].map((one) => isOwnNetwork(one, two))).toEqual([true, true, false]);
  });

  test('only a leading 0 marks the wire form', () => {
    expect(fromWire('0300000001')).toBe('300000001');
  });

  test('no digit of a posted form is dropped', () => {
    expect(readNational('3912000051', numbering)).toBe('391200005');
    expect(readPosted('3912000051', numbering)).toBe('3912000051');
    expect(isCompleteNational(readPosted('3912000051', numbering), numbering)).toBe(false);
    expect(readPosted('+261 39 00 000 01', numbering)).toBe('390000001');
  });

  test('one form where the other is meant does not compile', () => {
    // @ts-expect-error: a wire number is no national one
    expect(toWire('0390000001')).toBe('00390000001');
    // @ts-expect-error: nor the other way round
    expect(fromWire('390000001')).toBe('390000001');
    expect(['0390000001', '390000001', '0', ''].map(isWireNumber)).toEqual([true, false, false, false]);
  });

  test('a number that fits no grouping is shown ungrouped', () => {
    expect(groupNational('80312345')).toBe('80 31 23 45');
    expect(groupNational('390000001', [2, 2])).toBe('39 00 00001');
    expect(groupNational('39000000123')).toBe('39 00 000 01 23');
  });

  test('a short number is masked completely', () => {
    expect(maskNational('123456')).toBe('•• •• ••');
    expect(maskNational('1234567')).toBe('12 •• •67');
  });
});
