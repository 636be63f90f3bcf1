import { expect, test } from 'vitest';
import { lettersForeignToSms, travelsBySms } from './sms-text.ts';

test('letters outside the SMS alphabet are named once; placeholders are none', () => {
  expect(lettersForeignToSms('Votre code est {code}. Ne le donnez à personne, même à nous : « forêt ».')).toEqual([
    'ê',
    '«',
    '»',
  ]);
  expect(lettersForeignToSms('{brand}: à è é ù ì ò, 100% & ñ\n')).toEqual([]);
  expect(lettersForeignToSms('{ code } 😀')).toEqual(['{', '}', '😀']);
});

test('notices and the reasons in them go by SMS, other words do not', () => {
  expect(['notices.code', 'reasons.declined', 'status.title', 'noticesx.code'].map(travelsBySms)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
