import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cards, HostedVisitor } from '../../../../sandbox/src/hosted/hosted-visitor.fixture.ts';
import { type HostedWorld, startHostedWorld } from '../../../../sandbox/src/hosted/hosted-world.fixture.ts';
import { bytes, chargeIn, paidFrom, returnUrl, startedFrom } from '../charge.fixture.ts';
import { HttpClient } from '../http-client.ts';
import type { Charge, PaymentGateway } from '../ports.ts';
import { paystackCurrencies, paystackGateway } from './index.ts';

const settings = {
  now: () => new Date(),
  secretKeys: ['sk_test_sandbox'],
  publicKey: 'pk_test_sandbox',
  scriptUrl: 'https://js.example/inline.js',
  mode: 'test' as const,
  digits: 2,
};

const http = new HttpClient();
let world: HostedWorld;
let gateway: PaymentGateway;

beforeAll(async () => {
  world = await startHostedWorld({ cardRefundMs: 20 });
  gateway = paystackGateway('paystack', http, { ...settings, url: `${world.sandbox}/paystack` });
});
afterAll(async () => {
  await http.close();
  await world.stop();
});
beforeEach(() => world.phone.post('/reset'));

const nairaCharge = (more: Partial<Charge> = {}) => chargeIn('NGN', more);

async function visit(charge: Charge, shop?: string): Promise<HostedVisitor> {
  const outcome = await gateway.start(charge);
  if (outcome.kind !== 'popup') throw new Error(`no popup but ${JSON.stringify(outcome)}`);
  const query = shop === undefined ? '' : `?shop=${encodeURIComponent(shop)}`;
  return new HostedVisitor(`${world.sandbox}/paystack/checkout/${outcome.popup.accessCode}${query}`).open();
}

const enquire = (charge: Charge) => gateway.enquire(startedFrom(charge));

describe('a payment', () => {
  test('is registered by the server, and the popup gets what it needs to continue', async () => {
    const charge = nairaCharge();
    const outcome = await gateway.start(charge);
    expect(outcome).toMatchObject({
      kind: 'popup',
      popup: {
        scriptUrl: settings.scriptUrl,
        key: 'pk_test_sandbox',
        accessCode: expect.stringMatching(/^\w+$/),
        reference: charge.reference,
        amount: 5_000,
        currency: 'NGN',
        channels: ['ussd', 'bank', 'card', 'mobile_money', 'bank_transfer', 'qr'],
      },
    });
    expect(await enquire(charge)).toEqual({ kind: 'pending' });
  });

  test('by a card that pays is paid once, with its amount, and returns with its reference', async () => {
    const charge = nairaCharge();
    const page = await visit(charge);
    expect(page.text).toContain('NGN 50.00');
    await page.payWithCard(cards.pays);
    expect(page.status).toBe(303);
    expect(page.leftFor).toBe(`${returnUrl}&trxref=${charge.reference}&reference=${charge.reference}`);
    expect(await enquire(charge)).toMatchObject({ kind: 'paid', amount: 5_000, currency: 'NGN' });
    await page.open();
    expect(page.text).not.toContain('<form');
    expect((await world.phone.books()).paystack[charge.reference]).toMatchObject({ taken: 5_000, currency: 'NGN' });
  });

  test('is sent in hundredths if the operator counts whole units', async () => {
    const whole = paystackGateway('paystack', http, { ...settings, url: `${world.sandbox}/paystack`, digits: 0 });
    const charge = nairaCharge({ amount: 50 });
    const outcome = await whole.start(charge);
    if (outcome.kind !== 'popup') throw new Error('no popup');
    expect(outcome.popup.amount).toBe(5_000);
    const page = new HostedVisitor(`${world.sandbox}/paystack/checkout/${outcome.popup.accessCode}`);
    await (await page.open()).payWithCard(cards.pays);
    expect(await whole.enquire(startedFrom(charge))).toMatchObject({ kind: 'paid', amount: 50 });
  });

  test('by a card that is declined is refused, and nothing was taken', async () => {
    const charge = nairaCharge();
    const page = await visit(charge);
    await page.payWithCard(cards.declines);
    expect(page.text).toContain('The card was declined');
    expect(await enquire(charge)).toEqual({ kind: 'refused', reason: 'declined' });
    expect((await world.phone.books()).paystack).toEqual({});
  });

  test('by a card that asks for a code is open until the code is right', async () => {
    const charge = nairaCharge();
    const page = await visit(charge);
    await page.payWithCard(cards.asksCode);
    expect(await enquire(charge)).toEqual({ kind: 'pending' });
    await page.fill({ code: '123456' });
    expect(await enquire(charge)).toMatchObject({ kind: 'paid', amount: 5_000 });

    const wrong = nairaCharge();
    const other = await visit(wrong);
    await other.payWithCard(cards.asksCode);
    await other.fill({ code: '654321' });
    expect(await enquire(wrong)).toEqual({ kind: 'refused', reason: 'declined' });
  });

  test('that the payer left is still open, and can be paid later', async () => {
    const charge = nairaCharge();
    const page = await visit(charge);
    const left = await new HostedVisitor(page.link('Cancel payment')).open();
    expect(left.leftFor).toContain(`reference=${charge.reference}`);
    expect(await enquire(charge)).toEqual({ kind: 'pending' });
    await page.payWithCard(cards.pays);
    expect(await enquire(charge)).toMatchObject({ kind: 'paid' });
  });

  test('with an invalid card takes nothing and says why', async () => {
    const charge = nairaCharge();
    const page = await visit(charge);
    for (const [fields, words] of [
      [{ number: '4111 1111 1111 1112', expiry: '12/39', cvc: '123' }, 'card number'],
      [{ number: cards.pays, expiry: '13/39', cvc: '123' }, 'expiry date'],
      [{ number: cards.pays, expiry: '12/20', cvc: '123' }, 'has expired'],
      [{ number: cards.pays, expiry: '12/39', cvc: 'x' }, 'security code'],
    ] as const) {
      await page.fill(fields);
      expect(page.status).toBe(422);
      expect(page.text).toContain(words);
    }
    expect(await enquire(charge)).toEqual({ kind: 'pending' });
  });

  test('without an email, or in a currency it does not settle, is never sent', async () => {
    expect(paystackCurrencies).not.toContain('MGA');
    for (const more of [{ email: null }, { currency: 'MGA' }]) {
      const charge = nairaCharge(more);
      expect(await gateway.start(charge)).toEqual({ kind: 'refused', reason: 'refusedByProvider' });
      expect(await enquire(charge)).toEqual({ kind: 'notFound' });
    }
  });

  test('whose response is lost is unclear, and found by the enquiry', async () => {
    await world.phone.fault({ provider: 'paystack', fault: 'loseAnswer', times: 1 });
    const charge = nairaCharge();
    expect(await gateway.start(charge)).toMatchObject({ kind: 'unclear' });
    expect(await enquire(charge)).toEqual({ kind: 'pending' });
  });

  test('sent twice under one reference is registered once: the second response only means "enquire"', async () => {
    const charge = nairaCharge();
    const page = await visit(charge);
    expect(await gateway.start(charge)).toEqual({ kind: 'unclear', detail: 'duplicate_reference', isRepeated: true });
    await page.payWithCard(cards.pays);
    expect((await world.phone.books()).paystack[charge.reference]?.taken).toBe(5_000);
  });

  test('of another mode is not paid', async () => {
    const live = paystackGateway('paystack', http, {
      ...settings,
      url: `${world.sandbox}/paystack`,
      mode: 'live',
    });
    const charge = nairaCharge();
    await (await visit(charge)).payWithCard(cards.pays);
    expect(await live.enquire(startedFrom(charge))).toMatchObject({ kind: 'unclear' });
  });
});

describe('the popup', () => {
  test('reports the end of a payment to the page that opened it and to no other', async () => {
    const charge = nairaCharge();
    const page = await visit(charge, 'https://portal.example');
    await page.payWithCard(cards.pays);
    expect(page.text).toContain('data-shop="https://portal.example" data-event="success"');
    expect(page.text).toContain(`data-reference="${charge.reference}"`);
    const left = await new HostedVisitor((await visit(nairaCharge(), 'https://portal.example')).link('Cancel')).open();
    expect(left.text).toContain('data-event="cancel"');
    const sly = await visit(nairaCharge(), 'https://portal.example/with/path');
    expect(sly.text).not.toContain('portal.example/with/path');
  });

  test('is a script with the constructor and the method of the real one', async () => {
    const script = await (await fetch(`${world.sandbox}/paystack/inline.js`)).text();
    expect(script).toContain('window.PaystackPop');
    expect(script).toContain('resumeTransaction(accessCode');
    expect(script).toContain('message.origin !== checkout.origin');
  });
});

describe('a refund', () => {
  test('is polled until it is processed, and requested once', async () => {
    const charge = nairaCharge();
    await (await visit(charge)).payWithCard(cards.pays);
    const paid = await paidFrom(gateway, startedFrom(charge));
    expect(await gateway.refund(paid)).toEqual({ kind: 'unclear', detail: 'refund pending' });
    await expect.poll(() => gateway.refund(paid)).toEqual({ kind: 'refunded' });
    expect(await gateway.refund(paid)).toEqual({ kind: 'refunded' });
    const books = await world.phone.books();
    expect(books.paystack[charge.reference]).toMatchObject({ taken: 5_000, givenBack: 5_000 });
    // A refunded payment is never read as paid.
    expect(await enquire(charge)).toMatchObject({ kind: 'unclear', detail: 'reversed' });
  });

  test('whose response is lost is found before it is retried', async () => {
    const charge = nairaCharge();
    await (await visit(charge)).payWithCard(cards.pays);
    const paid = await paidFrom(gateway, startedFrom(charge));
    await world.phone.fault({ provider: 'paystack', fault: 'loseAnswer', operation: 'refund', times: 1 });
    expect(await gateway.refund(paid)).toMatchObject({ kind: 'unclear' });
    await expect.poll(() => gateway.refund(paid)).toEqual({ kind: 'refunded' });
    expect((await world.phone.books()).paystack[charge.reference]?.givenBack).toBe(5_000);
  });

  test('of money that was never taken, or that is refused, is unclear', async () => {
    expect(await gateway.refund(startedFrom(nairaCharge()))).toMatchObject({ kind: 'unclear' });
    expect(await gateway.refund(startedFrom(nairaCharge(), '12345'))).toMatchObject({ kind: 'unclear' });
  });
});

describe('when Paystack fails', () => {
  test.each([
    ['timeout', { delayMs: 20 }],
    ['error500', {}],
    ['loseAnswer', {}],
  ])('by %s nothing is concluded from it', async (fault, more) => {
    await world.phone.fault({ provider: 'paystack', fault, operation: '*', ...more });
    expect(await gateway.start(nairaCharge())).toMatchObject({ kind: 'unclear' });
    expect(await enquire(nairaCharge())).toMatchObject({ kind: 'unclear' });
    expect(await gateway.refund(startedFrom(nairaCharge(), '1'))).toMatchObject({ kind: 'unclear' });
  });

  test('by refusing, every card is declined', async () => {
    await world.phone.fault({ provider: 'paystack', fault: 'refuse', times: 1 });
    const charge = nairaCharge();
    await (await visit(charge)).payWithCard(cards.pays);
    expect(await enquire(charge)).toEqual({ kind: 'refused', reason: 'declined' });
  });

  test('by taking too much, the amount taken is reported', async () => {
    await world.phone.fault({ provider: 'paystack', fault: 'wrongAmount', times: 1 });
    const charge = nairaCharge();
    await (await visit(charge)).payWithCard(cards.pays);
    expect(await enquire(charge)).toMatchObject({ kind: 'paid', amount: 5_001 });
  });

  test('by being unreachable, nothing was sent; by refusing our key, nothing is concluded', async () => {
    const gone = paystackGateway('paystack', http, { ...settings, url: 'http://127.0.0.1:9' });
    const stranger = paystackGateway('paystack', http, {
      ...settings,
      secretKeys: ['sk_test_wrong'],
      url: `${world.sandbox}/paystack`,
    });
    for (const one of [gone, stranger]) {
      expect(await one.start(nairaCharge())).toMatchObject(
        one === gone ? { kind: 'refused', reason: 'notReached' } : { kind: 'unclear' },
      );
      expect(await one.enquire(startedFrom(nairaCharge()))).toMatchObject({ kind: 'unclear' });
    }
  });
});

describe('a callback', () => {
  const event = {
    event: 'charge.success',
    data: { id: 302961, reference: 'k7p2m4x9c1v8b3n6q5w0z7d2f1', amount: 5_000 },
  };
  const signedWith = (key: string, body: Buffer) => ({
    'x-paystack-signature': createHmac('sha512', key).update(body).digest('hex'),
  });
  const rotating = () =>
    paystackGateway('paystack', http, {
      ...settings,
      secretKeys: ['new-key', 'old-key'],
      url: 'http://127.0.0.1:9',
    });

  test('SEC-13 signed over its raw bytes is authenticated, under either of two live keys', () => {
    for (const body of [bytes(event), bytes(` ${JSON.stringify(event)}\n`)])
      for (const key of ['new-key', 'old-key'])
        expect(rotating().parseCallback(body, signedWith(key, body), '')).toEqual({
          reference: event.data.reference,
          signed: true,
        });
  });

  test('SEC-13 with one altered byte, another key, a truncated signature or none is only a hint', () => {
    const body = bytes(event);
    const { 'x-paystack-signature': signature } = signedWith('new-key', body);
    const altered = bytes({ ...event, data: { ...event.data, amount: 5_001 } });
    for (const [given, headers] of [
      [altered, signedWith('new-key', body)],
      [body, signedWith('a third key', body)],
      [body, { 'x-paystack-signature': signature.slice(0, 40) }],
      [body, { 'x-paystack-signature': '' }],
      [body, { 'x-paystack-signature': [signature] }],
      [body, {}],
    ] as const)
      expect(rotating().parseCallback(given, headers, '')).toEqual({ reference: event.data.reference, signed: false });
  });

  test('that is malformed names no payment and does not throw', () => {
    for (const body of ['', '{', '<html>', 'null', '[]', '{"event":1}', '{"event":"x","data":{"reference":5}}'])
      expect(rotating().parseCallback(bytes(body), {}, '')).toEqual({ reference: null, signed: false });
    for (const reference of ['', '\u0000', 'a'.repeat(1_000), 'with space', "';--"])
      expect(
        rotating().parseCallback(bytes({ event: 'charge.success', data: { reference } }), {}, '').reference,
      ).toBeNull();
  });

  test('of the gateway itself is authenticated, for a payment and for a refund; a forged one is not', async () => {
    const charge = nairaCharge();
    await (await visit(charge)).payWithCard(cards.pays);
    const paid = await paidFrom(gateway, startedFrom(charge));
    await gateway.refund(paid);
    const told = await world.callbacksAbout(charge.reference, 2);
    expect(told.map(({ path }) => path)).toEqual(['/callbacks/paystack', '/callbacks/paystack']);
    for (const { body, headers } of told)
      expect(gateway.parseCallback(bytes(body), headers, '')).toEqual({ reference: charge.reference, signed: true });

    await world.phone.fault({ provider: 'paystack', fault: 'badSignature', times: 1 });
    const other = nairaCharge();
    await (await visit(other)).payWithCard(cards.pays);
    const [forged] = await world.callbacksAbout(other.reference, 1);
    expect(gateway.parseCallback(bytes(forged?.body), forged?.headers ?? {}, '')).toEqual({
      reference: other.reference,
      signed: false,
    });
  });
});
