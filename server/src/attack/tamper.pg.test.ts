import { randomUUID } from 'node:crypto';
import type { CallName } from '@portal/contract/calls.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRow } from '../db/personal-data.ts';
import { twoCurrencies } from '../testing/two-currencies.fixture.ts';
import { type AttackWorld, attackWorld, leadOf, type Sender, sealPin } from './attack-world.fixture.ts';
import { fieldsOf, tamperings } from './tampering.fixture.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** The number of tamperings in one test. */
    attempts?: number;
  }
}

/** The attacker's own line; the others belong to strangers, who stay passive throughout. */
const own = '390000101';
const friend = '390000102';
const victims = ['390000198', '390000199'] as const;
const [victim] = victims;

let world: AttackWorld;
/** The victim's open order, browser and unused code. */
let victimOrder: string;
let before: unknown;

beforeAll(async () => {
  world = await attackWorld({ rateLimitScale: 1_000_000, walletPinMode: true });
  const ordered = await world.call('mpesaInitiate', order('MPESA', { paymentMobile: `0${victim}` }), {
    visit: 'victim',
  });
  victimOrder = ordered.result.transactionId;
  before = await standing();
});
afterAll(() => world.stop());

const standing = () =>
  Promise.all(
    victims.map(async (number) => {
      const { airtime, wallet, bundles } = await world.phone.line(number);
      const prompts = await world.phone.prompts(number);
      return { number, airtime, wallet, bundles, prompts, messages: (await world.phone.messages(number)).length };
    }),
  );

function order(paymentMode: string, more: object = {}) {
  return {
    amount: 5_000,
    mobileNumber: `0${friend}`,
    paymentMobile: `0${own}`,
    transactionType: 'PREPAID_RECHARGE',
    paymentMode,
    paymentGateway: paymentMode,
    currencyCode: 'MGA',
    countryCode: '261',
    accountId: '',
    productCode: '',
    emailId: 'own@example.mg',
    loggedInNumber: `0${own}`,
    unit: 1,
    ...more,
  };
}

/** Payer, recipient, product and amount. */
async function factsOf(id: string) {
  const stored = await world.db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const row = openRow(world.db, 'payments', stored);
  const { gateway, payment_mode, transaction_type, amount, currency, msisdn, payer_msisdn, product_code } = row;
  const { account_id, invoice_number, details, payer_proof } = row;
  return {
    state: row.state,
    facts: {
      ...{ gateway, payment_mode, transaction_type, amount, currency, msisdn, payer_msisdn, payer_proof },
      ...{ product_code, account_id, invoice_number, details },
    },
  };
}

interface Ordered {
  id: string;
  call: CallName;
  body: object;
  from: Sender;
}

const key = () => ({ 'idempotency-key': randomUUID() });

async function proved(paymentMode: string, payment: object, name: 'verifyCode' | 'verifyUser' = 'verifyCode') {
  const { refId, otp } = await world.sentCode('sendCode', { data: { msisdn: `0${own}`, paymentMode, payment } }, own);
  return (await world.call(name, { data: { refId, otp, username: `0${own}`, paymentMode } })).result;
}

async function registered(call: CallName, body: object, from: Sender = {}): Promise<string> {
  const answer = await world.call(call, body, { ...from, headers: { ...key(), ...from.headers } });
  expect(answer.http, answer.text).toBe(200);
  return answer.result.transactionId;
}

const processed = (id: string, mode: string, more: object = {}) => ({
  transactionId: id,
  isSubscriberRequest: true,
  paymentGateway: mode,
  paymentMode: mode,
  proccessFlag: true,
  accountId: '',
  accountType: 'PREPAID',
  paymentMobile: `0${own}`,
  ...more,
});

async function byAirtime(): Promise<Ordered> {
  const body = order('AIRTIME', { confirmRepeat: true });
  const { uniqueCode } = await proved('AIRTIME', body);
  const id = await registered('initiate', { ...body, uniqueCode });
  return { id, call: 'process', body: processed(id, 'AIRTIME'), from: {} };
}

/** As in the original attack: the order that is proved names no payer, and a later request does. */
async function byAirtimeUnnamed(): Promise<Ordered> {
  const body = order('AIRTIME', { confirmRepeat: true, paymentMobile: '', mobileNumber: `0${own}` });
  const { uniqueCode } = await proved('AIRTIME', body);
  const id = await registered('initiate', { ...body, uniqueCode });
  return { id, call: 'process', body: processed(id, 'AIRTIME'), from: {} };
}

async function byPin(mode: 'FANILO_MONEY' | 'SMARTCASH_SECURE'): Promise<Ordered> {
  const body = order(mode, { confirmRepeat: true });
  const { tokenType, accessToken } = await proved(mode, body, 'verifyUser');
  const headers = { authorization: `${tokenType} ${accessToken}` };
  const answer = await world.call('authInitiate', body, { headers: { ...key(), ...headers } });
  const { transactionId, encryptionKeyDetails } = answer.result;
  const pin = sealPin('1234', transactionId, encryptionKeyDetails);
  return { id: transactionId, call: 'authProcess', body: processed(transactionId, mode, pin), from: { headers } };
}

async function byPush(): Promise<Ordered> {
  const id = await registered('mpesaInitiate', order('MPESA', { confirmRepeat: true }));
  return { id, call: 'mpesaProcess', body: processed(id, 'MPESA'), from: {} };
}

async function byCard(): Promise<Ordered> {
  const body = order('PAYMENT_GATEWAY', { paymentGateway: 'CARD', paymentMobile: '', confirmRepeat: true });
  const id = await registered('initiate', body);
  return {
    id,
    call: 'process',
    body: processed(id, 'PAYMENT_GATEWAY', { paymentGateway: 'CARD', paymentMobile: '' }),
    from: {},
  };
}

const bundle = pack.catalogue.find(({ lineType, data }) => lineType === 'PREPAID' && data);

async function bundleByAirtime(): Promise<Ordered> {
  const bought = {
    transactionType: 'PREPAID_BUNDLES',
    productCode: bundle?.productCode,
    amount: bundle?.amount,
    confirmRepeat: true,
  };
  const body = order('AIRTIME', bought);
  const { uniqueCode } = await proved('AIRTIME', body);
  const id = await registered('initiate', { ...body, uniqueCode });
  return { id, call: 'process', body: processed(id, 'AIRTIME'), from: {} };
}

async function lead(): Promise<string> {
  const answer = await world.call('submitLead', leadBody(await world.leadProof(own)));
  expect(answer.http, answer.text).toBe(200);
  return answer.result.refLeadId;
}

const leadBody = (uniqueCode: string) => leadOf(own, uniqueCode, { address: { lat: -18.9, lng: 47.52 } });

const leadOrder = (mode: string, txnId: string) =>
  order(mode, { transactionType: 'HBB_LEADS', amount: 90_000, txnId, mobileNumber: `0${own}`, confirmRepeat: true });

async function leadByAirtime(): Promise<Ordered> {
  const body = leadOrder('HBB_AIRTIME', await lead());
  const { uniqueCode } = await proved('HBB_AIRTIME', body);
  const id = await registered('initiate', { ...body, uniqueCode });
  return { id, call: 'process', body: processed(id, 'HBB_AIRTIME'), from: {} };
}

/** Values that belong to others, by field name. */
const strangers = () => ({
  transactionId: [victimOrder],
  paymentMobile: victims.map((number) => `0${number}`),
  mobileNumber: [`0${victim}`],
  loggedInNumber: [`0${victim}`],
  contactNumber: [`0${victim}`],
  msisdn: [`0${victim}`],
  username: [`0${victim}`],
  text: [`0${victim}`],
  paymentMode: ['AIRTIME', 'HBB_AIRTIME', 'FANILO_MONEY', 'MPESA', 'SMARTCASH_SECURE', 'PAYMENT_GATEWAY'],
  paymentGateway: ['AIRTIME', 'FANILO_MONEY', 'MPESA', 'SMARTCASH_SECURE', 'CARD', 'ORANGE'],
  transactionType: ['PREPAID_RECHARGE', 'PREPAID_BUNDLES', 'POSTPAID_BILL', 'HBB_LEADS'],
  accountId: ['1000000002', 'PA1000000001'],
  amount: [1, 500, 50_000, '5000.5'],
  currencyCode: ['USD', 'XTS'],
  productCode: [bundle?.productCode],
  countryCode: ['33'],
});

describe('SEC-15 initiate and process: no altered field changes who pays, who gets, what or how much', () => {
  test.for([
    ['airtime', byAirtime],
    ['airtime whose payer initiate did not name', byAirtimeUnnamed],
    ['a bundle by airtime', bundleByAirtime],
    ['home broadband by airtime', leadByAirtime],
    ['Fanilo Money by PIN', () => byPin('FANILO_MONEY')],
    ['SmartCash', () => byPin('SMARTCASH_SECURE')],
    ['MPESA', byPush],
    ['a card', byCard],
  ] as const)('%s', async ([, make], { task }) => {
    let current = await make();
    const { facts } = await factsOf(current.id);
    expect(facts.payer_msisdn === null || facts.payer_msisdn === `0${own}`).toBe(true);
    const count = tamperings(current.call, current.body, strangers()).length;
    expect(count).toBeGreaterThan(100);
    task.meta.attempts = count;
    for (let index = 0; index < count; index += 1) {
      const tampered = tamperings(current.call, current.body, strangers())[index];
      const answer = await world.call(current.call, tampered?.body, current.from);
      expect(answer.http, `${tampered?.what}: ${answer.text}`).toBeLessThan(500);
      const now = await factsOf(current.id);
      // Each lead gets an id of its own.
      expect({ ...now.facts, details: null }, tampered?.what).toEqual({ ...facts, details: null });
      if (now.state !== 'CREATED') current = await make();
    }
    expect((await factsOf(victimOrder)).state).toBe('CREATED');
    expect(await standing()).toEqual(before);
  });
});

describe('SEC-15 SEC-25 send and verify, verify and initiate: a code pays what it was sent for', () => {
  test('no altered field of verify gives a proof of anything else', async () => {
    const data = { msisdn: `0${own}`, paymentMode: 'AIRTIME', payment: order('AIRTIME') };
    const stranger = await world.call('sendCode', { data: { ...data, msisdn: `0${victim}` } }, { visit: 'victim' });
    before = await expect
      .poll(async () => (await standing())[0]?.messages)
      .toBe(1)
      .then(standing);
    for (const name of ['verifyCode', 'verifyUser'] as const) {
      // Within a minute a repeated request would return the same code.
      const fresh = () => {
        world.advance(61);
        return world.sentCode('sendCode', { data }, own);
      };
      let sent = await fresh();
      const honest = () => ({ data: { ...sent, username: `0${own}`, paymentMode: 'AIRTIME' } });
      const others = () => ({ ...strangers(), refId: [stranger.result.refId], otp: ['000000'] });
      const count = tamperings(name, honest(), others()).length;
      for (let index = 0; index < count; index += 1) {
        await world.db.deleteFrom('proofs').execute();
        const tampered = tamperings(name, honest(), others())[index];
        const answer = await world.call(name, tampered?.body);
        expect(answer.http, tampered?.what).toBeLessThan(500);
        const proofs = await world.db.selectFrom('proofs').select(['digest', 'subject', 'purpose']).execute();
        for (const proof of proofs)
          expect(openRow(world.db, 'proofs', proof), tampered?.what).toMatchObject({
            subject: `0${own}`,
            purpose: 'AIRTIME',
          });
        const open = await world.db
          .selectFrom('codes')
          .select('tries')
          .where('id', '=', sent.refId)
          .where('ended_at', 'is', null)
          .executeTakeFirst();
        if (!open || open.tries > 3) sent = await fresh();
      }
    }
  });

  test.for([
    ['a recharge', () => order('AIRTIME', { confirmRepeat: true })],
    [
      'a bundle',
      () =>
        order('AIRTIME', {
          transactionType: 'PREPAID_BUNDLES',
          productCode: bundle?.productCode,
          amount: bundle?.amount,
          confirmRepeat: true,
        }),
    ],
  ] as const)('no altered field of initiate pays anything but %s that the code named', async ([, body], { task }) => {
    world.advance(61);
    const honestly = { ...body(), uniqueCode: (await proved('AIRTIME', body())).uniqueCode };
    const { facts } = await factsOf(await registered('initiate', honestly));
    let honest = { ...body(), uniqueCode: (await proved('AIRTIME', body())).uniqueCode };
    const count = tamperings('initiate', honest, strangers()).length;
    task.meta.attempts = count;
    for (let index = 0; index < count; index += 1) {
      const tampered = tamperings('initiate', honest, strangers())[index];
      const answer = await world.call('initiate', tampered?.body, { headers: key() });
      expect(answer.http, `${tampered?.what}: ${answer.text}`).toBeLessThan(500);
      if (answer.http !== 200) continue;
      const now = (await factsOf(answer.result.transactionId)).facts;
      // Without the code only methods remain that ask the payer on the phone or on a page.
      if (now.payer_proof === null) expect(['mpesa', 'card', 'orange']).toContain(now.gateway);
      else expect(now, tampered?.what).toEqual(facts);
      honest = { ...body(), uniqueCode: (await proved('AIRTIME', body())).uniqueCode };
    }
    expect(await standing()).toEqual(before);
  });

  test('lead and payment: who pays for a lead changes neither the lead, the plan, nor the price', async () => {
    const txnId = await lead();
    const strangersLead = 'LEAD-0000000';
    const honest = leadOrder('MPESA', txnId);
    const { facts } = await factsOf(await registered('mpesaInitiate', honest));
    for (const { what, body } of tamperings('mpesaInitiate', honest, { ...strangers(), txnId: [strangersLead] })) {
      const answer = await world.call('mpesaInitiate', body, { headers: key() });
      expect(answer.http, what).toBeLessThan(500);
      if (answer.http !== 200) continue;
      const now = (await factsOf(answer.result.transactionId)).facts;
      if (now.transaction_type !== 'HBB_LEADS') continue;
      const { payer_msisdn: _, gateway: __, payment_mode: ___, payer_proof: ____, ...rest } = now;
      expect(facts, what).toMatchObject(rest);
    }
    expect(await standing()).toEqual(before);
  });

  test('send and lead: no altered field makes a lead of a number that was not proved', async () => {
    let uniqueCode = await world.leadProof(own);
    const count = tamperings('submitLead', leadBody(uniqueCode), strangers()).length;
    for (let index = 0; index < count; index += 1) {
      const tampered = tamperings('submitLead', leadBody(uniqueCode), strangers())[index];
      const answer = await world.call('submitLead', tampered?.body);
      expect(answer.http, tampered?.what).toBeLessThan(500);
      if (answer.http === 200) uniqueCode = await world.leadProof(own);
    }
    const leads = await world.running.portal.leads.list();
    expect(new Set(leads.map((lead) => lead.contact_number))).toEqual(new Set([`0${own}`]));
  });
});

describe('SEC-15 quote and order, where there are two currencies', () => {
  test('no altered field takes another sum than the quote of that very price', async () => {
    const line = '0950001001';
    const francs = await attackWorld({ operator: 'cd', rateLimitScale: 1_000_000 }, twoCurrencies);
    const quoted = async (amount: string) =>
      (await francs.call('exchangeRate', { fromCurrency: 'USD', toCurrency: 'CDF', amount })).result;
    const [own, cheap] = [await quoted('5'), await quoted('1')];
    const honest = {
      amount: own.convertedAmount,
      currencyCode: 'CDF',
      exchangeQuote: own.quote,
      mobileNumber: line,
      paymentMobile: line,
      countryCode: '243',
      transactionType: 'PREPAID_RECHARGE',
      paymentMode: 'MWINDA_MONEY',
    };
    const others = {
      amount: [1, cheap.convertedAmount, 500, 100],
      currencyCode: ['USD', 'MGA', ''],
      exchangeQuote: [cheap.quote, `${own.quote.slice(0, -2)}AA`, 'x'],
    };
    const accepted = [];
    for (const { what, body } of tamperings('initiate', honest, others, { inPairs: true })) {
      const answer = await francs.call('initiate', body, { headers: key() });
      expect(answer.http, what).toBeLessThan(500);
      if (answer.http === 200) accepted.push(answer.result.transactionId);
    }
    const rows = await francs.db.selectFrom('payments').select(['amount', 'currency', 'details']).execute();
    expect(rows).toHaveLength(accepted.length);
    const sums = rows.map(
      ({ amount, currency, details }) => `${amount} ${currency} for ${details.conversion?.price ?? amount}`,
    );
    // The prices of such a recharge: from the price list, or from either quote.
    expect([...new Set(sums)].sort()).toEqual(
      [
        `${own.convertedAmount} CDF for 500`,
        `${cheap.convertedAmount} CDF for 100`,
        ...new Set(sums.filter((sum) => /^(\d+) USD for \1$/.test(sum))),
      ].sort(),
    );
    await francs.stop();
  });
});

test('SEC-15 the matrix holds every field of the contract, so that a new one is tried too', () => {
  expect(fieldsOf('process').map((path) => path.join('.'))).toContain('paymentMobile');
  expect(fieldsOf('sendCode').map((path) => path.join('.'))).toContain('data.payment.amount');
  expect(fieldsOf('initiate').length).toBeGreaterThan(15);
});
