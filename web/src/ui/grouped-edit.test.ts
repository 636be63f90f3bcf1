import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { caretBehind, editGrouped } from './grouped-edit.ts';

const read = (text: string) => {
  const digits = text.replace(/\D/g, '');
  const national = text.trim().startsWith('+999') ? digits.slice(3) : digits.replace(/^0/, '');
  return national.slice(0, 9);
};
const group = (digits: string) =>
  [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 7), digits.slice(7)].filter(Boolean).join(' ');

function edit(previous: string, marked: string, forwards = false) {
  const { digits, before } = editGrouped(previous, marked.replace('|', ''), marked.indexOf('|'), read, forwards);
  const text = group(digits);
  const caret = caretBehind(text, before);
  return `${text.slice(0, caret)}|${text.slice(caret)}`;
}

describe('editing a grouped number', () => {
  test('the caret stays at the end while typing on', () => {
    expect(edit('39', '390|')).toBe('39 0|');
    expect(edit('39 00 000 0', '39 00 000 01|')).toBe('39 00 000 01|');
  });

  test('a digit typed in the middle keeps the caret behind it', () => {
    expect(edit('39 00 01', '395| 00 01')).toBe('39 5|0 001');
  });

  test('digits past the end are dropped', () => {
    expect(edit('39 00 000 01', '39 00 000 012|')).toBe('39 00 000 01|');
  });

  test('a full number refuses a digit that would push out its last one', () => {
    expect(edit('39 00 000 01', '3|39 00 000 01')).toBe('|39 00 000 01');
    expect(edit('39 00 000 01', '39 003| 000 01')).toBe('39 00| 000 01');
    expect(edit('39 00 000 00', '39 00 005|0 00')).toBe('39 00 00|0 00');
    expect(edit('39 00 000 01', '3912| 00 000 01')).toBe('39| 00 000 01');
  });

  test('of a text that fits in part, the first digits are inserted', () => {
    expect(edit('39 00 000', '39 1234| 00 000')).toBe('39 12| 000 00');
  });

  test('a selection in a full number is replaced', () => {
    expect(edit('39 00 000 01', '39 7| 01')).toBe('39 7|0 1');
    expect(edit('39 00 000 01', '3|')).toBe('3|');
  });

  test('a whole number replaces the one it was pasted into', () => {
    for (const whole of ['390000007', '0390000007', '+999 39 00 000 07', '39 00 000 07'])
      for (const marked of [`${whole}|39 00 000 01`, `39 0${whole}|0 000 01`, `39 00 000 01${whole}|`])
        expect(edit('39 00 000 01', marked), marked).toBe('39 00 000 07|');
    expect(edit('39 00', '39 00+999 39 00 000 07|')).toBe('39 00 000 07|');
  });

  test('deleting a separator deletes the digit beside it', () => {
    expect(edit('39 00 000', '39|00 000')).toBe('3|0 00 00');
    expect(edit('39 00 000', '39|00 000', true)).toBe('39| 00 00');
  });

  test('deleting a digit deletes only that', () => {
    expect(edit('39 00 000', '3| 00 000')).toBe('3|0 00 00');
  });

  test('a pasted international number loses its country code, the caret stays at its end', () => {
    expect(edit('', '+999 39 00 000 01|')).toBe('39 00 000 01|');
    expect(edit('', '039 00 000 01|')).toBe('39 00 000 01|');
  });

  test('pasting the same number with its leading zero loses no digit', () => {
    expect(edit('390 000 001', '0390000001|')).toBe('39 00 000 01|');
  });

  test('letters change nothing', () => {
    expect(edit('39 0', '39 0x|')).toBe('39 0|');
  });

  test('a digit typed anywhere into a full number never makes another one', () => {
    const full = fc.stringMatching(/^[1-9]\d{8}$/);
    fc.assert(
      fc.property(full, fc.stringMatching(/^\d$/), fc.nat(12), (digits, typed, at) => {
        const text = group(digits);
        const marked = `${text.slice(0, at)}${typed}|${text.slice(at)}`;
        expect(edit(text, marked).replace(/\D/g, '')).toBe(digits);
      }),
    );
  });

  test('after any edit the caret is within the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(), fc.boolean(), (previous, text, at, forwards) => {
        const { digits, before } = editGrouped(previous, text, at % (text.length + 1), read, forwards);
        expect(before).toBeGreaterThanOrEqual(0);
        expect(before).toBeLessThanOrEqual(digits.length);
        const caret = caretBehind(group(digits), before);
        expect(group(digits).slice(0, caret).replace(/\D/g, '')).toHaveLength(before);
      }),
    );
  });
});
