import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRow, oneLine, printable, saysSomething } from './printable.ts';

test('SEC-22 any text becomes one printable line, and an ordinary one is unchanged', () => {
  for (const honest of ['Lova Rabe', 'Lot II 12 «Analakely»', "Ranaivo d'Ambohidratrimo", '𝒜 50 % 😀', 'MGA 1 000'])
    expect(oneLine(honest)).toBe(honest);
  expect(oneLine('WEB\r\nServed there: yes')).toBe('WEB Served there: yes');
  expect(oneLine(' a\u2028b\u2029c\u0085d\ve\ff ')).toBe('a b c d e f');
  expect(oneLine('pay \u202e0001\u202c\u2066x\u2069')).toBe('pay 0001 x');
  expect(oneLine('\u001b[2J\u009b31mred\u0007\u200b\ufeff\u00ad\u{e0041}')).toBe('[2J 31mred');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = oneLine(text);
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(oneLine(line)).toBe(line);
      expect([...printable(text)]).toHaveLength([...text].length);
    }),
  );
});

test('SEC-22 a row for a spreadsheet has as many cells as were given, and none is a formula', () => {
  expect(csvRow(['a', 'b "c"', '=1+1', '@x', '-2', '＝x', 'd\n"e",f', -18.9, true, null])).toBe(
    `"a","b ""c""","'=1+1","'@x","'-2","'＝x","d ""e"",f",-18.9,true,`,
  );
});

test('invisible characters count as empty, however many there are', () => {
  for (const text of ['\u200b'.repeat(12), '\u2800'.repeat(12), '\u3164'.repeat(12), '...', ' a b'])
    expect(saysSomething(text)).toBe(false);
  for (const text of ['the customer asks', 'été', '123']) expect(saysSomething(text)).toBe(true);
});
