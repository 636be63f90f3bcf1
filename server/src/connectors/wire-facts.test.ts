import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readMatch, readPayment } from './billing/messages.ts';
import { readRefund as cardRefund, readStart as cardStart, readVerification } from './card-checkout/messages.ts';
import { readAction } from './charging/messages.ts';
import { readOrder } from './crm/messages.ts';
import type { HttpAnswer } from './http-client.ts';
import { isTokenRefused, readPullPage, readPush, readQuery, readReversal } from './mpesa/messages.ts';
import { readRefund as orangeRefund, readStart as orangeStart, readStatus } from './orange-money/messages.ts';
import {
  readEnquiry as paystackEnquiry,
  readRefund as paystackRefund,
  readStart as paystackStart,
} from './paystack/messages.ts';
import { readCheck } from './sim-swap/messages.ts';
import * as smartcash from './smartcash/messages.ts';
import * as wallet from './wallet/messages.ts';
import { wireFacts } from './wire-facts.list.ts';

const reference = 'ref1';
const checkoutOrigins = ['https://checkout.example'];
const mga = () => 0;
const hundredths = { transaction: '4099260516', hundredths: 500_000 };

/** How each connector reads each kind of response; the examples go through the functions that read live ones. */
const readers: Record<string, Record<string, (answer: HttpAnswer) => unknown>> = {
  wallet: {
    start: (answer) => wallet.readStart(answer, { codes: {}, isDecided: false }),
    enquire: (answer) => wallet.readEnquiry(answer, { reference, codes: {}, statesAmount: false, digitsOf: mga }),
    refund: wallet.readRefund,
    list: (answer) => wallet.readStatementPage(answer, mga),
  },
  mpesa: {
    start: readPush,
    enquire: (answer) => readQuery(answer, { checkoutRequestId: 'ws_CO_1' }),
    refund: readReversal,
    list: (answer) => readPullPage(answer, 0),
    token: (answer) => ({ isRefused: isTokenRefused(answer) }),
  },
  smartcash: {
    start: (answer) => smartcash.readStart(answer, { reference, codes: smartcash.defaultCodes }),
    enquire: (answer) => smartcash.readEnquiry(answer, { reference, codes: smartcash.defaultCodes }),
    refund: (answer) => smartcash.readRefund(answer, { reference, codes: smartcash.defaultCodes }),
    user: (answer) => ({
      answer: smartcash.readUser(answer, { number: '390000001', codes: smartcash.defaultCodes }),
    }),
  },
  paystack: {
    start: (answer) => paystackStart(answer, { reference }),
    enquire: (answer) =>
      paystackEnquiry(answer, {
        ...{ reference, mode: 'test', fromHundredths: (amount: number) => amount },
        now: Date.parse('2026-03-02T09:00:00Z'),
      }),
    refund: (answer) => paystackRefund(answer, hundredths),
  },
  'card-checkout': {
    start: (answer) => cardStart(answer, { checkoutOrigins }),
    enquire: (answer) => readVerification(answer, { reference, digits: 0 }),
    refund: (answer) => cardRefund(answer, { transaction: '288200108', amount: 5_000, digits: 0 }),
  },
  'orange-money': {
    start: (answer) => orangeStart(answer, { checkoutOrigins }),
    enquire: (answer) => readStatus(answer, { reference, payToken: 'v1' }),
    refund: (answer) => orangeRefund(answer, { reference }),
  },
  charging: { action: readAction },
  billing: {
    payment: readPayment,
    match: (answer) => readMatch(answer, { msisdn: '0390000001', accountNo: 'PA1000000001' }),
  },
  crm: { order: readOrder },
  'sim-swap': { check: readCheck },
  sms: {},
};

describe.each(Object.entries(wireFacts))('%s', (folder, facts) => {
  test.each(
    facts.examples.map((example) => [example.call, JSON.stringify(example.json).slice(0, 90), example] as const),
  )('REL-17 an example of %s is read as its page says: %s', (call, _json, { status, json, reads }) => {
    const read = readers[folder]?.[call];
    expect(read?.({ kind: 'answer', status, json })).toEqual(reads);
  });

  test('REL-17 every code is marked documented or believed, has a source, and an example', () => {
    const shown = JSON.stringify(facts.examples.map(({ json }) => json));
    for (const { code, certainty, source, read } of facts.codes) {
      expect(['documented', 'believed']).toContain(certainty);
      expect(facts.sources[source], code).toBeDefined();
      expect(read).not.toBe('');
      expect(shown).toContain(code);
    }
    for (const { source } of facts.facts) expect(facts.sources[source]).toBeDefined();
  });

  test('REL-17 every believed fact says what happens if it is wrong', () => {
    for (const { fact, certainty, ifWrong } of facts.facts)
      if (certainty === 'believed') expect(ifWrong, fact).toBeDefined();
  });

  test('REL-17 every code that the connector handles is on its page', () => {
    const messages = folder === 'sms' ? '' : readFileSync(new URL(`${folder}/messages.ts`, import.meta.url), 'utf8');
    const known = facts.codes.map(({ code }) => code);
    expect(codesIn(messages).filter((code) => !known.includes(code))).toEqual([]);
  });
});

/** Provider codes in the source: keys or literals in a case or table that have digits or only capitals. */
function codesIn(source: string): string[] {
  const quoted = [...source.matchAll(/(?:case |^ {2})'?([A-Z0-9][A-Z0-9.]{1,})'?:/gm)].map(([, code]) => code ?? '');
  const named = [...source.matchAll(/= \[?'([A-Z]*\d[A-Z0-9.]{2,})'/gm)].map(([, code]) => code ?? '');
  return [...quoted, ...named].filter((code) => code !== '');
}
