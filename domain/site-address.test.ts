import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodePath, isSitePath } from './site-address.ts';

const site = 'https://portal.example';
/** Pieces that confuse browsers, proxies and decoders, in any order. */
const piece = fc.constantFrom(
  '/',
  '\\',
  '\t',
  '\n',
  '\r',
  '\0',
  ' ',
  '.',
  '..',
  '@',
  ':',
  ';',
  '?',
  '#',
  '%2f',
  '%5c',
  'evil.example',
  'sw',
  'é',
  '€',
  '😀',
  '／',
  'https:',
  'javascript:',
);
const path = fc.array(piece, { maxLength: 8 }).map((pieces) => `/${pieces.join('')}`);

describe('SEC-20 a path of this site', () => {
  test('never resolves to another host, nor does any path below it', () => {
    fc.assert(
      fc.property(path, (given) => {
        fc.pre(isSitePath(given));
        const rests = [...given.matchAll(/\//g)].map(({ index }) => given.slice(index));
        for (const rest of rests) {
          expect(new URL(rest, site).origin).toBe(site);
          expect(new URL(encodePath(rest), site).origin).toBe(site);
        }
      }),
      { numRuns: 20_000 },
    );
  });

  test('is encoded in ASCII, stays one path and decodes to the same', () => {
    fc.assert(
      fc.property(path, (given) => {
        const spelt = encodePath(given);
        expect(spelt).toMatch(/^[\x21-\x7e]+$/);
        expect(spelt).not.toMatch(/[?#\\]/);
        expect(decodeURIComponent(spelt)).toBe(given);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    '/',
    '/about',
    '/gethelp/recharge/amounts',
    '/store_finder/a_shop',
    '/x€',
    '/@evil.example',
    '/.evil.example',
  ])('%s is one', (given) => expect(isSitePath(given)).toBe(true));

  test.each([
    '',
    'about',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/sw//evil.example',
    '/a\r\nb',
    'https://evil.example',
    'javascript:alert(1)',
    '/\u0085/evil.example',
  ])('%j is none', (given) => expect(isSitePath(given)).toBe(false));

  test('a lone surrogate, which cannot be encoded, does not throw', () => {
    expect(encodePath('/\ud800')).toBe('/%EF%BF%BD');
  });
});
