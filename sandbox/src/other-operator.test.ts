import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from './sandbox.ts';
import { SandboxRefusal, settingsFromEnvironment } from './settings.ts';
import { numberPlan } from './wire/line-number.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox(
    settingsFromEnvironment({
      SANDBOX_COUNTRY: 'NG',
      SANDBOX_COUNTRY_CODE: '234',
      SANDBOX_CURRENCY: 'NGN',
      SANDBOX_NATIONAL_PREFIX: '0939',
    }),
  );
});
afterAll(() => sandbox.stop());

async function ask(path: string, key: string): Promise<unknown> {
  const answer = await fetch(sandbox.http + path, { headers: { authorization: `Bearer sandbox-${key}-key` } });
  return answer.json();
}

test('D9 lines have a further leading digit, and owners have names of their own', async () => {
  const base = '/charging/tmf-api/resourceInventoryManagement/v4/resource';
  expect(await ask(`${base}?value=09390000005`, 'charging')).toMatchObject([
    {
      id: '390000005',
      resourceCharacteristic: expect.arrayContaining([
        { name: 'broadband', value: true },
        { name: 'otpRecipient', value: '09390000001' },
      ]),
    },
  ]);
  expect(await ask(`${base}?value=09340000005`, 'charging')).toEqual([]);
});

test('D9 balances and bills are in the operator’s currency', async () => {
  const balance = '/charging/tmf-api/prepayBalanceManagement/v4/accumulatedBalance?partyAccount.id=09390000001';
  expect(await ask(balance, 'charging')).toMatchObject([{ totalBalance: { amount: 50_000, units: 'NGN' } }]);
  const bills = '/billing/tmf-api/customerBillManagement/v4/customerBill?billingAccount.id=1000000003';
  expect(await ask(bills, 'billing')).toMatchObject([{ remainingAmount: { unit: 'NGN', value: 12_000 } }]);
  const account = '/billing/tmf-api/accountManagement/v4/billingAccount/1000000003?relatedParty.id=09390000003';
  expect(await ask(account, 'billing')).toMatchObject({ relatedParty: [{ id: '09390000003' }] });
});

test('D9 numbers are accepted with and without their prefix', () => {
  const plans = [
    [{ countryCode: '261', prefix: '039' }, ['0390000005', '+261 39 00 000 05', '261390000005']],
    [{ countryCode: '234', prefix: '0939' }, ['9390000005', '09390000005', '+234 939 000 0005']],
    [{ countryCode: '243', prefix: '095' }, ['950000005', '0950000005', '+243 950 000 005']],
  ] as const;
  for (const [plan, spellings] of plans) {
    const numbers = numberPlan(plan);
    for (const text of ['390000005', ...spellings]) expect(numbers.line(text), text).toBe('390000005');
    expect(numbers.national('390000005')).toBe(`${plan.prefix}0000005`);
    expect(numbers.lineFromNational(`${plan.prefix}0000005`)).toBe('390000005');
    expect(numbers.lineFromNational('390000005')).toBeUndefined();
    for (const text of ['', '39000000', '+33 6 39 00 00 05', '12345678901234'])
      expect(numbers.line(text), text).toBeUndefined();
  }
  expect(numberPlan({ countryCode: '243', prefix: '095' }).line('+243 810 000 005')).toBe('810000005');
});

test('D9 invalid settings are refused in words', () => {
  for (const env of [
    { SANDBOX_CURRENCY: 'naira' },
    { SANDBOX_COUNTRY: 'ng' },
    { SANDBOX_NATIONAL_PREFIX: '9' },
    { SANDBOX_SECOND_CURRENCY: 'x' },
  ])
    expect(() => settingsFromEnvironment(env)).toThrow(SandboxRefusal);
});
