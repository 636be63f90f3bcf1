import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editDistance, foldName, likeSound, prefixDistance } from './place-name-match.ts';

describe('a normalised name', () => {
  test.each([
    ['Tôlanaro', 'tolanaro'],
    ['FORT-DAUPHIN', 'fort dauphin'],
    ["Nosy  Be's", 'nosy be s'],
    ['  Ihosy!! ', 'ihosy'],
    ['Ste-Marie', 'sainte marie'],
    ['St. Augustin', 'saint augustin'],
    ['Antsirabe 110', 'antsirabe 110'],
    ['East Town', 'east town'],
    ['!?', ''],
  ])('%j is %j', (written, compared) => {
    expect(foldName(written)).toBe(compared);
  });
});

describe('spellings with the same sound are equal', () => {
  test.each([
    ['toulouse', 'tolose'],
    ['ihosy', 'ihosi'],
    ['dauphin', 'daufin'],
    ['quito', 'kito'],
    ['qatar', 'katar'],
    ['cala', 'kala'],
    ['coco', 'koko'],
    ['cuba', 'kuba'],
    ['cilaos', 'cilaos'],
    ['toamassina', 'toamasina'],
    ['sambavaaa', 'sambava'],
  ])('%s sounds as %s', (written, said) => {
    expect(likeSound(written)).toBe(said);
  });
});

describe('typos', () => {
  test.each([
    ['same', 'same', 0],
    ['a letter wrong', 'a lettre wrong', 1],
    ['tana', 'tina', 1],
    ['tana', 'tna', 1],
    ['tana', 'taana', 1],
    ['tana', 'atna', 1],
    ['abcdef', 'badcfe', 3],
    ['kitten', 'sitting', 3],
    ['', 'abc', 3],
    ['abc', '', 3],
    ['', '', 0],
  ])('%j and %j differ by: %i', (one, other, errors) => {
    expect(editDistance(one, other, 3)).toBe(errors);
    expect(editDistance(other, one, 3)).toBe(errors);
  });

  test('above the limit give Infinity, of whatever kind', () => {
    expect(editDistance('tana', 'tina', 0)).toBe(Number.POSITIVE_INFINITY);
    expect(editDistance('kitten', 'sitting', 2)).toBe(Number.POSITIVE_INFINITY);
    expect(editDistance('abcdef', 'uvwxyz', 3)).toBe(Number.POSITIVE_INFINITY);
    expect(editDistance('a', 'abcd', 2)).toBe(Number.POSITIVE_INFINITY);
    expect(editDistance('ab', 'abcd', 2)).toBe(2);
    expect(editDistance('xaybzc', 'abc', 3)).toBe(3);
  });

  /** The textbook algorithm, without a limit. */
  function plainDistance(one: string, other: string): number {
    const table = Array.from({ length: one.length + 1 }, (_, i) =>
      Array.from({ length: other.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
    );
    const at = (i: number, j: number) => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
    for (let i = 1; i <= one.length; i += 1)
      for (let j = 1; j <= other.length; j += 1) {
        const exchanged = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1] && i > 1 && j > 1;
        (table[i] as number[])[j] = Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + Number(one[i - 1] !== other[j - 1]),
          exchanged ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
        );
      }
    return at(one.length, other.length);
  }
  const words = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });

  test('are counted as by the textbook, up to the limit', () => {
    fc.assert(
      fc.property(words, words, fc.integer({ min: 0, max: 4 }), (one, other, most) => {
        const whole = plainDistance(one, other);
        expect(editDistance(one, other, most)).toBe(whole <= most ? whole : Number.POSITIVE_INFINITY);
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  test('in a prefix are counted against the nearest prefix of the name', () => {
    expect(prefixDistance('anta', 'antananarivo', 1)).toBe(0);
    expect(prefixDistance('atna', 'antananarivo', 1)).toBe(1);
    expect(prefixDistance('anxta', 'antananarivo', 1)).toBe(1);
    expect(prefixDistance('nta', 'antananarivo', 1)).toBe(1);
    expect(prefixDistance('xyz', 'antananarivo', 1)).toBe(Number.POSITIVE_INFINITY);
    expect(prefixDistance('tanaq', 'tana', 1)).toBe(1);
    expect(prefixDistance('tanaqq', 'tana', 1)).toBe(Number.POSITIVE_INFINITY);
    fc.assert(
      fc.property(words, words, fc.integer({ min: 0, max: 2 }), (typed, name, most) => {
        const beginnings = Array.from({ length: name.length + 1 }, (_, length) => name.slice(0, length));
        const nearest = Math.min(...beginnings.map((beginning) => plainDistance(typed, beginning)));
        const found = prefixDistance(typed, name, most);
        expect(found <= most ? found : Number.POSITIVE_INFINITY).toBe(
          nearest <= most ? nearest : Number.POSITIVE_INFINITY,
        );
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});
