import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { solve } from '../testing/challenges.ts';
import { visitCookie } from '../testing/visit-cookie.ts';
import { attackTests, leadOf, resetLimits, type Sender, world } from './attack-world.fixture.ts';

attackTests();

const owner: Sender = { visit: 'owner', ip: '203.0.113.7' };
const stranger: Sender = { visit: 'stranger', ip: '198.51.100.9' };

const initiate = (body: object, from: Sender) =>
  world.call('initiate', body, { ...from, headers: { 'idempotency-key': randomUUID() } });
const statusOf = (tid: string, from: Sender) => world.call('transactionStatus', { tid }, from);

async function pay(body: object, from: Sender): Promise<string> {
  const begun = await initiate(body, from);
  expect(begun.http, begun.text).toBe(200);
  const tid = begun.result.transactionId;
  await world.call('process', { ...body, transactionId: tid }, from);
  const isOver = async () => {
    world.advance(5);
    await world.running.portal.payments.sweep(50);
    return (await statusOf(tid, from)).result.final;
  };
  await expect.poll(isOver, { interval: 50 }).toBe(true);
  return tid;
}

const recharge = (paymentMode: string, more: object = {}) => ({
  amount: 5_000,
  mobileNumber: '0390000301',
  paymentMobile: '0390000302',
  transactionType: 'PREPAID_RECHARGE',
  paymentMode,
  paymentGateway: paymentMode,
  currencyCode: 'MGA',
  ...more,
});

describe('SEC-8 a status link', () => {
  test.each(['MPESA', 'FANILO_MONEY'])(
    'of a payment by %s has nobody’s digits in it, for its own visit neither',
    async (mode) => {
      const tid = await pay(recharge(mode, { amount: mode.length * 1_000 }), owner);
      const { result, text } = await statusOf(tid, stranger);
      expect(result.moneyState).toBe('delivered');
      for (const digits of ['390000301', '390000302']) expect(text).not.toContain(digits);
      expect((await statusOf(tid, owner)).result.refTransactionId ?? '').not.toContain('390000302');
    },
  );

  test('by the short reference shows the state and the receipt, and not the id of the payment', async () => {
    const tid = await pay(recharge('MPESA', { amount: 6_500 }), owner);
    const reference = (await statusOf(tid, owner)).result.reference;
    const fetched = (from: Sender) => world.call('transactionFetch', { txnId: reference }, from);
    const shown = await fetched(stranger);
    expect(shown.result).toMatchObject({ moneyState: 'delivered', reference, transactionId: reference });
    expect(shown.text).not.toContain(tid);
    expect((await fetched(owner)).result.transactionId).toBe(tid);
    const receipt = await world.running.portal.http.inject(`/receipts/${reference}.pdf`);
    expect([receipt.statusCode, receipt.headers['content-type']]).toEqual([200, 'application/pdf']);
  });

  test('of an invoice names neither account nor invoice to somebody else; its news go to the account’s own line', async () => {
    const shown = await world.call(
      'openInvoices',
      { accountNo: 'PA1000000001', contactPersonEmailId: 'client@example.mg' },
      owner,
    );
    const due = shown.result.response.invoices.find(({ amountDue }: { amountDue: number }) => amountDue > 0);
    const tid = await pay(
      recharge('MPESA', {
        amount: due.amountDue,
        mobileNumber: '0390000666',
        transactionType: 'POSTPAID_BILL',
        accountId: 'PA1000000001',
        invoiceNumber: due.invoiceNo,
        invoiceToken: due.invoiceToken,
      }),
      owner,
    );
    const { result } = await statusOf(tid, owner);
    expect(result).toMatchObject({ accountId: 'PA1000000001', invoiceNumber: due.invoiceNo, moneyState: 'delivered' });
    expect((await statusOf(tid, stranger)).text).not.toContain('PA1000000001');
    // SEC-15: a number sent along by the payer is not proved.
    expect((await world.running.portal.payments.find(tid))?.payment.msisdn).not.toBe('0390000666');
    expect(await world.phone.messages('390000666')).toEqual([]);
  });
});

test('SEC-27 a lead is paid for by the visit that sent it: its number tells a stranger nothing about its owner', async () => {
  const number = '390000378';
  const { refId, otp } = await world.sentCode(
    'sendLeadCode',
    { email: 'own@example.mg', customerDetails: { fullName: 'Own' }, requestType: 'HBB', msisdn: `0${number}` },
    number,
    owner,
  );
  const { uniqueCode } = (await world.call('verifyCode', { data: { refId, otp } }, owner)).result;
  const lead = await world.call('submitLead', leadOf(number, uniqueCode), owner);
  const body = recharge('MPESA', {
    amount: 90_000,
    mobileNumber: '0390000999',
    transactionType: 'HBB_LEADS',
    productCode: 'H50G30',
    txnId: lead.result.refLeadId,
  });
  const unknown = await initiate({ ...body, txnId: 'NOSUCHLEAD0000000' }, stranger);
  const taken = await initiate(body, stranger);
  expect([taken.http, taken.code, taken.error]).toEqual([unknown.http, unknown.code, unknown.error]);
  const own = await initiate(body, owner);
  expect(own.http, own.text).toBe(200);
  expect((await statusOf(own.result.transactionId, stranger)).text).not.toContain(number);
});

test('SEC-16 an email that nobody proved gets our own words alone, and only of a request that was paid for', async () => {
  const number = '390000379';
  const victim = 'victim@example.mg';
  const mails = async () => (await world.phone.mail(victim)).map(({ subject, text }) => `${subject} ${text}`);
  const from: Sender = { visit: 'attacker' };
  const uniqueCode = await world.leadProof(number, { email: victim, customerDetails: { fullName: 'EvilWords' } });
  const named = { email: victim, fullName: 'EvilWords', source: 'EvilWords', reference: 'EvilWords' };
  const address = { landmark: 'EvilWords', street1: 'EvilWords' };
  const plan = { code: 'H50G30', amount: 90_000, currency: 'MGA', description: 'EvilWords' };
  const lead = await world.call('submitLead', leadOf(number, uniqueCode, { ...named, address, plan }), from);
  expect(lead.http, lead.text).toBe(200);
  expect(await mails()).toEqual([]);
  await pay(
    recharge('MPESA', {
      ...{ amount: 90_000, transactionType: 'HBB_LEADS', productCode: 'H50G30', txnId: lead.result.refLeadId },
      ...{ emailId: victim, bundleDescription: 'EvilWords', description: 'EvilWords' },
    }),
    from,
  );
  await expect.poll(async () => (await mails()).length).toBe(1);
  expect((await mails()).join()).not.toContain('EvilWords');
});

test('SEC-7 a plan for routers and homes is not sold to a phone, whatever the catalogue shows', async () => {
  const buy = (productCode: string, amount: number, mobileNumber: string) =>
    initiate(recharge('MPESA', { transactionType: 'PREPAID_BUNDLES', productCode, amount, mobileNumber }), owner);
  expect((await buy('H50G30', 90_000, '0390000301')).code).toBe('NOT_OFFERED');
  expect((await buy('HX30', 350_000, '0390000301')).code).toBe('NOT_OFFERED');
  const router = await world.call('bundles', { data: { msisdn: '0390000005', serviceType: 'ALL' } }, owner);
  const [plan] = router.result;
  expect((await buy(plan.productCode, plan.amount, '0390000301')).code).toBe('NOT_OFFERED');
  expect((await buy(plan.productCode, plan.amount, '0390000005')).http).toBe(200);
});

describe('SEC-19 what a stranger does with somebody’s number', () => {
  const request = (amount = 5_000) => ({
    data: {
      msisdn: '0390000311',
      paymentMode: 'AIRTIME',
      payment: recharge('AIRTIME', { amount, paymentMobile: '0390000311' }),
    },
  });

  test('asking for a code does not end the one that its owner was sent', async () => {
    const own = await world.sentCode('sendCode', request(), '390000311', owner);
    world.advance(61);
    await world.sentCode('sendCode', request(7_000), '390000311', stranger);
    const data = { ...own, username: '0390000311', paymentMode: 'AIRTIME' };
    expect((await world.call('verifyCode', { data }, owner)).http).toBe(200);
  });

  test('guessing account numbers closes the proof to the guesser; its owner is asked for work and gets in', async () => {
    const guess = (accountNo: string, from: Sender) =>
      world.call('validateAccount', { data: { msisdn: '0390000002', accountNo } }, from);
    for (let tries = 0; tries < 5; tries += 1) await guess('1000009999', stranger);
    expect((await guess('1000000002', stranger)).code).toBe(2002);
    for (let network = 1; network <= 12; network += 1)
      await guess('1000009999', { visit: `s${network}`, ip: `198.51.${network}.9` });
    const answer = await guess('1000000002', owner);
    const opened =
      answer.code === 'CHALLENGE_NEEDED'
        ? await world.call(
            'validateAccount',
            { data: { msisdn: '0390000002', accountNo: '1000000002' } },
            {
              ...owner,
              headers: { 'x-challenge': solve(answer.error.challenge) },
            },
          )
        : answer;
    expect(opened.http, opened.text).toBe(200);
  });
});

test('SEC-3 the same code asked for again within a minute is not sent again, and still opens the same door', async () => {
  const request = {
    data: {
      msisdn: '0390000321',
      paymentMode: 'AIRTIME',
      payment: recharge('AIRTIME', { paymentMobile: '0390000321' }),
    },
  };
  const first = await world.sentCode('sendCode', request, '390000321', owner);
  const sms = (await world.phone.messages('390000321')).length;
  for (let again = 0; again < 4; again += 1) {
    const answer = await world.call('sendCode', request, owner);
    expect(answer.result.refId).toBe(first.refId);
  }
  expect((await world.phone.messages('390000321')).length).toBe(sms);
  const data = { ...first, username: '0390000321', paymentMode: 'AIRTIME' };
  expect((await world.call('verifyCode', { data }, owner)).http).toBe(200);
});

test('SEC-19 visits that somebody makes up or gathers do not make a crowd: one address has so many votes on an answer', async () => {
  const vote = async (cookie: string, ip: string) =>
    (await world.call('vote', { questionId: 'reset-pin', isLike: false, opco: 'MG' }, { ip, headers: { cookie } }))
      .http;
  const attacker = '198.51.100.77';
  const madeUp = [];
  for (let made = 0; made < 20; made += 1) madeUp.push(await vote(`visit=${`m${made}`.padEnd(22, 'x')}`, attacker));
  expect(madeUp).toEqual([200, ...Array(19).fill(409)]);
  await resetLimits(world);
  const gathered = [];
  for (let got = 0; got < 30; got += 1)
    gathered.push(await vote(visitCookie(`got ${got}`, attacker), `192.0.2.${got}`));
  expect(gathered.filter((http) => http === 200)).toHaveLength(20);
  expect(await vote(visitCookie('another', '203.0.113.99'), '203.0.113.99')).toBe(200);
});

test('SEC-19 visits that one network gathers bring no words before the operator’s people, however many they are', async () => {
  await resetLimits(world);
  const search = (cookie: string, ip: string) =>
    world.call('recordSearch', { text: 'buy at evil shop' }, { ip, headers: { cookie } });
  // Repeated searches of one visit count once, and displace no other search.
  for (const _ of [1, 2, 3, 4, 5]) await search(visitCookie('seeker 0', '198.51.100.78'), '192.0.2.1');
  for (let got = 0; got < 20; got += 1)
    expect((await search(visitCookie(`seeker ${got}`, '198.51.100.78'), `192.0.2.${got}`)).http).toBe(200);
  const counted = async () => (await world.db.selectFrom('help_searches').selectAll().execute()).length;
  expect(await counted()).toBe(4);
  expect((await search(visitCookie('somebody else', '203.0.113.98'), '203.0.113.98')).http).toBe(200);
  expect(await counted()).toBe(5);
});
