import { expect, test } from 'vitest';
import { lettersForeignToSms, toSmsText, travelsBySms, withWordIfFree } from './sms-text.ts';

test('letters outside the SMS alphabet are listed once; placeholders are ignored', () => {
  expect(lettersForeignToSms('Votre code est {code}. Ne le donnez à personne, même à nous : « forêt ».')).toEqual([
    'ê',
    '«',
    '»',
  ]);
  expect(lettersForeignToSms('{brand}: à è é ù ì ò, 100% & ñ\n')).toEqual([]);
  expect(lettersForeignToSms('{ code } 😀')).toEqual(['{', '}', '😀']);
});

test('notices and the reasons in them are sent by SMS, other texts are not', () => {
  expect(['notices.code', 'reasons.declined', 'status.title', 'noticesx.code'].map(travelsBySms)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('narrow spaces, printed apostrophes and the dots of a masked number become signs of the SMS alphabet', () => {
  expect(toSmsText('L’argent n’est pas parti\u202f: ')).toBe("L'argent n'est pas parti :");
  expect(lettersForeignToSms('L’argent\u202f: forêt')).toEqual(['ê']);
  expect(toSmsText('MGA 5\u202f000  for 39\u00a0•• ••• 01 ')).toBe('MGA 5 000 for 39 ** *** 01');
  expect(lettersForeignToSms(toSmsText('5\u202f000 • 39'))).toEqual([]);
});

test('what others wrote loses accents and printed signs that would double the price of the message', () => {
  expect(toSmsText('100 Mo, Europe et îles — “cœur” …')).toBe('100 Mo, Europe et iles - "coeur" ...');
  expect(toSmsText('déjà crédité à Ñandú')).toBe('déjà crédité à Ñandu');
  expect(toSmsText('5 € 😀 Київ')).toBe('5 € 😀 Київ');
});

test('a key that merely contains such a word is not sent by SMS', () => {
  expect(travelsBySms('page.notices.code')).toBe(false);
});

test('a word is added to a message only where it takes no further part', () => {
  const added = (text: string, word: string) => withWordIfFree(text, word) === `${text} ${word}`;
  expect(added('a'.repeat(150), 'b'.repeat(9))).toBe(true);
  expect(added('a'.repeat(150), 'b'.repeat(10))).toBe(false);
  // A character that counts twice.
  expect(added(`${'a'.repeat(149)}€`, 'b'.repeat(9))).toBe(false);
  // Two parts hold 153 characters each.
  expect(added('a'.repeat(161), 'b'.repeat(144))).toBe(true);
  expect(added('a'.repeat(161), 'b'.repeat(145))).toBe(false);
  // One character outside the alphabet leaves room for 70, then 67 a part.
  expect(added(`ê${'a'.repeat(59)}`, 'b'.repeat(9))).toBe(true);
  expect(added(`ê${'a'.repeat(59)}`, 'b'.repeat(10))).toBe(false);
  expect(added(`ê${'a'.repeat(70)}`, 'b'.repeat(62))).toBe(true);
  expect(added(`ê${'a'.repeat(70)}`, 'b'.repeat(63))).toBe(false);
  expect(added(`ê${'a'.repeat(150)}`, 'b'.repeat(12))).toBe(false);
});
