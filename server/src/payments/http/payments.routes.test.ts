import type { OperatorPack } from '@portal/domain/operator.ts';
import { describe, expect, test } from 'vitest';
import { caller, payBy, visit, visits } from '../../testing/handlers.ts';
import type { Payment } from '../core/payments.store.ts';
import type { PaymentRoutes } from './payments.context.ts';
import { paymentHandlers } from './payments.routes.ts';

const methods = [
  payBy('MPESA', 'MPESA', 'mpesa'),
  payBy('PG', 'PAYMENT_GATEWAY', 'cards'),
  payBy('AM', 'BRAND_MONEY', 'wallet'),
  payBy('SMARTCASH_SECURE', 'SMARTCASH_SECURE', 'smart'),
];
const pack = { brand: { name: 'Brand' }, features: { enableAmPin: true } } as OperatorPack;
const id = 'a'.repeat(26);
const payment = (over: Partial<Payment> = {}) =>
  ({
    id,
    state: 'CREATED',
    gateway: 'mpesa',
    payment_mode: 'MPESA',
    payer_msisdn: '0390000001',
    payer_proof: null,
    account_id: null,
    visit,
    continuation: null,
    reason: null,
    ...over,
  }) as Payment;
const byToken = { gateway: 'wallet', payment_mode: 'BRAND_MONEY', payer_proof: 'token' } as const;

function routes({ stored = payment(), after = {} as Partial<Payment>, already = false, triesLeft = 5 } = {}) {
  const asked: unknown[][] = [];
  const callHandler = caller(
    paymentHandlers({
      payments: {
        find: async (wanted: string) => (wanted === id ? { payment: stored, changes: [] } : undefined),
        process: async (...args: unknown[]) => {
          asked.push(['process', ...args]);
          return { payment: { ...stored, state: 'AWAITING_PAYER', ...after }, already };
        },
        enquireSoon: async (wanted: string) => void asked.push(['enquireSoon', wanted]),
      },
      pins: {
        open: async (...args: unknown[]) => {
          asked.push(['open', ...args]);
          return '1234';
        },
        openNumber: async () => '0390000001',
        triesLeft: async () => triesLeft,
      },
      otp: {
        openToken: (header: unknown) => ({
          subject: '0390000001',
          purpose: 'BRAND_MONEY',
          visit,
          ...JSON.parse(String(header)),
        }),
      },
      visits,
      budgets: { networks: (ip: string) => `networks of ${ip}` },
      bills: { tokenOf: () => '' },
      statusUrl: (wanted: string, language: string) => `/${language}/status?id=${wanted}`,
      gateways: new Map([['mpesa', { waitingFor: 'payer' }]]),
      methods,
      ways: {
        reports: async () => new Map([['wallet', { health: 'slow' }]]),
        announcements: {
          refuseMaintenance: async () => {},
          refuseClosed: async () => {},
          closedWays: async () => new Map(),
        },
      },
      pack,
      now: () => new Date(0),
    } as unknown as PaymentRoutes),
  );
  const call = (name: string, body: object, more: object = {}) =>
    callHandler(name, { body: { transactionId: id, ...body }, headers: { authorization: '{}' }, ...more });
  return { call, asked };
}
const unknown = { kind: 'notFound', message: 'We do not know this payment.' };

describe('ways to pay', () => {
  const offered = async (pg?: string) => {
    const { paymentOption } = (await routes().call('paymentOptions', { amount: 500 }, { query: { pg } })) as {
      paymentOption: { paymentMode: string; health: string }[];
    };
    return paymentOption;
  };
  const modes = async (pg?: string) => (await offered(pg)).map(({ paymentMode }) => paymentMode);

  test('are listed by name, cards by the requested gateway', async () => {
    const all = ['BRAND_MONEY', 'MPESA', 'PAYMENT_GATEWAY', 'SMARTCASH_SECURE'];
    expect(await modes()).toEqual(all);
    expect(await modes('cards')).toEqual(all);
    expect(await modes('other')).toEqual(all.filter((mode) => mode !== 'PAYMENT_GATEWAY'));
  });

  test('come with their health in the last hour', async () => {
    const told = (await offered()).map(({ paymentMode, health }) => [paymentMode, health]);
    expect(Object.fromEntries(told)).toMatchObject({ BRAND_MONEY: 'slow', MPESA: 'noRecentData' });
  });
});

describe('continuing a payment', () => {
  test('calls the provider, and says what comes next', async () => {
    const { call, asked } = routes();
    expect(await call('process', {})).toEqual({
      transactionId: id,
      status: 'IN_PROCESS',
      next: 'await',
      nextPollSeconds: 2,
    });
    expect(asked).toEqual([['process', id, { askedFrom: 'networks of 203.0.113.7' }]]);
    await expect(call('process', { transactionId: 'nobody' })).rejects.toMatchObject(unknown);
    await expect(call('process', { transactionId: 'b'.repeat(26) })).rejects.toMatchObject(unknown);
  });

  test('returns the gateway’s page or popup while waiting for the payer', async () => {
    const redirectUrl = 'https://pay.example/1';
    expect(await routes({ after: { continuation: { redirectUrl } } }).call('process', {})).toMatchObject({
      next: 'redirect',
      redirectUrl,
    });
    const popup = { key: 'public' } as never;
    expect(await routes({ after: { continuation: { popup } } }).call('process', {})).toMatchObject({
      next: 'popup',
      popup,
    });
    const ended = { state: 'FAILED', continuation: { redirectUrl } } as const;
    expect(await routes({ after: ended, already: true }).call('process', {})).toEqual({
      transactionId: id,
      status: 'ALREADY_PROCESSED',
      next: 'done',
    });
  });

  test('is for the visit that ordered it; another one is told that it is in progress, and starts nothing', async () => {
    const elsewhere = { ip: '203.0.113.8' };
    const created = routes();
    await expect(created.call('process', {}, elsewhere)).rejects.toMatchObject(unknown);
    const redirectUrl = 'https://pay.example/1';
    const going = routes({ stored: payment({ state: 'AWAITING_PAYER', continuation: { redirectUrl } }) });
    expect(await going.call('process', { paymentMode: 'OTHER' }, elsewhere)).toEqual({
      transactionId: id,
      status: 'ALREADY_PROCESSED',
      next: 'await',
      nextPollSeconds: 2,
    });
    expect([...created.asked, ...going.asked]).toEqual([]);
    const nobodys = routes({ stored: payment({ visit: null }) });
    await nobodys.call('process', {}, elsewhere);
    expect(nobodys.asked).toHaveLength(1);
  });

  test.each([
    [{ paymentMobile: '0390000002' }],
    [{ paymentMode: 'PAYMENT_GATEWAY' }],
    [{ paymentGateway: 'CARDS' }],
    [{ accountId: 'PA2' }],
  ])('with changed details is refused: %j', async (body) => {
    const { call, asked } = routes({ stored: payment({ account_id: 'PA1' }) });
    await expect(call('process', body)).rejects.toMatchObject({
      kind: 'keyReused',
      message: 'This is not what the payment was registered for. Please start again.',
    });
    expect(asked).toEqual([]);
  });

  test.each([
    [{ paymentMobile: '0390000001', paymentMode: 'MPESA', paymentGateway: 'MPESA', accountId: 'PA1' }, 'PA1'],
    [{ paymentMobile: 'sealed' }, null],
    [{ accountId: 'PA1' }, null],
  ])('with the same details repeated is accepted: %j', async (body, account_id) => {
    const { call, asked } = routes({ stored: payment({ account_id }) });
    await call('process', body);
    expect(asked).toHaveLength(1);
  });

  test('by a wallet with a PIN needs its token, and a way to pay that was removed is refused', async () => {
    await expect(routes({ stored: payment(byToken) }).call('process', {})).rejects.toMatchObject({
      kind: 'notVerified',
      message: 'Please verify your number first.',
    });
    await expect(routes({ stored: payment({ gateway: 'gone' }) }).call('process', {})).rejects.toMatchObject({
      kind: 'notOffered',
      message: 'This way to pay is not offered any more.',
    });
  });
});

describe('a PIN', () => {
  const pin = { amPin: 'sealed', amPinKeyId: 'key' };
  const send = (given: Parameters<typeof routes>[0], body: object = pin, token: object = {}) => {
    const made = routes({ stored: payment(byToken), ...given });
    const answer = made.call('authProcess', body, { headers: { authorization: JSON.stringify(token) } });
    return { answer, asked: made.asked };
  };

  test('is decrypted for its payment and passed to the wallet', async () => {
    const { answer, asked } = send({});
    expect(await answer).toMatchObject({ status: 'IN_PROCESS' });
    expect(asked).toEqual([
      ['open', id, { pin: 'sealed', keyId: 'key' }],
      ['process', id, { pin: '1234', askedFrom: 'networks of 203.0.113.7' }],
    ]);
  });

  test.each([[{ subject: '0390000002' }], [{ purpose: 'MPESA' }], [{ visit: 'another' }]])(
    'under a token for something else pays nothing: %j',
    async (token) => {
      const { answer, asked } = send({}, pin, token);
      await expect(answer).rejects.toMatchObject({ kind: 'notVerified' });
      expect(asked).toEqual([]);
    },
  );

  test('is required, and refused for a locked wallet or a payment without a token', async () => {
    await expect(send({}, {}).answer).rejects.toMatchObject({
      kind: 'pinRefused',
      message: 'Your PIN is needed.',
      extra: { field: 'amPin' },
    });
    await expect(send({ triesLeft: 0 }).answer).rejects.toMatchObject({
      kind: 'walletLocked',
      message: 'Your Brand Money wallet has been blocked due to too many incorrect PIN attempts.',
      extra: { attemptsLeft: 0 },
    });
    await expect(send({ stored: payment({ ...byToken, payer_proof: null }) }).answer).rejects.toMatchObject({
      kind: 'notVerified',
    });
  });

  test('sent again for a payment in progress is not decrypted again', async () => {
    const { answer, asked } = send({ stored: payment({ ...byToken, state: 'AWAITING_PAYER' }), already: true });
    expect(await answer).toMatchObject({ status: 'ALREADY_PROCESSED' });
    expect(asked.map(([name]) => name)).toEqual(['process']);
  });

  test('that was wrong is reported with the attempts left, under the wallet’s own name', async () => {
    const wrong = { state: 'FAILED', reason: 'wrongPin' } as const;
    await expect(send({ after: wrong, triesLeft: 3 }).answer).rejects.toMatchObject({
      kind: 'wrongPin',
      message: 'Incorrect PIN',
      extra: { attemptsLeft: 3 },
    });
    const smart = payment({ ...byToken, gateway: 'smart', payment_mode: 'SMARTCASH_SECURE' });
    const token = { purpose: 'SMARTCASH_SECURE' };
    await expect(send({ stored: smart, after: wrong }, pin, token).answer).rejects.toMatchObject({
      kind: 'wrongSmartCashPin',
    });
    await expect(
      send({ stored: smart, after: { ...wrong, reason: 'walletLocked' } }, pin, token).answer,
    ).rejects.toMatchObject({
      kind: 'walletLocked',
      message: 'Your Smart Cash wallet has been blocked due to too many incorrect PIN attempts.',
    });
    expect(await send({ after: { ...wrong, reason: 'insufficientFunds' } }).answer).toMatchObject({
      status: 'FAILED',
      next: 'done',
    });
  });
});

test('a return from a card page triggers an enquiry, by either reference of the payment', async () => {
  const { call, asked } = routes();
  const answer = { transactionId: id, redirectUrl: `/en-GB/status?id=${id}&from=gateway&status=cancelled` };
  const status = 'cancelled';
  expect(await call('paystackCallback', {}, { query: { PnrID: id, txref: 'other', status } })).toEqual(answer);
  expect(await call('paystackCallback', {}, { query: { txref: id, status } })).toEqual(answer);
  expect(asked).toEqual([
    ['enquireSoon', id],
    ['enquireSoon', id],
  ]);
});
