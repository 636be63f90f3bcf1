import { loadPack } from '@portal/operators/load-pack.ts';
import { expect, test } from 'vitest';
import { soughtIn } from './printed-text.ts';

const { numbering } = await loadPack('mg');

test.each([
  ['Fanilo: delivered. MGA 5,000 of credit for 0390000311. Thank you. Ref mdnnmb2cm3da', 'mdnnmb2cm3da'],
  ['Fanilo: livré. MGA 5 000 de crédit pour 039 00 003 11. Merci. Réf abcdefghjkmn', 'abcdefghjkmn'],
  [
    'Fanilo: paid. MGA 5,000 for your bill 039 00 003 11. Thank you. Ref mdnnmb2cm3da https://f.example/sw/payment/status?id=mdnnmb2cm3da',
    'mdnnmb2cm3da',
  ],
  [
    'Fanilo: customer care wrote to you about the payment mdnnmb2cm3da, question RQ8Z-27EG. Read it and write back: https://f.example/status?id=n00t15t5zdcakvx3pyx45b03q2',
    'RQ8Z-27EG',
  ],
  ['Your receipt is on the page https://f.example/status?id=n00t15t5zdcakvx3pyx45b03q2', 'n00t15t5zdcakvx3pyx45b03q2'],
  ['You sent MGA 5,000 to Fanilo on 19/11/26. Transaction MPMWMRNLXA3XVL2ERF.', 'MPMWMRNLXA3XVL2ERF'],
  ['123456 is the code to pay MGA 5,000 for 0390000311. Good for 5 minutes.', '0390000311'],
  ['123456 is the code to pay MGA 5 000 for +261 39 00 003 11.', '+261 39 00 003 11'],
  ['the customer wrote from (rasoa@example.mg), please look', 'rasoa@example.mg'],
  ['a sentence that names nothing at all', 'a sentence that names nothing at all'],
  // A reference that was typed, in groups or not, is unchanged.
  ['mdnn mb2c m3da', 'mdnn mb2c m3da'],
  ['+261 39 00 003', '+261 39 00 003'],
  ['Ref mdnnmb2cm3da', 'Ref mdnnmb2cm3da'],
])('in %j it is %j that is looked for', (text, sought) => {
  expect(soughtIn(text, numbering)).toBe(sought);
});
