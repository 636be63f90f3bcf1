import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { HostedVisitor } from '../../../../sandbox/src/hosted/hosted-visitor.fixture.ts';
import { type HostedWorld, startHostedWorld } from '../../../../sandbox/src/hosted/hosted-world.fixture.ts';
import { startSandbox } from '../../../../sandbox/src/sandbox.ts';
import { bytes, chargeIn, paidFrom, returnUrl, startedFrom } from '../charge.fixture.ts';
import { HttpClient } from '../http-client.ts';
import type { Charge, PaymentGateway, Started } from '../ports.ts';
import type { OrangeMoneySettings } from './client.ts';
import { orangeMoneyGateway } from './index.ts';

const newCharge = (more: Partial<Charge> = {}) => chargeIn('MGA', more);
const http = new HttpClient();
let world: HostedWorld;
let gateway: PaymentGateway;

const settings = (more: Partial<OrangeMoneySettings> = {}): OrangeMoneySettings => ({
  url: `${world.sandbox}/orange`,
  environment: 'dev',
  clientId: 'sandbox-orange-client',
  clientSecret: 'sandbox-orange-secret',
  merchantKey: 'sandbox-orange-merchant',
  checkoutOrigins: [world.sandbox],
  callbackUrl: 'https://portal.example/callbacks/orange',
  callbackKey: 'a key of the portal',
  digits: 0,
  ...more,
});
const gatewayWith = (more: Partial<OrangeMoneySettings>) => orangeMoneyGateway('orange', http, settings(more));

beforeAll(async () => {
  world = await startHostedWorld();
  gateway = gatewayWith({});
});
afterAll(async () => {
  await http.close();
  await world.stop();
});
beforeEach(() => world.phone.post('/reset'));
afterEach(() => vi.useRealTimers());

async function visit(charge: Charge, by = gateway): Promise<{ page: HostedVisitor; started: Started }> {
  const outcome = await by.start(charge);
  if (outcome.kind !== 'redirect') throw new Error(`no page but ${JSON.stringify(outcome)}`);
  const page = await new HostedVisitor(outcome.url).open();
  return { page, started: startedFrom(charge, outcome.providerReference ?? null) };
}

async function confirm(page: HostedVisitor, number: string, code = '1234'): Promise<HostedVisitor> {
  await page.fill({ number });
  return page.fill({ code });
}

describe('a payment', () => {
  test('that is confirmed is paid once, and the customer comes back', async () => {
    const charge = newCharge();
    const { page, started } = await visit(charge);
    expect(page.text).toContain('MGA 5,000');
    expect(await gateway.enquire(started)).toEqual({ kind: 'pending' });
    await page.fill({ number: '0390000001' });
    expect(await gateway.enquire(started)).toEqual({ kind: 'pending' });
    await page.fill({ code: '1234' });
    expect(page.leftFor).toBe(returnUrl);
    const outcome = await gateway.enquire(started);
    expect(outcome).toMatchObject({ kind: 'paid', amount: null, currency: null });
    // Another enquiry with the reference that is stored once it is paid.
    expect(await gateway.enquire(await paidFrom(gateway, started))).toEqual(outcome);
    expect((await page.open()).status).toBe(410);
    const books = (await world.phone.books()).orange[charge.reference];
    expect(books).toEqual({ taken: 5_000, givenBack: 0, currency: 'MGA', msisdn: '390000001' });
  });

  test.each([
    ['390000004', 'has too little money'],
    ['390000006', 'is locked'],
  ])('of %s, which %s, is refused', async (number) => {
    const { page, started } = await visit(newCharge());
    await confirm(page, number);
    expect(await gateway.enquire(started)).toEqual({ kind: 'refused', reason: 'refusedByProvider' });
    expect((await world.phone.books()).orange).toEqual({});
  });

  test('by a number without an account takes nothing and may try another', async () => {
    const { page, started } = await visit(newCharge());
    for (const number of ['390000011', '390000009', 'abc']) {
      await page.fill({ number });
      expect(page.status).toBe(422);
    }
    await confirm(page, '390000001');
    expect(await gateway.enquire(started)).toMatchObject({ kind: 'paid' });
  });

  test('with a wrong code may try again, three times', async () => {
    const { page, started } = await visit(newCharge());
    await confirm(page, '390000001', '9999');
    expect(page.text).toContain('The code is wrong.');
    await page.fill({ code: '1234' });
    expect(await gateway.enquire(started)).toMatchObject({ kind: 'paid' });

    const other = await visit(newCharge());
    await confirm(other.page, '390000001', '1');
    await other.page.fill({ code: '2' });
    await other.page.fill({ code: '3' });
    expect(await gateway.enquire(other.started)).toMatchObject({ kind: 'refused' });
  });

  test('MNY-7 that the payer left says so, stays open for ten minutes and then expires', async () => {
    const { page, started } = await visit(newCharge());
    const left = new URL(page.link('Cancel and go back') ?? '');
    expect(left.href).toBe(`${returnUrl}&status=left`);
    expect(gateway.isLeft?.(left.searchParams.get('status') ?? '')).toBe(true);
    expect(gateway.isLeft?.('SUCCESS')).toBe(false);
    expect(await gateway.enquire(started)).toEqual({ kind: 'pending' });
    vi.useFakeTimers({ now: Date.now() + 601_000, toFake: ['Date'] });
    expect(await gateway.enquire(started)).toEqual({ kind: 'refused', reason: 'expired' });
    expect((await page.open()).status).toBe(410);
  });

  test('whose response is lost cannot be enquired about, and stays unclear until a person decides', async () => {
    await world.phone.fault({ provider: 'orange', fault: 'loseAnswer', times: 1 });
    const charge = newCharge();
    expect(await gateway.start(charge)).toMatchObject({ kind: 'unclear' });
    expect(await gateway.enquire(startedFrom(charge))).toMatchObject({ kind: 'unclear' });
  });

  test('whose enquiry response is lost is found by the next enquiry', async () => {
    const { page, started } = await visit(newCharge());
    await confirm(page, '390000001');
    await world.phone.fault({ provider: 'orange', fault: 'loseAnswer', operation: 'enquire', times: 1 });
    expect(await gateway.enquire(started)).toMatchObject({ kind: 'unclear' });
    expect(await gateway.enquire(started)).toMatchObject({ kind: 'paid' });
  });

  test('sent twice under one reference is taken once: the second response proves nothing', async () => {
    const charge = newCharge();
    const { page, started } = await visit(charge);
    expect(await gateway.start(charge)).toEqual({ kind: 'unclear', detail: 'HTTP 409' });
    await confirm(page, '390000001');
    expect(await gateway.enquire(started)).toMatchObject({ kind: 'paid' });
    expect((await world.phone.books()).orange[charge.reference]?.taken).toBe(5_000);
  });

  test('is not paid for an enquiry with another amount or token', async () => {
    const { page, started } = await visit(newCharge());
    await confirm(page, '390000001');
    expect(await gateway.enquire({ ...started, amount: 5_001 })).toMatchObject({ kind: 'unclear' });
    expect(await gateway.enquire({ ...started, providerReference: 'another' })).toMatchObject({ kind: 'unclear' });
  });

  test('runs in the country’s own environment and currency as well', async () => {
    const live = gatewayWith({ environment: 'mg' });
    const { page, started } = await visit(newCharge(), live);
    await confirm(page, '390000001');
    expect(await live.enquire(started)).toMatchObject({ kind: 'paid' });
    expect(await gatewayWith({ environment: 'xx' }).start(newCharge())).toMatchObject({ kind: 'unclear' });
  });

  test('with a fraction is never sent; a redirect to another origin is refused', async () => {
    const cents = gatewayWith({ digits: 2 });
    expect(await cents.start(newCharge({ amount: 4_550 }))).toEqual({ kind: 'refused', reason: 'refusedByProvider' });
    const { page } = await visit(newCharge({ amount: 4_500 }), cents);
    expect(page.text).toContain('MGA 45');
    expect(await gatewayWith({ checkoutOrigins: ['https://a.example'] }).start(newCharge())).toMatchObject({
      kind: 'unclear',
    });
  });
});

describe('a refund', () => {
  test('refunds once, and says so when asked again', async () => {
    const charge = newCharge();
    const { page, started } = await visit(charge);
    await confirm(page, '390000001');
    const paid = await paidFrom(gateway, started);
    expect(await gateway.refund(paid)).toEqual({ kind: 'refunded' });
    expect(await gateway.refund(paid)).toEqual({ kind: 'refunded' });
    expect((await world.phone.books()).orange[charge.reference]).toMatchObject({ taken: 5_000, givenBack: 5_000 });
  });

  test('whose response is lost has happened once when it is retried', async () => {
    const charge = newCharge();
    const { page, started } = await visit(charge);
    await confirm(page, '390000001');
    const paid = await paidFrom(gateway, started);
    await world.phone.fault({ provider: 'orange', fault: 'loseAnswer', operation: 'refund', times: 1 });
    expect(await gateway.refund(paid)).toMatchObject({ kind: 'unclear' });
    expect(await gateway.refund(paid)).toEqual({ kind: 'refunded' });
    expect((await world.phone.books()).orange[charge.reference]?.givenBack).toBe(5_000);
  });

  test('of money that was never taken, that is refused, or that has a wrong path is unclear', async () => {
    const { page, started } = await visit(newCharge());
    expect(await gateway.refund(started)).toMatchObject({ kind: 'unclear' });
    await confirm(page, '390000001');
    const paid = await paidFrom(gateway, started);
    expect(await gatewayWith({ refundPath: '/nowhere' }).refund(paid)).toMatchObject({ kind: 'unclear' });
    await world.phone.fault({ provider: 'orange', fault: 'refuse', operation: 'refund' });
    expect(await gateway.refund(paid)).toMatchObject({ kind: 'unclear' });
  });
});

describe('when Orange Money fails', () => {
  test.each([
    ['timeout', { delayMs: 20 }],
    ['error500', {}],
    ['loseAnswer', {}],
  ])('by %s nothing is concluded from it', async (fault, more) => {
    const { started } = await visit(newCharge());
    await world.phone.fault({ provider: 'orange', fault, operation: '*', ...more });
    expect(await gateway.start(newCharge())).toMatchObject({ kind: 'unclear' });
    expect(await gateway.enquire(started)).toMatchObject({ kind: 'unclear' });
    expect(await gateway.refund({ ...started, providerReference: 'a b' })).toMatchObject({ kind: 'unclear' });
  });

  test('by refusing, the payment fails when it is confirmed', async () => {
    await world.phone.fault({ provider: 'orange', fault: 'refuse', times: 1 });
    const { page, started } = await visit(newCharge());
    await confirm(page, '390000001');
    expect(await gateway.enquire(started)).toEqual({ kind: 'refused', reason: 'refusedByProvider' });
  });

  test('by being unreachable or refusing our credentials: nothing was sent, and an enquiry concludes nothing', async () => {
    for (const one of [gatewayWith({ url: 'http://127.0.0.1:9' }), gatewayWith({ clientSecret: 'wrong' })]) {
      expect(await one.start(newCharge())).toEqual({ kind: 'refused', reason: 'notReached' });
      expect(await one.enquire(startedFrom(newCharge(), 'token'))).toMatchObject({ kind: 'unclear' });
    }
    expect(await gatewayWith({ merchantKey: 'wrong' }).start(newCharge())).toMatchObject({ kind: 'unclear' });
  });

  test('a revoked access token is replaced, and the request sent again', async () => {
    const first = await startSandbox();
    const client = gatewayWith({ url: `${first.http}/orange`, checkoutOrigins: [first.http] });
    expect(await client.start(newCharge())).toMatchObject({ kind: 'redirect' });
    await first.stop();
    const second = await startSandbox({ port: Number(new URL(first.http).port) });
    expect(await client.start(newCharge())).toMatchObject({ kind: 'redirect' });
    await second.stop();
  });
});

describe('a callback', () => {
  test('SEC-13 is authenticated by its URL, which only the provider knows; any other is only a hint', async () => {
    const charge = newCharge();
    await confirm((await visit(charge)).page, '390000001');
    const [told] = await world.callbacksAbout(charge.reference, 1);
    const path = told?.path.replace('/callbacks/orange/', '') ?? '';
    const { reference } = charge;
    expect(gateway.parseCallback(bytes(told?.body), {}, path)).toEqual({ reference, signed: true });
    expect(JSON.parse(told?.body ?? '')).toMatchObject({ status: 'SUCCESS', notif_token: expect.any(String) });

    const proof = path.split('/')[1] ?? '';
    for (const other of ['', proof.slice(0, 31), `${proof}0`, proof.toUpperCase().replace(/^./, 'g')])
      expect(gateway.parseCallback(bytes({}), {}, `${reference}/${other}`)).toEqual({ reference, signed: false });
    expect(gateway.parseCallback(bytes({}), {}, reference)).toEqual({ reference, signed: false });
    const foreign = newCharge().reference;
    expect(gateway.parseCallback(bytes({}), {}, `${foreign}/${proof}`).signed).toBe(false);
    expect(gatewayWith({ callbackKey: 'another key' }).parseCallback(bytes({}), {}, path).signed).toBe(false);
  });

  test('to an unknown URL names no payment and does not throw', () => {
    for (const path of ['', '/', '//', 'a b/c', `${'a'.repeat(65)}/x`, 'reference/proof/more', '%00/x'])
      expect(gateway.parseCallback(bytes(''), {}, path)).toEqual({ reference: null, signed: false });
  });

  test('that the sandbox forges is not authenticated', async () => {
    await world.phone.fault({ provider: 'orange', fault: 'badSignature', times: 1 });
    const charge = newCharge();
    await confirm((await visit(charge)).page, '390000001');
    const [forged] = await world.callbacksAbout(charge.reference, 1);
    const path = forged?.path.replace('/callbacks/orange/', '') ?? '';
    expect(gateway.parseCallback(bytes(forged?.body), {}, path)).toEqual({
      reference: charge.reference,
      signed: false,
    });
  });
});
