import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { PhoneClient } from '../phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { settingsFromEnvironment } from '../settings.ts';

let sandbox: Sandbox;
let phone: PhoneClient;
beforeAll(async () => {
  sandbox = await startSandbox(
    settingsFromEnvironment({
      SANDBOX_COUNTRY: 'CD',
      SANDBOX_COUNTRY_CODE: '243',
      SANDBOX_CURRENCY: 'USD',
      SANDBOX_CURRENCY_DIGITS: '2',
      SANDBOX_SECOND_CURRENCY: 'CDF',
      SANDBOX_NATIONAL_PREFIX: '095',
      SANDBOX_BRAND: 'Mwinda',
    }),
  );
  phone = new PhoneClient(sandbox.http);
});
afterAll(() => sandbox.stop());
beforeEach(() => phone.post('/reset'));

const latest = (query: string, authorization = 'Token sandbox-exchange-key') =>
  fetch(`${sandbox.http}/exchange/api/latest.json?${query}`, { headers: { authorization } });

test('PAY-5 one dollar is 2,800 francs as of the last full hour', async () => {
  const answer = (await (await latest('base=USD&symbols=CDF')).json()) as { timestamp: number };
  expect(answer).toMatchObject({ base: 'USD', rates: { CDF: 2_800 } });
  expect(answer.timestamp % 3_600).toBe(0);
  expect(Date.now() / 1000 - answer.timestamp).toBeLessThan(3_601);
});

test('a wrong key, base or currency gets no rate', async () => {
  expect((await latest('base=USD&symbols=CDF', 'Token other')).status).toBe(401);
  expect(await (await latest('base=EUR&symbols=CDF')).json()).toMatchObject({ rates: {} });
  expect(await (await latest('base=USD&symbols=XAF')).json()).toMatchObject({ rates: {} });
});

test('the rate can be set, made to fail and removed; a reset restores it', async () => {
  await phone.post('/exchange-rate', { rate: 3_000 });
  expect(await (await latest('base=USD&symbols=CDF')).json()).toMatchObject({ rates: { CDF: 3_000 } });
  expect((await phone.post('/exchange-rate', { rate: 'x' })).status).toBe(422);
  await phone.fault({ provider: 'exchange', fault: 'error500' });
  expect((await latest('base=USD&symbols=CDF')).status).toBe(500);
  await phone.clearFaults();
  await phone.fault({ provider: 'exchange', fault: 'wrongAmount', operation: 'rate', times: 1 });
  expect(await (await latest('base=USD&symbols=CDF')).json()).toMatchObject({ rates: { CDF: 0 } });
  await phone.post('/reset');
  expect(await (await latest('base=USD&symbols=CDF')).json()).toMatchObject({ rates: { CDF: 2_800 } });
});

test('D9 balances and bills are in dollars, and the phone names this operator only', async () => {
  const headers = { authorization: 'Bearer sandbox-charging-key' };
  const balance = '/charging/tmf-api/prepayBalanceManagement/v4/accumulatedBalance?partyAccount.id=0950000005';
  expect(await (await fetch(sandbox.http + balance, { headers })).json()).toMatchObject([
    { totalBalance: { amount: 15, units: 'USD' } },
  ]);
  expect(await phone.line('0950000001')).toMatchObject({
    number: '390000001',
    wallet: 500_000,
    secondWallet: 14_000_000,
  });
  expect(await phone.line('390000003')).toMatchObject({ outstanding: 120 });
  const page = await (await fetch(`${sandbox.http}/sandbox?line=950000003`)).text();
  expect(page).toContain('+243');
  expect(page).toContain('USD 120');
  expect(page).toContain('CDF 2,800,000');
  expect(page).toContain('/postpaid-bill-pay?msisdn=950000003');
  expect(page).not.toMatch(/MGA|\+261|Fanilo/);
});
