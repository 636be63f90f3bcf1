import { expect, test } from 'vitest';
import { phone, sandbox, sandboxTests } from '../sandbox-tests.fixture.ts';

sandboxTests();

const accounts = '/billing/tmf-api/accountManagement/v4/billingAccount';
const bills = '/billing/tmf-api/customerBillManagement/v4/customerBill';
const payments = '/billing/tmf-api/paymentManagement/v4/payment';
const authorization = 'Bearer sandbox-billing-key';

async function get(path: string) {
  const response = await fetch(sandbox.http + path, { headers: { authorization } });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

async function pay(value: number, more: Record<string, unknown> = {}) {
  const response = await fetch(sandbox.http + payments, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({
      correlatorId: 'pay1',
      amount: { unit: 'MGA', value },
      account: { id: '1000000002' },
      payer: { id: '0390000002' },
      ...more,
    }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

test('a call without the key is refused', async () => {
  expect((await fetch(`${sandbox.http}${bills}?billNo=1000000002-1`)).status).toBe(401);
});

test('the bills of a line add up to the table’s amount', async () => {
  const { body } = await get(`${bills}?billingAccount.id=1000000002`);
  expect(body.map((bill: { remainingAmount: { value: number } }) => bill.remainingAmount.value)).toEqual([
    20_250.4, 25_000,
  ]);
  expect(body[0]).toMatchObject({ billNo: '1000000002-1', state: 'sent', billingAccount: { id: '1000000002' } });
  expect((await get(`${accounts}?relatedParty.id=0390000002`)).body).toMatchObject([{ id: '1000000002' }]);
  expect((await get(`${accounts}?relatedParty.id=0390000014`)).body).toEqual([]);
});

test('a bill is partly paid, then settled, and shown on the phone', async () => {
  expect(await pay(10_000)).toMatchObject({ status: 201, body: { status: 'done', correlatorId: 'pay1' } });
  const state = async () => (await get(`${bills}?billNo=1000000002-1`)).body[0].state;
  expect(await state()).toBe('partiallyPaid');
  await pay(10_250.4);
  expect(await state()).toBe('settled');
  expect((await phone.line('390000002')).outstanding).toBe(25_000);
  await phone.post('/reset');
  expect((await phone.line('390000002')).outstanding).toBe(45_250.4);
});

test('two payments with one correlator are both booked', async () => {
  await pay(1_000);
  await pay(1_000);
  expect((await get(`${payments}?correlatorId=pay1`)).body).toHaveLength(2);
  expect((await phone.books()).charging.pay1).toEqual({ delivered: 2_000, count: 2, msisdn: '390000002' });
});

test('a bill that cannot be paid is refused with a code, and nothing is booked', async () => {
  const item = (id: string) => ({ account: { id: 'PA1000000001' }, paymentItem: [{ item: { id } }] });
  expect(await pay(89_000, item('PA1000000001-1'))).toMatchObject({ status: 422, body: { code: '60211' } });
  expect(await pay(89_000, item('1000000002-1'))).toMatchObject({ status: 404 });
  expect(await pay(89_000, { account: { id: '1' } })).toMatchObject({ status: 404 });
  for (const value of [0, -1, 1.005]) expect((await pay(value)).status).toBe(400);
  expect((await pay(5, { amount: { unit: 'USD', value: 5 } })).status).toBe(400);
  expect((await phone.books()).charging).toEqual({});
});

test('the generated accounts have their own email and one bill', async () => {
  const email = 'contact.contactMedium.characteristic.emailAddress';
  expect((await get(`${accounts}?id=PA2000000001&${email}=pa2000000001@example.mg`)).body).toHaveLength(1);
  expect((await get(`${accounts}?id=PA2000000001&${email}=client@example.mg`)).body).toEqual([]);
  expect((await get(`${bills}?billingAccount.id=PA2000000001`)).body).toHaveLength(1);
});
