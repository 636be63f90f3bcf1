import { randomBytes } from 'node:crypto';
import { type CallName, callPath } from '@portal/contract/calls.ts';
import { standardBudgets } from '@portal/domain/budgets.ts';
import { proofLifeSeconds } from '@portal/domain/verification/lifetimes.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PhoneClient } from '../../../sandbox/src/phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts';
import { type TestPortal, testPortal } from '../testing/portal.ts';
import { visitCookie } from '../testing/visit-cookie.ts';

const owner = '0390000002';
const account = '1000000002';
const owed = { totalOutstanding: 45_250.4, amountDue: 45_251, isRoundedUp: true, currency: 'MGA', accountNo: account };

let sandbox: Sandbox;
let phone: PhoneClient;
let running: TestPortal;
let time = Date.now();
let visit: string;

beforeAll(async () => {
  sandbox = await startSandbox({ approveAfterMs: 50 });
  phone = new PhoneClient(sandbox.http);
  running = await testPortal(sandbox, {}, () => new Date(time));
});
afterAll(async () => {
  await running.stop();
  await sandbox.stop();
});
// Far enough ahead that every budget of the previous test has expired.
beforeEach(async () => {
  await phone.post('/reset');
  time += 25 * 3_600_000;
  visit = randomBytes(16).toString('base64url');
});

async function ask(name: CallName, payload: object) {
  const answer = await running.portal.http.inject({
    method: 'POST',
    url: callPath(name, { slug: 'fanilo' }),
    payload,
    headers: { cookie: visitCookie(visit) },
  });
  const { statusCode: code, result, message, error } = answer.json();
  return { http: answer.statusCode, code, result, message, error, text: answer.body };
}

const bill = (msisdn: string, uniqueCode: string) => ask('bill', { data: { msisdn, uniqueCode } });
const match = (msisdn: string, accountNo: string) => ask('validateAccount', { data: { msisdn, accountNo } });

async function lastCode(number: string): Promise<string> {
  const [message] = await phone.messages(number.slice(1));
  return /\d{6}/.exec(message?.text ?? '')?.[0] ?? '';
}

/** A proof for a bill, as the owner gets it. */
async function proofOf(msisdn: string): Promise<string> {
  const sent = await ask('sendInvoiceCode', { data: { text: msisdn, otpAction: 'INVOICE' } });
  const { otpId } = sent.result;
  const verified = await ask('verifyInvoiceCode', { data: { otpId, otp: await lastCode(msisdn) } });
  return verified.result.uniqueCode;
}

describe('POS-7 the amount outstanding', () => {
  test('is returned to a client that proved the line by a code, exact and as it can be paid', async () => {
    const answer = await bill(owner, await proofOf(owner));
    expect(answer.result).toEqual(owed);
  });

  test('is returned to a client that knows the account number', async () => {
    const { result } = await match(owner, account);
    expect((await bill(owner, result.uniqueCode)).result).toEqual(owed);
  });

  test('is not returned without a proof, or with an invalid one', async () => {
    expect(await ask('bill', { data: { msisdn: owner } })).toMatchObject({ http: 422, code: 'MALFORMED' });
    for (const uniqueCode of ['0', 'x'.repeat(32), 'a'.repeat(128)]) {
      const answer = await bill(owner, uniqueCode);
      expect(answer).toMatchObject({ http: 401, code: 'NOT_VERIFIED', result: null });
      expect(answer.text).not.toMatch(/45.?250|45.?251|1000000002/);
    }
  });

  test('is not returned with the proof of another number', async () => {
    const theirs = await proofOf('0390000003');
    expect(await bill(owner, theirs)).toMatchObject({ http: 401, code: 'NOT_VERIFIED' });
    expect((await bill('0390000003', theirs)).result).toMatchObject({ amountDue: 12_000, isRoundedUp: false });
  });

  test('is not returned with a proof for another purpose', async () => {
    const sent = await ask('sendCode', { data: { msisdn: owner } });
    const { refId } = sent.result;
    const { result } = await ask('verifyCode', { data: { refId, otp: await lastCode(owner) } });
    expect(result.uniqueCode).toEqual(expect.any(String));
    expect(await bill(owner, result.uniqueCode)).toMatchObject({ http: 401, code: 'NOT_VERIFIED' });
  });

  test('is not returned after the proof expired', async () => {
    const proof = await proofOf(owner);
    time += (proofLifeSeconds - 1) * 1000;
    expect((await bill(owner, proof)).http).toBe(200);
    time += 1000;
    expect(await bill(owner, proof)).toMatchObject({ http: 401, code: 'NOT_VERIFIED' });
  });

  test('a code that was sent to another browser proves nothing here', async () => {
    const { result } = await ask('sendInvoiceCode', { data: { text: owner, otpAction: 'INVOICE' } });
    visit = randomBytes(16).toString('base64url');
    const answer = await ask('verifyInvoiceCode', { data: { otpId: result.otpId, otp: await lastCode(owner) } });
    expect(answer).toMatchObject({ http: 401, code: 2003 });
  });
});

describe('POS-4 the account number', () => {
  test('the messages of 60119 and 60005, the latter for an invalid account number', async () => {
    expect(await match('0390000014', account)).toMatchObject({
      http: 404,
      code: 60119,
      message: 'The account number does not match this mobile number.',
    });
    expect(await match(owner, '9999999999')).toMatchObject({
      http: 404,
      code: 60005,
      message: 'This account does not exist.',
    });
  });

  test('SEC-2 five wrong guesses an hour for a line, whoever guesses; then even the right one is refused', async () => {
    for (let guess = 0; guess < standardBudgets.accountGuess.most; guess++) {
      visit = randomBytes(16).toString('base64url');
      expect((await match(owner, `100000010${guess}`)).code).toBe(60119);
    }
    expect(await match(owner, account)).toMatchObject({ http: 429, code: 2002, error: { attemptsLeft: 0 } });
    // Other lines are not affected, and an hour later neither is this one.
    expect((await match('0390000003', '1000000003')).http).toBe(200);
    // The window of an hour has six parts, so it has passed after seven of them at the latest.
    time += 4_200_000;
    expect((await match(owner, account)).http).toBe(200);
  });

  test('a right account number does not count as a guess', async () => {
    for (let round = 0; round < standardBudgets.accountGuess.most + 2; round++)
      expect((await match(owner, account)).http).toBe(200);
  });

  test('a timeout of the billing system is reported, and does not count as a guess', async () => {
    await phone.fault({ provider: 'billing', fault: 'error500', operation: '*' });
    for (let guess = 0; guess < standardBudgets.accountGuess.most + 1; guess++)
      expect((await match(owner, account)).code).toBe('UPSTREAM_TIMEOUT');
    await phone.clearFaults();
    expect((await match(owner, account)).http).toBe(200);
  });
});

describe('SEC-2 existing and unknown lines and accounts get the same response', () => {
  const lines = { postpaid: owner, prepaid: '0390000001', ours: '0390012345', nobodys: '0390000009' };
  const alike = async (answer: (number: string) => Promise<{ http: number; code: unknown; result: object | null }>) => {
    const shapes = new Set<string>();
    for (const number of Object.values(lines)) {
      const { http, code, result } = await answer(number);
      shapes.add(JSON.stringify([http, code, Object.entries(result ?? {}).map(([key, value]) => [key, value.length])]));
    }
    return [...shapes];
  };

  test('when sending a code, by either call', async () => {
    expect(await alike((text) => ask('sendInvoiceCode', { data: { text, otpAction: 'INVOICE' } }))).toHaveLength(1);
    time += 3_600_000;
    expect(await alike((msisdn) => ask('sendCode', { data: { msisdn } }))).toHaveLength(1);
  });

  test('when matching an account that is not the line’s', async () => {
    const refused = [JSON.stringify([404, 60119, []])];
    // The account of another line, one that the billing system does not find, and one that it reports as unknown.
    for (const accountNo of ['1000000003', '1000000109', '9999999901'])
      expect(await alike((msisdn) => match(msisdn, accountNo))).toEqual(refused);
  });
});

describe('POS-2 the check of a hybrid line', () => {
  const check = (msisdn: string) => ask('lineType', { msisdn, requestType: 'HYBRID_POSTPAID_CHECK' });

  test('accepts lines that have a bill, and refuses a prepaid one', async () => {
    expect((await check('0390000003')).result).toBe('HYBRID');
    expect((await check(owner)).result).toBe('POSTPAID');
    expect(await check('0390000001')).toMatchObject({ http: 409, code: 'LINE_NOT_ELIGIBLE' });
    expect(await check('0390000009')).toMatchObject({ http: 404, code: 'LINE_UNKNOWN' });
  });

  test('reports that the billing system cannot be reached', async () => {
    await phone.fault({ provider: 'billing', fault: 'error500', operation: '*' });
    expect(await check('0390000003')).toMatchObject({ http: 504, code: 'UPSTREAM_TIMEOUT' });
    await phone.clearFaults();
  });
});

describe('FIX-4 SEC-2 open invoices', () => {
  const open = (accountNo: string, contactPersonEmailId: string) =>
    ask('openInvoices', { accountNo, contactPersonEmailId });

  test('give the same response for no invoices, no account, and a wrong email', async () => {
    const answers = [
      await open('EB1000000002', 'vide@example.mg'),
      await open('PA1000000001', 'vide@example.mg'),
      await open('EB1000000002', 'client@example.mg'),
      await open('PZ9999999999', 'client@example.mg'),
    ];
    for (const { http, text } of answers) expect({ http, text }).toEqual({ http: 200, text: answers[0]?.text });
    expect(answers[0]?.result).toEqual({ response: { invoices: [] } });
  });

  test('are all returned to the owner, with or without capital letters in the email', async () => {
    for (const email of ['client@example.mg', 'Client@Example.mg']) {
      const { result } = await open('PA1000000001', email);
      expect(result.response).toMatchObject({ lineNumber: '0390000005', contactPersonMsisdn: '39 •• ••• 01' });
      expect(result.response.invoices.map((one: { invoiceStatus: string }) => one.invoiceStatus)).toEqual([
        'DUE',
        'OVERDUE',
        'PAID',
      ]);
      expect(result.response.invoices[0]).toMatchObject({ outstandingAmount: 94_500.5, amountDue: 94_501 });
    }
  });
});
