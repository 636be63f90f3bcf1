import { type CallName, callPath } from '@portal/contract/calls.ts';
import { describe, expect, test } from 'vitest';
import { servedTowns } from '../../../sandbox/src/qualification/register-qualification.ts';
import { phone, sandbox } from '../../../sandbox/src/sandbox-tests.fixture.ts';
import { leadOf } from '../attack/attack-world.fixture.ts';
import { portalTests, running } from '../testing/portal-tests.fixture.ts';
import { visitCookie } from '../testing/visit-cookie.ts';
import { runLeadsCommand } from './leads.commands.ts';

/** Milliseconds ahead of the real clock, so that a test need not wait for a retry. */
let ahead = 0;

portalTests({ approveAfterMs: 200 }, { rateLimitScale: 1_000 }, () => new Date(Date.now() + ahead));

const post = (name: CallName, payload: object, headers: Record<string, string> = {}) =>
  running.portal.http.inject({ method: 'POST', url: callPath(name), payload, headers: { lang: 'en', ...headers } });

const own = '390000001';
const foreign = '340000001';
const email = 'lova@example.mg';

const lead = (uniqueCode: string, more: object = {}) =>
  leadOf(own, uniqueCode, { fullName: 'Lova Rabe', email, address: { lat: -18.9, lng: 47.52 }, ...more });

const sixDigits = (text: string | undefined) => /\b\d{6}\b/.exec(text ?? '')?.[0] ?? '';

/** A proof for the lead flow: by SMS for one of our numbers, by mail for any other. */
async function proved(number: string | null): Promise<string> {
  const body = { email, customerDetails: { fullName: 'Lova' }, requestType: 'HBB_LEADS' };
  const sent = await post('sendLeadCode', { ...body, ...(number ? { msisdn: `0${number}` } : {}) });
  expect(sent.statusCode, sent.body).toBe(200);
  const read = async () => {
    const received = number ? await phone.messages(number) : await phone.mail(email);
    return received.map(({ text }) => sixDigits(text)).find(Boolean) ?? '';
  };
  await expect.poll(read).not.toBe('');
  const verified = await post('verifyCode', { data: { refId: sent.json().result.refId, otp: await read() } });
  expect(verified.statusCode, verified.body).toBe(200);
  return verified.json().result.uniqueCode;
}

const submit = (body: object) => post('submitLead', body);
const idOf = async (body: object): Promise<string> => {
  const answer = await submit(body);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().result.refLeadId;
};
const crm = async (path: string) => (await (await fetch(`${sandbox.http}/sandbox/crm/${path}`)).json()) as Crm[];
interface Crm {
  externalId: string;
  status: string;
  characteristic: unknown;
  orderTotalPrice: unknown;
}
const arrived = (id: string) => expect.poll(async () => (await crm('leads')).some((one) => one.externalId === id));
const track = async (refLeadId: string) => (await post('trackLead', { refLeadId })).json().result;

describe('a lead', () => {
  test('LEA-4 is stored once however often it is sent, and passed to the CRM under its own id', async () => {
    const body = lead(await proved(own));
    const id = await idOf(body);
    expect(id).toMatch(/^HB[0-9A-F]{20}$/);
    expect(await Promise.all([idOf(body), idOf(body)])).toEqual([id, id]);
    await arrived(id).toBe(true);
    const ours = (await crm('leads')).filter((one) => one.externalId === id);
    expect(ours).toHaveLength(1);
    expect(ours[0]?.characteristic).toEqual([{ name: 'serviceQualification', value: 'qualified' }]);
    expect(JSON.stringify(ours[0])).toContain('Lot II 12 Analakely');
    expect((await submit({ ...body, fullName: 'Somebody Else' })).json().statusCode).toBe('NOT_VERIFIED');
  });

  test('LEA-4 with a number that is not ours is proved by mail and has the line type INVALID', async () => {
    const uniqueCode = await proved(null);
    const id = await idOf(lead(uniqueCode, { contactNumber: `0${foreign}`, lineType: 'PREPAID' }));
    expect(await running.portal.leads.find(id)).toMatchObject({ line_type: 'INVALID', status: 'SUBMITTED' });
  });

  test('LEA-4 SEC-16 its number is sent once, to where the code went: by SMS to a number of ours, otherwise by email; in the customer’s language', async () => {
    const said = {
      en: ['we have your home broadband request', 'We call you as soon as there is service in Ambanja'],
      fr: ['nous avons votre demande internet à la maison', 'dès que le service arrive à Ambanja'],
      mg: ['voarainay ny fangatahanao internet an-trano', 'rehefa misy any Ambanja ny tolotra'],
    };
    const sms = async (id: string, number = own) =>
      (await phone.messages(number)).filter(({ text }) => text.includes(id));
    const mails = async (id: string) => (await phone.mail(email)).filter(({ text }) => text.includes(id));
    for (const [lang, [served, kept]] of Object.entries(said))
      for (const [city, words] of [
        ['Antananarivo', served],
        ['Ambanja', kept],
      ] as const) {
        const submitted = async (number: string | null) => {
          const body = lead(await proved(number), number ? {} : { contactNumber: `0${foreign}` });
          const sent = { ...body, address: { ...body.address, city } };
          const id = (await post('submitLead', sent, { lang })).json().result.refLeadId;
          expect((await post('submitLead', sent, { lang })).json().result.refLeadId).toBe(id);
          return id;
        };
        const id = await submitted(own);
        await expect.poll(async () => (await sms(id)).length).toBe(1);
        const [message] = await sms(id);
        expect(message?.text).toContain(words);
        expect(message?.text.length, message?.text).toBeLessThanOrEqual(160);

        const other = await submitted(null);
        await expect.poll(async () => (await mails(other)).length).toBe(1);
        const [mail] = await mails(other);
        expect(mail?.subject).toContain(other);
        expect(mail?.text).toContain(words);
        expect(mail?.text).toContain(`/hbb-lead-status?id=${other}`);
        expect([await mails(id), await sms(other, foreign)]).toEqual([[], []]);
      }
  });

  test('LEA-5 feasibility is decided by the server from the town, whatever the browser sends', async () => {
    const body = lead(await proved(own), { feasibility: true });
    const id = await idOf({ ...body, address: { ...body.address, city: 'AMBANJA' } });
    expect(await track(id)).toMatchObject({ leadStatus: 'NOT_FEASIBLE', city: 'Ambanja' });
    const paying = await post('initiate', order(id));
    expect(paying.json().statusCode).toBe('NOT_OFFERED');
  });

  test('LEA-5 the operator’s qualification decides; without a clear response the list of towns does', async () => {
    const feasibility = async (city: string) => {
      const body = lead(await proved(own));
      const { result } = (await submit({ ...body, address: { ...body.address, city } })).json();
      expect((await track(result.refLeadId)).leadStatus).toBe(result.feasibility ? 'SUBMITTED' : 'NOT_FEASIBLE');
      return result.feasibility;
    };
    const both = async () => [await feasibility('Ambanja'), await feasibility('Antananarivo')];
    for (const [town, isServed] of Object.entries({ Ambanja: true, Antananarivo: false }))
      await fetch(`${sandbox.http}/sandbox/qualification`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ town, isServed }),
      });
    expect(await both()).toEqual([true, false]);
    for (const fault of ['error500', 'loseAnswer', 'unlistedCode']) {
      await phone.fault({ provider: 'qualification', operation: 'check', fault, times: 2 });
      expect(await both(), fault).toEqual([false, true]);
    }
    expect(running.lines.some((line) => line.includes('the list of towns decided'))).toBe(true);
  });

  test('the qualification of the sandbox knows the towns of the list', async () => {
    const listed = (await running.portal.placeTables.towns.current()).filter(
      ({ hbbLeadFeasibility }) => hbbLeadFeasibility,
    );
    expect(listed.map(({ cityName }) => cityName)).toEqual(servedTowns);
  });

  test('LEA-4 needs a proof, for this number, of this purpose', async () => {
    const refused = async (body: object) => (await submit(body)).json().statusCode;
    expect(await refused(lead('never-asked-for'))).toBe('NOT_VERIFIED');
    const sent = await post('sendCode', { data: { msisdn: `0${own}` } });
    // The newest message may be about an earlier request.
    const newestCode = async () => (await phone.messages(own)).map(({ text }) => sixDigits(text)).find(Boolean) ?? '';
    await expect.poll(newestCode).not.toBe('');
    const otp = await newestCode();
    const plain = (await post('verifyCode', { data: { refId: sent.json().result.refId, otp } })).json().result;
    expect(await refused(lead(plain.uniqueCode))).toBe('NOT_VERIFIED');
    const byMail = await proved(null);
    expect(await refused(lead(byMail))).toBe('NOT_VERIFIED');
  });

  test('LEA-4 with an invalid field is refused with a message that names the field', async () => {
    const uniqueCode = await proved(own);
    const { address, plan } = lead(uniqueCode);
    const bad: [object, string, string][] = [
      [{ address: { ...address, city: 'Atlantis' } }, 'MALFORMED', 'address.city'],
      [{ address: { ...address, lat: 48.85, lng: 2.35 } }, 'MALFORMED', 'address.lat'],
      [{ address: { ...address, street1: '<script>alert(1)</script>' } }, 'MALFORMED', 'address.street1'],
      [{ address: { ...address, street1: '12345' } }, 'MALFORMED', 'address.street1'],
      [{ address: { ...address, country: 'france' } }, 'MALFORMED', 'address.country'],
      [{ fullName: '<b>Lova</b>' }, 'MALFORMED', 'fullName'],
      [{ fullName: 'L' }, 'MALFORMED', 'fullName'],
      [{ consent: false }, 'MALFORMED', 'consent'],
      [{ contactNumber: '0201234567' }, 'MALFORMED', 'contactNumber'],
      [{ plan: { ...plan, amount: 1 } }, 'PRICE_CHANGED', 'plan.amount'],
      [{ plan: { ...plan, code: 'D1G7' } }, 'NOT_OFFERED', 'plan.code'],
    ];
    for (const [more, code, field] of bad) {
      const answer = (await submit(lead(uniqueCode, more))).json();
      expect([answer.statusCode, answer.error?.field], JSON.stringify(more)).toEqual([code, field]);
    }
    await idOf(lead(uniqueCode));
  });

  test('is retried until the CRM accepts it, which gets it once', async () => {
    const isQuiet = async () => (await running.portal.leads.list()).every(({ handover }) => handover === 'accepted');
    await expect.poll(isQuiet).toBe(true);
    await phone.fault({ provider: 'crm', operation: 'lead', fault: 'error500', times: 1 });
    await phone.fault({ provider: 'crm', operation: 'lead', fault: 'loseAnswer', times: 1 });
    const id = await idOf(lead(await proved(own)));
    const attempts = async () => (await running.portal.leads.find(id))?.attempts;
    await expect.poll(attempts).toBe(1);
    ahead += 10_000;
    await expect.poll(attempts).toBe(2);
    ahead += 60_000;
    await expect.poll(async () => (await running.portal.leads.find(id))?.handover).toBe('accepted');
    expect((await crm('leads')).filter((one) => one.externalId === id)).toHaveLength(1);
  });

  test('LEA-6 can be followed by its id; unknown and deleted ones get the same response', async () => {
    const id = await idOf(lead(await proved(own)));
    await arrived(id).toBe(true);
    await expect.poll(async () => (await running.portal.leads.find(id))?.handover).toBe('accepted');
    await fetch(`${sandbox.http}/sandbox/crm/leads/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'inProgress' }),
    });
    expect(await track(id)).toMatchObject({ refLeadId: id, leadStatus: 'SCHEDULED', city: 'Antananarivo' });

    const printed: string[] = [];
    expect(
      await runLeadsCommand(['export', 'Hery', 'asked by letter', id], running.portal, (line) => printed.push(line)),
    ).toBe(0);
    expect(JSON.parse(printed[0] ?? '')).toMatchObject({ id, full_name: 'Lova Rabe' });
    expect(await runLeadsCommand(['delete', id, 'Hery', 'asked by letter'], running.portal, () => {})).toBe(0);
    expect(await runLeadsCommand(['delete', id, 'Hery', 'asked by letter'], running.portal, () => {})).toBe(1);
    const gone = await post('trackLead', { refLeadId: id });
    const never = await post('trackLead', { refLeadId: 'HB00000000000000000000' });
    expect(gone.statusCode).toBe(404);
    expect(gone.body).toBe(never.body);
  });

  test('is deleted after its retention period', async () => {
    const id = await idOf(lead(await proved(own)));
    await deleteExpiredInAYear();
    expect(await running.portal.leads.find(id)).toBeUndefined();
  });
});

async function deleteExpiredInAYear() {
  ahead += 366 * 24 * 3_600_000;
  await running.portal.leads.deleteExpired();
  ahead -= 366 * 24 * 3_600_000;
}

const order = (txnId: string, more: object = {}) => ({
  amount: 90_000,
  mobileNumber: `0${own}`,
  paymentMobile: `0${own}`,
  transactionType: 'HBB_LEADS',
  paymentMode: 'FANILO_MONEY',
  productCode: 'H50G30',
  txnId,
  ...more,
});

describe('paying for it', () => {
  test('STA-4 the order reaches the CRM once, the status page shows lead, note, message and masked contact, and the paid request is kept', async () => {
    const id = await idOf(lead(await proved(own)));
    expect((await post('initiate', order(id, { amount: 1 }))).json().statusCode).toBe('PRICE_CHANGED');
    expect((await post('initiate', order('HB00000000000000000000'))).json().statusCode).toBe('NOT_OFFERED');
    const { transactionId } = (await post('initiate', order(id))).json().result;
    await post('process', { transactionId, paymentMobile: `0${own}` });
    const status = async () =>
      (
        await running.portal.http.inject({
          method: 'GET',
          url: callPath('transactionStatus'),
          query: { tid: transactionId },
          headers: { lang: 'en' },
        })
      ).json().result;
    await expect.poll(async () => (await status()).final, { interval: 200 }).toBe(true);
    const ended = await status();
    expect(ended).toMatchObject({
      status: 'SUCCESS',
      transactionType: 'HBB_LEADS',
      bundleDescription: '50 GB, 30 days',
    });
    expect(ended.metaInfo).toEqual({
      leadId: id,
      note: expect.stringContaining('request number'),
      message: expect.stringContaining('installation'),
      lineType: 'PREPAID',
      email: 'l•••@example.mg',
    });
    const orders = (await crm('orders')).filter((one) => one.externalId === transactionId);
    expect(orders).toHaveLength(1);
    expect(await track(id)).toMatchObject({ leadStatus: 'PAID' });
    expect((await post('initiate', order(id))).json().statusCode).toBe('NOT_OFFERED');

    await deleteExpiredInAYear();
    expect(await running.portal.leads.find(id)).toMatchObject({ status: 'PAID' });
  });

  test('LEA-6 a request that was left before it was paid can be paid from its status page, by the visit that asked for it and no other', async () => {
    const id = await idOf(lead(await proved(own)));
    const tracked = await track(id);
    expect(tracked).toMatchObject({
      isPayable: true,
      toPay: { msisdn: `0${own}`, emailId: email, productCode: 'H50G30', amount: 90_000, currency: 'MGA' },
    });
    const elsewhere = (await post('trackLead', { refLeadId: id }, { cookie: visitCookie('elsewhere') })).json().result;
    expect(elsewhere.isPayable).toBe(true);
    expect(elsewhere).not.toHaveProperty('toPay');
  });

  test('two payments for one lead make one order, and the other payment is refunded', async () => {
    const id = await idOf(lead(await proved(own)));
    const payers = ['391234567', '391234568'];
    const ids: string[] = [];
    for (const payer of payers) {
      const initiated = await post('initiate', order(id, { paymentMobile: `0${payer}`, confirmRepeat: true }));
      expect(initiated.statusCode, initiated.body).toBe(200);
      ids.push(initiated.json().result.transactionId);
    }
    await Promise.all(ids.map((transactionId) => post('process', { transactionId })));
    const moneyOf = async (tid: string) => (await running.portal.payments.find(tid))?.payment.state;
    await expect
      .poll(async () => (await Promise.all(ids.map(moneyOf))).sort(), { interval: 200 })
      .toEqual(['REFUNDED', 'SUCCEEDED']);
    expect((await crm('orders')).filter((one) => ids.includes(one.externalId))).toHaveLength(1);
    const reasons = await Promise.all(
      ids.map(async (tid) => (await running.portal.payments.find(tid))?.payment.reason),
    );
    expect(reasons).toEqual(expect.arrayContaining([null, 'paidAlready']));
  });

  test('MNY-6 a lead that was paid between order and payment is refused before the payer is prompted', async () => {
    const id = await idOf(lead(await proved(own)));
    const [first, second] = ['391234571', '391234572'];
    const initiate = async (payer = '') =>
      (await post('initiate', order(id, { paymentMobile: `0${payer}`, confirmRepeat: true }))).json().result
        .transactionId as string;
    const [paying, late] = [await initiate(first), await initiate(second)];
    await post('process', { transactionId: paying });
    const paymentOf = async (tid: string) => (await running.portal.payments.find(tid))?.payment;
    await expect.poll(async () => (await paymentOf(paying))?.state, { interval: 200 }).toBe('SUCCEEDED');
    const refused = (await post('process', { transactionId: late })).json();
    expect(refused).toMatchObject({ statusCode: 'ORDER_PAID', message: expect.stringContaining('Nothing was taken') });
    expect(await paymentOf(late)).toMatchObject({ state: 'FAILED', reason: 'paidAlready', submitted_at: null });
    expect(await phone.prompts(second ?? '')).toEqual([]);
  });

  test('PAY-6 the Works mode pays a lead by airtime, and nothing but a lead', async () => {
    const refused = await post('initiate', {
      ...order('x', { paymentMode: 'HBB_AIRTIME' }),
      transactionType: 'PREPAID_RECHARGE',
    });
    expect(refused.json().statusCode).toBe('NOT_OFFERED');
    const id = await idOf(lead(await proved(own)));
    const unproved = await post('initiate', order(id, { paymentMode: 'HBB_AIRTIME' }));
    expect(unproved.json().statusCode).toBe('NOT_VERIFIED');
  });
});
