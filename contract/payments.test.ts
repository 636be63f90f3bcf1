import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { contract } from './contract.ts';
import { initiationBody, processBody } from './payment-payloads.ts';
import { transactionResult } from './transaction.ts';

const properties = (schema: z.ZodType, io: 'input' | 'output') =>
  Object.keys(z.toJSONSchema(schema, { io }).properties ?? {});

const initiation = {
  amount: '5000',
  mobileNumber: '0390000001',
  transactionType: 'PREPAID_RECHARGE',
  paymentMode: 'MPESA',
};

describe('payloads', () => {
  test('initiation has every field of the specification', () => {
    expect(properties(initiationBody, 'input')).toEqual(
      expect.arrayContaining([
        'paymentMobile',
        'amount',
        'countryCode',
        'currencyCode',
        'emailId',
        'mobileNumber',
        'productCode',
        'paymentGateway',
        'transactionType',
        'unit',
        'loggedInNumber',
        'accountId',
        'accountType',
        'invoiceNumber',
        'paymentMode',
        'txnId',
        'uniqueCode',
      ]),
    );
  });

  test('process has every field of the specification, with the spelling of the wire', () => {
    expect(properties(processBody, 'input')).toEqual(
      expect.arrayContaining([
        'transactionId',
        'isSubscriberRequest',
        'paymentGateway',
        'paymentMode',
        'proccessFlag',
        'accountId',
        'accountType',
        'paymentMobile',
        'amPin',
      ]),
    );
  });

  test('a status has every field of the specification and the state of the money', () => {
    expect(properties(transactionResult, 'output')).toEqual(
      expect.arrayContaining([
        'status',
        'transactionStatus',
        'transactionId',
        'refTransactionId',
        'transactionType',
        'paymentMode',
        'paymentGateway',
        'mobileNumber',
        'msisdn',
        'currencyCode',
        'amount',
        'accountId',
        'invoiceNumber',
        'bundleDescription',
        'statusReason',
        'metaInfo',
        'moneyState',
        'timeline',
        'refund',
        'reference',
        'final',
        'nextPollSeconds',
      ]),
    );
  });
});

describe('initiation', () => {
  test('accepts the amount as digits or as an integer and returns an integer', () => {
    expect(initiationBody.parse(initiation).amount).toBe(5000);
    expect(initiationBody.parse({ ...initiation, amount: 5000 }).amount).toBe(5000);
  });

  test.each([12.5, -1, 1e13, '12.5', '', '1e3', ' 5', null, Number.NaN])('refuses the amount %j', (amount) => {
    expect(initiationBody.safeParse({ ...initiation, amount }).success).toBe(false);
  });

  test('accepts empty values for what a flow does not have, and drops unknown fields', () => {
    const parsed = initiationBody.parse({ ...initiation, emailId: '', invoiceNumber: '', uniqueCode: '', stray: 1 });
    expect(parsed).not.toHaveProperty('stray');
  });

  test('names the field at fault', () => {
    const { error } = initiationBody.safeParse({ ...initiation, mobileNumber: '390000001' });
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(['mobileNumber']);
  });

  test('requires a number unless an invoice is paid', () => {
    const unnumbered = { ...initiation, mobileNumber: '' };
    expect(initiationBody.safeParse(unnumbered).success).toBe(false);
    const invoice = { ...unnumbered, transactionType: 'POSTPAID_BILL', invoiceNumber: 'INV-1' };
    expect(initiationBody.safeParse(invoice).success).toBe(true);
  });
});

test('a PIN or six digits in plain text are never accepted as the encrypted PIN', () => {
  for (const amPin of ['1234', '123456', 'a'.repeat(100)]) {
    expect(processBody.safeParse({ transactionId: 'abc', amPin }).success).toBe(false);
  }
  expect(processBody.safeParse({ transactionId: 'abc', amPin: 'QUJD'.repeat(128) }).success).toBe(true);
});

test('process accepts an idempotency key and ignores other headers', () => {
  const headers = { 'idempotency-key': 'attempt-0001', host: 'portal' };
  expect(contract.initiate.headers.parse(headers)).toEqual(headers);
  expect(contract.initiate.headers.safeParse({ 'idempotency-key': 'short' }).success).toBe(false);
  expect(contract.authProcess.headers.safeParse(headers).success).toBe(false);
  expect(contract.authProcess.headers.safeParse({ ...headers, authorization: 'Bearer abc' }).success).toBe(true);
});

test('an analytics event has no field for a number or an address', () => {
  const event = { event: 'success', page_name: '261_prepaid_recharge', flow: 'recharge' };
  const { body } = contract.recordEvent;
  expect(body.safeParse(event).success).toBe(true);
  expect(body.safeParse({ ...event, msisdn: '0390000001' }).success).toBe(false);
  expect(body.safeParse({ ...event, page_name: '0390000001' }).success).toBe(false);
  expect(body.safeParse({ ...event, outcome: 'client@example.mg' }).success).toBe(false);
});
