import { describe, expect, test } from 'vitest';
import type { WalletUsers } from '../connectors/ports.ts';
import { caller, language, payBy, visit, visits } from '../testing/handlers.ts';
import { otpHandlers } from './otp.routes.ts';
import type { Otp, Proved } from './otp.service.ts';

const number = '0390000001';
const named = { digest: 'digest', amount: 5_000, currency: 'XTS', payee: '39 00 000 02' };
const methods = [
  payBy('AIRTIME', 'AIRTIME', 'airtime'),
  payBy('AM', 'BRAND_MONEY', 'wallet'),
  payBy('SMARTCASH_SECURE', 'SMARTCASH_SECURE', 'smart'),
  payBy('PG', 'PAYMENT_GATEWAY', 'wallet'),
  payBy('AM', 'OTHER_MONEY', 'nowhere'),
];

/** The handlers over services that record their arguments. */
function routes({
  proves = {} as Partial<Proved>,
  wallet = 'yes' as Awaited<ReturnType<WalletUsers['hasWallet']>>,
} = {}) {
  const asked: Record<string, unknown[]> = {};
  const note = (name: string, ...args: unknown[]) => {
    asked[name] = [...(asked[name] ?? []), ...args];
  };
  const proved: Proved = { purpose: 'NUMBER', subject: number, visit: 'visit', payment: null, ...proves };
  const answering =
    <Answer>(name: string, answer: Answer) =>
    (...args: unknown[]) => {
      note(name, ...args);
      return answer;
    };
  const otp = {
    send: answering('send', 'new id'),
    resend: answering('resend', 'same id'),
    verify: answering('verify', proved),
    issueProof: answering('issueProof', 'unique'),
    issueToken: answering('issueToken', { tokenType: 'Bearer', accessToken: 'token' }),
  } as unknown as Otp;
  const user = (gateway: string) => ({ hasWallet: answering(gateway, wallet) }) as unknown as WalletUsers;
  const callHandler = caller(
    otpHandlers({
      otp,
      pins: { openNumber: answering('openNumber', number) } as never,
      methods,
      walletUsers: new Map([
        ['wallet', user('wallet')],
        ['smart', user('smart')],
      ]),
      visits: visits as never,
      namePayment: async (...given) => answering('namePayment', named)(...given),
      nameAsked: async (...given) => answering('nameAsked', named)(...given),
    }),
  );
  return { asked, call: (name: string, data: object) => callHandler(name, { body: { data } }) };
}

const asker = { visit, address: '203.0.113.7', solved: undefined };

test('SEC-28 a fresh code for an order is sent for that order and is valid for nothing else', async () => {
  const { asked, call } = routes();
  expect(await call('sendCode', { msisdn: number, transactionId: 'an order', paymentMode: 'AIRTIME' })).toEqual({
    refId: 'new id',
  });
  expect(asked.nameAsked).toEqual(['an order', { msisdn: number, visit }]);
  expect(asked.namePayment).toBeUndefined();
  expect(asked.send).toEqual([{ msisdn: number, purpose: 'FRESH_CODE', payment: named, asker, language }]);
});

describe('a code for a bill', () => {
  test('is sent, resent and verified for bills alone, in the visit that asked for it', async () => {
    const { asked, call } = routes();
    expect(await call('sendInvoiceCode', { text: number })).toEqual({ otpId: 'new id' });
    expect(await call('resendInvoiceCode', { otpId: 'an id' })).toEqual({ otpId: 'same id' });
    expect(await call('verifyInvoiceCode', { otpId: 'an id', otp: '123456' })).toEqual({ uniqueCode: 'unique' });
    expect(asked.send).toEqual([{ msisdn: number, purpose: 'INVOICE', asker, language }]);
    expect(asked.resend).toEqual([{ id: 'an id', asker, language }]);
    expect(asked.verify).toEqual([{ id: 'an id', code: '123456', purpose: 'INVOICE', asker }]);
  });
});

describe('a code is sent', () => {
  test('for the number alone if no way to pay is given', async () => {
    const { asked, call } = routes();
    expect(await call('sendCode', { msisdn: number })).toEqual({ refId: 'new id' });
    expect(asked.send).toEqual([{ msisdn: number, purpose: 'NUMBER', asker, language }]);
    expect(asked.openNumber).toBeUndefined();
  });

  test('for one payment, which is priced first, if a way to pay is given', async () => {
    const { asked, call } = routes();
    const payment = { amount: 5_000 };
    expect(await call('sendCode', { msisdn: number, paymentMode: 'AIRTIME', payment })).toEqual({ refId: 'new id' });
    expect(asked.namePayment).toEqual([payment, { paymentMode: 'AIRTIME', paymentMobile: number, language, visit }]);
    expect(asked.send).toEqual([{ msisdn: number, purpose: 'AIRTIME', payment: named, asker, language }]);
  });

  test('not for a way to pay without a payment', async () => {
    const { asked, call } = routes();
    await expect(call('sendCode', { msisdn: number, paymentMode: 'AIRTIME' })).rejects.toMatchObject({
      kind: 'malformed',
      message: 'The field data.payment is not valid.',
      extra: { field: 'data.payment' },
    });
    expect(asked.send).toBeUndefined();
  });

  test.each(['sealed', 'x0390000001', '0390000001x', ''])(
    'to a number that travelled encrypted: %j',
    async (msisdn) => {
      const { asked, call } = routes();
      await call('sendCode', { msisdn });
      expect(asked.openNumber).toEqual([msisdn]);
      expect(asked.send).toEqual([{ msisdn: number, purpose: 'NUMBER', asker, language }]);
    },
  );

  test('again under its id, in the visit that asked for it', async () => {
    const { asked, call } = routes();
    expect(await call('resendCode', { refId: 'an id' })).toEqual({ refId: 'same id' });
    expect(asked.resend).toEqual([{ id: 'an id', asker, language }]);
  });
});

describe('a code that is verified', () => {
  const given = { refId: 'an id', otp: '123456' };

  test('is for any purpose, or only for the way to pay that is given', async () => {
    const { asked, call } = routes();
    expect(await call('verifyCode', given)).toEqual({ uniqueCode: 'unique' });
    await call('verifyCode', { ...given, paymentMode: 'AIRTIME' });
    expect(asked.verify).toEqual([
      { id: 'an id', code: '123456', asker },
      { id: 'an id', code: '123456', asker, purpose: 'AIRTIME' },
    ]);
    expect(asked.issueToken).toBeUndefined();
  });

  test('is refused for another number than it was sent to', async () => {
    const { asked, call } = routes();
    await expect(call('verifyCode', { ...given, username: '0390000002' })).rejects.toMatchObject({
      kind: 'codeRefused',
      message: 'This code was sent to another number.',
    });
    expect(asked.issueProof).toBeUndefined();
    expect(await call('verifyCode', { ...given, username: number })).toEqual({ uniqueCode: 'unique' });
    expect(await call('verifyCode', { ...given, username: 'sealed' })).toEqual({ uniqueCode: 'unique' });
  });

  test.each([
    ['BRAND_MONEY', 'wallet'],
    ['SMARTCASH_SECURE', 'smart'],
  ])('opens the wallet of %s with a token for what was proved', async (purpose, gateway) => {
    const { asked, call } = routes({ proves: { purpose } });
    const answer = { uniqueCode: 'unique', tokenType: 'Bearer', accessToken: 'token' };
    expect(await call('verifyCode', given)).toEqual(answer);
    expect(await call('verifyUser', given)).toEqual(answer);
    expect(asked[gateway]).toEqual([number, number]);
    expect(asked.issueToken).toEqual([
      expect.objectContaining({ purpose }),
      'unique',
      expect.objectContaining({ purpose }),
      'unique',
    ]);
  });

  test.each(['PAYMENT_GATEWAY', 'OTHER_MONEY', 'AIRTIME', 'NUMBER'])('opens no wallet for %s', async (purpose) => {
    const { asked, call } = routes({ proves: { purpose } });
    expect(await call('verifyCode', given)).toEqual({ uniqueCode: 'unique' });
    await expect(call('verifyUser', given)).rejects.toMatchObject({
      kind: 'invalidWalletUser',
      message: 'This way to pay has no wallet to sign in to.',
    });
    expect([asked.wallet, asked.smart, asked.issueToken]).toEqual([undefined, undefined, undefined]);
  });

  test('proves nothing if the number has no wallet or the wallet does not answer', async () => {
    const none = routes({ proves: { purpose: 'BRAND_MONEY' }, wallet: 'no' });
    await expect(none.call('verifyCode', given)).rejects.toMatchObject({
      kind: 'invalidWalletUser',
      message: 'There is no wallet on this number.',
    });
    const unclear = routes({ proves: { purpose: 'BRAND_MONEY' }, wallet: 'unclear' });
    await expect(unclear.call('verifyCode', given)).rejects.toMatchObject({
      kind: 'codeRefused',
      message: 'We could not reach the wallet just now. Please try again.',
    });
    expect([none.asked.issueProof, unclear.asked.issueProof]).toEqual([undefined, undefined]);
  });
});
