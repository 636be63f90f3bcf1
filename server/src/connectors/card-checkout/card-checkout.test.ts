import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { cards, HostedVisitor } from '../../../../sandbox/src/hosted/hosted-visitor.fixture.ts';
import { type HostedWorld, startHostedWorld } from '../../../../sandbox/src/hosted/hosted-world.fixture.ts';
import { bytes, chargeIn, paidFrom, returnUrl, startedFrom } from '../charge.fixture.ts';
import { HttpClient } from '../http-client.ts';
import type { Charge, PaymentGateway, Started } from '../ports.ts';
import { cardCheckoutGateway } from './index.ts';

const settings = {
  now: () => new Date(),
  secretKey: 'FLWSECK_TEST-sandbox',
  webhookSecrets: ['sandbox-card-webhook-secret'],
  digitsOf: () => 0,
  title: 'The shop <&>',
};
const minute = 60_000;

const newCharge = (more: Partial<Charge> = {}) => chargeIn('MGA', more);
const http = new HttpClient();
let world: HostedWorld;
let gateway: PaymentGateway;

beforeAll(async () => {
  world = await startHostedWorld();
  const checkoutOrigins = [world.sandbox];
  gateway = cardCheckoutGateway('card', http, { ...settings, url: `${world.sandbox}/card`, checkoutOrigins });
});
afterAll(async () => {
  await http.close();
  await world.stop();
});
beforeEach(() => world.phone.post('/reset'));
afterEach(() => vi.useRealTimers());

async function visit(charge: Charge): Promise<{ page: HostedVisitor; started: Started }> {
  const outcome = await gateway.start(charge);
  if (outcome.kind !== 'redirect') throw new Error(`no link but ${JSON.stringify(outcome)}`);
  const page = await new HostedVisitor(outcome.url).open();
  return { page, started: startedFrom(charge, outcome.providerReference ?? null) };
}

/** Advances the clocks of the portal and the gateway together. */
function later(ms: number): void {
  vi.useFakeTimers({ now: Date.now() + ms, toFake: ['Date'] });
}

describe('a payment', () => {
  test('by a card that pays is paid once, with its amount; the return URL keeps our own query', async () => {
    const charge = newCharge();
    const { page, started } = await visit(charge);
    expect(page.text).toContain('The shop &lt;&amp;&gt;');
    expect(page.text).toContain('MGA 5,000');
    expect(await gateway.enquire(started)).toEqual({ kind: 'pending' });
    await page.payWithCard(cards.pays);
    const back = new URL(page.leftFor ?? '');
    expect(back.href.startsWith(returnUrl)).toBe(true);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      id: 'k7p2m4x9',
      status: 'successful',
      tx_ref: charge.reference,
    });
    const outcome = await gateway.enquire(started);
    const providerReference = back.searchParams.get('transaction_id');
    expect(outcome).toEqual({ kind: 'paid', providerReference, amount: 5_000, currency: 'MGA' });
    await page.open();
    expect(page.status).toBe(410);
    expect((await world.phone.books()).card[charge.reference]).toMatchObject({ taken: 5_000, msisdn: '390000001' });
  });

  test('by a card that is declined stays open for another card', async () => {
    const { page, started } = await visit(newCharge());
    await page.payWithCard(cards.declines);
    expect(page.text).toContain('The card was declined. Try another.');
    expect(await gateway.enquire(started)).toEqual({ kind: 'pending' });
    await page.payWithCard(cards.pays);
    expect(await gateway.enquire(started)).toMatchObject({ kind: 'paid', amount: 5_000 });
  });

  test('is refused after the last allowed card was declined, and the page accepts no other', async () => {
    const { page, started } = await visit(newCharge());
    await page.payWithCard(cards.declines);
    await page.payWithCard(cards.declines);
    expect(page.leftFor).toContain('status=failed');
    expect(await gateway.enquire(started)).toEqual({ kind: 'refused', reason: 'declined' });
    expect((await page.open()).status).toBe(410);
    expect((await world.phone.books()).card).toEqual({});
  });

  test('with one declined card is refused once its page has closed and a second attempt would be visible', async () => {
    const { page, started } = await visit(newCharge());
    await page.payWithCard(cards.declines);
    later(16 * minute);
    expect((await page.open()).status).toBe(410);
    expect(await gateway.enquire(started)).toEqual({ kind: 'pending' });
    later(15 * minute);
    expect(await gateway.enquire(started)).toEqual({ kind: 'refused', reason: 'declined' });
  });

  test('by a card that asks for a code is open until the code is right', async () => {
    const { page, started } = await visit(newCharge());
    await page.payWithCard(cards.asksCode);
    expect(await gateway.enquire(started)).toEqual({ kind: 'pending' });
    await page.fill({ code: '123456' });
    expect(await gateway.enquire(started)).toMatchObject({ kind: 'paid', amount: 5_000 });
  });

  test('whose code was never entered is refused once its page has closed and a second attempt would be visible', async () => {
    const { page, started } = await visit(newCharge());
    await page.payWithCard(cards.asksCode);
    later(29 * minute);
    expect(await gateway.enquire(started)).toEqual({ kind: 'pending' });
    later(2 * minute);
    expect(await gateway.enquire(started)).toEqual({ kind: 'refused', reason: 'declined' });
  });

  test('paid by an earlier attempt is found though a later one failed', async () => {
    const { page, started } = await visit(newCharge());
    const second = await new HostedVisitor(page.address).open();
    await page.payWithCard(cards.asksCode);
    await second.payWithCard(cards.declines);
    await page.fill({ code: '123456' });
    expect(await gateway.enquire(started)).toMatchObject({ kind: 'paid', amount: 5_000 });
  });

  test('MNY-7 that was cancelled says so, can still be paid while its page is open, and is over afterwards', async () => {
    const charge = newCharge();
    const { page, started } = await visit(charge);
    const back = new URL(page.link('Cancel and go back'));
    expect(Object.fromEntries(back.searchParams)).toEqual({
      id: 'k7p2m4x9',
      status: 'cancelled',
      tx_ref: charge.reference,
    });
    expect(gateway.isLeft?.(back.searchParams.get('status') ?? '')).toBe(true);
    expect(gateway.isLeft?.('successful')).toBe(false);
    expect(['failed', 'successful', 'cancelled'].map((word) => gateway.isDeclined?.(word))).toEqual([
      true,
      false,
      false,
    ]);
    expect(await gateway.enquire(started)).toEqual({ kind: 'pending' });
    later(21 * minute);
    expect(await gateway.enquire(started)).toEqual({ kind: 'notFound', isClosed: true });
  });

  test('whose response is lost is unclear, not found while nobody pays, and found by the enquiry once somebody has', async () => {
    await world.phone.fault({ provider: 'card', fault: 'loseAnswer', times: 1 });
    const charge = newCharge();
    expect(await gateway.start(charge)).toMatchObject({ kind: 'unclear' });
    expect(await gateway.enquire(startedFrom(charge))).toEqual({ kind: 'notFound' });
    const other = newCharge();
    const { page } = await visit(other);
    await page.payWithCard(cards.pays);
    expect(await gateway.enquire(startedFrom(other))).toMatchObject({ kind: 'paid', amount: 5_000 });
  });

  test('sent twice under one reference is taken once: the second response proves nothing', async () => {
    const charge = newCharge();
    const { page, started } = await visit(charge);
    expect(await gateway.start(charge)).toMatchObject({ kind: 'unclear' });
    await page.payWithCard(cards.pays);
    expect(await gateway.enquire(started)).toMatchObject({ kind: 'paid' });
    expect((await world.phone.books()).card[charge.reference]?.taken).toBe(5_000);
  });

  test('without an email is never sent; one that never began is not found', async () => {
    expect(await gateway.start(newCharge({ email: null }))).toEqual({ kind: 'refused', reason: 'refusedByProvider' });
    expect(await gateway.enquire(startedFrom(newCharge()))).toEqual({ kind: 'notFound' });
  });

  test('in a currency with cents is sent with decimals and read back in minor units', async () => {
    const url = `${world.sandbox}/card`;
    const cents = cardCheckoutGateway('card', http, {
      ...settings,
      url,
      digitsOf: () => 2,
      checkoutOrigins: [world.sandbox],
    });
    const charge = newCharge({ amount: 1_999, currency: 'USD' });
    const outcome = await cents.start(charge);
    const page = await new HostedVisitor(outcome.kind === 'redirect' ? outcome.url : '').open();
    expect(page.text).toContain('USD 19.99');
    await page.payWithCard(cards.pays);
    expect(await cents.enquire(startedFrom(charge))).toMatchObject({ kind: 'paid', amount: 1_999, currency: 'USD' });
    expect((await world.phone.books()).card[charge.reference]?.taken).toBe(1_999);
  });

  test('REL-13 its page is closed by the portal’s time, whatever this machine’s clock says', async () => {
    const now = new Date();
    const url = `${world.sandbox}/card`;
    const strict = cardCheckoutGateway('card', http, {
      ...settings,
      url,
      checkoutOrigins: [world.sandbox],
      now: () => now,
    });
    const charge = newCharge();
    const outcome = await strict.start(charge);
    const started = startedFrom(charge, outcome.kind === 'redirect' ? (outcome.providerReference ?? null) : null);
    vi.useFakeTimers({ now: Date.now() + 24 * 3_600_000, toFake: ['Date'] });
    expect(await strict.enquire(started)).toEqual({ kind: 'pending' });
    vi.useRealTimers();
  });

  test('does not redirect to an origin that is not allowed', async () => {
    const url = `${world.sandbox}/card`;
    const strict = cardCheckoutGateway('card', http, {
      ...settings,
      url,
      checkoutOrigins: ['https://a.example'],
    });
    expect(await strict.start(newCharge())).toMatchObject({ kind: 'unclear' });
  });
});

describe('a refund', () => {
  test('refunds once, and says so when asked again', async () => {
    const charge = newCharge();
    const { page, started } = await visit(charge);
    await page.payWithCard(cards.pays);
    const paid = await paidFrom(gateway, started);
    expect(await gateway.refund(paid)).toEqual({ kind: 'refunded' });
    expect(await gateway.refund(paid)).toEqual({ kind: 'refunded' });
    expect((await world.phone.books()).card[charge.reference]).toMatchObject({ taken: 5_000, givenBack: 5_000 });
  });

  test('whose response is lost is found before it is retried', async () => {
    const charge = newCharge();
    const { page, started } = await visit(charge);
    await page.payWithCard(cards.pays);
    const paid = await paidFrom(gateway, started);
    await world.phone.fault({ provider: 'card', fault: 'loseAnswer', operation: 'refund', times: 1 });
    expect(await gateway.refund(paid)).toMatchObject({ kind: 'unclear' });
    expect(await gateway.refund(paid)).toEqual({ kind: 'refunded' });
    expect((await world.phone.books()).card[charge.reference]?.givenBack).toBe(5_000);
  });

  test('that is refused, or of money that was never taken, is unclear', async () => {
    const { page, started } = await visit(newCharge());
    expect(await gateway.refund(started)).toMatchObject({ kind: 'unclear' });
    await page.payWithCard(cards.pays);
    await world.phone.fault({ provider: 'card', fault: 'refuse', operation: 'refund' });
    expect(await gateway.refund(await paidFrom(gateway, started))).toMatchObject({ kind: 'unclear' });
    expect(await gateway.refund({ ...started, providerReference: '12345' })).toMatchObject({ kind: 'unclear' });
  });
});

describe('when the gateway fails', () => {
  test.each([
    ['timeout', { delayMs: 20 }],
    ['error500', {}],
    ['loseAnswer', {}],
  ])('by %s nothing is concluded from it', async (fault, more) => {
    const { page, started } = await visit(newCharge());
    await page.payWithCard(cards.declines);
    await world.phone.fault({ provider: 'card', fault, operation: 'list', ...more });
    expect(await gateway.enquire(started)).toMatchObject({ kind: 'unclear' });
    await world.phone.fault({ provider: 'card', fault, operation: '*', ...more });
    expect(await gateway.start(newCharge())).toMatchObject({ kind: 'unclear' });
    expect(await gateway.enquire(started)).toMatchObject({ kind: 'unclear' });
    expect(await gateway.refund({ ...started, providerReference: '1' })).toMatchObject({ kind: 'unclear' });
  });

  test('by refusing, every card is declined; by taking too much, the amount taken is reported', async () => {
    await world.phone.fault({ provider: 'card', fault: 'refuse', times: 1 });
    const refused = await visit(newCharge());
    await refused.page.payWithCard(cards.pays);
    await refused.page.payWithCard(cards.pays);
    expect(await gateway.enquire(refused.started)).toEqual({ kind: 'refused', reason: 'declined' });
    await world.phone.fault({ provider: 'card', fault: 'wrongAmount', times: 1 });
    const { page, started } = await visit(newCharge());
    await page.payWithCard(cards.pays);
    expect(await gateway.enquire(started)).toMatchObject({ kind: 'paid', amount: 5_001 });
  });

  test('by being unreachable, nothing was sent; by refusing our key, nothing is concluded', async () => {
    const checkoutOrigins = [world.sandbox];
    const gone = cardCheckoutGateway('card', http, { ...settings, url: 'http://127.0.0.1:9', checkoutOrigins });
    const url = `${world.sandbox}/card`;
    const stranger = cardCheckoutGateway('card', http, { ...settings, url, secretKey: 'wrong', checkoutOrigins });
    for (const one of [gone, stranger]) {
      expect(await one.start(newCharge())).toMatchObject(
        one === gone ? { kind: 'refused', reason: 'notReached' } : { kind: 'unclear' },
      );
      expect(await one.enquire(startedFrom(newCharge()))).toMatchObject({ kind: 'unclear' });
    }
  });
});

describe('a callback', () => {
  const event = {
    event: 'charge.completed',
    data: { id: 1, tx_ref: 'k7p2m4x9c1v8b3n6q5w0z7d2f1', status: 'successful' },
  };
  const rotating = () =>
    cardCheckoutGateway('card', http, {
      ...settings,
      url: 'http://127.0.0.1:9',
      checkoutOrigins: [],
      webhookSecrets: ['new-secret', 'old-secret'],
    });

  test('SEC-13 with either of two live secrets is authenticated, with any other it is only a hint', () => {
    const read = (headers: Record<string, unknown>) => rotating().parseCallback(bytes(event), headers, '');
    for (const secret of ['new-secret', 'old-secret'])
      expect(read({ 'verif-hash': secret })).toEqual({ reference: event.data.tx_ref, signed: true });
    for (const secret of ['a third secret', 'new-secre', 'new-secret ', '', undefined, ['new-secret']])
      expect(read({ 'verif-hash': secret })).toEqual({ reference: event.data.tx_ref, signed: false });
  });

  test('that is malformed names no payment and does not throw', () => {
    for (const body of ['', '{', '<html>', 'null', '[]', '{"data":{"tx_ref":5}}', '{"data":{"tx_ref":"a b"}}'])
      expect(rotating().parseCallback(bytes(body), {}, '')).toEqual({ reference: null, signed: false });
  });

  test('of the gateway itself is authenticated, a forged one is not', async () => {
    const charge = newCharge();
    await (await visit(charge)).page.payWithCard(cards.pays);
    const [told] = await world.callbacksAbout(charge.reference, 1);
    expect(told?.path).toBe('/callbacks/card');
    expect(gateway.parseCallback(bytes(told?.body), told?.headers ?? {}, '')).toEqual({
      reference: charge.reference,
      signed: true,
    });
    await world.phone.fault({ provider: 'card', fault: 'badSignature', times: 1 });
    const other = newCharge();
    await (await visit(other)).page.payWithCard(cards.pays);
    const [forged] = await world.callbacksAbout(other.reference, 1);
    expect(gateway.parseCallback(bytes(forged?.body), forged?.headers ?? {}, '').signed).toBe(false);
  });
});
