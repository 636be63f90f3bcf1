import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { listedLines } from '../state/line-table.ts';
import { WalletMerchant } from '../wallet/wallet-client.fixture.ts';
import { html } from './html.ts';
import { PhoneClient } from './phone-client.fixture.ts';

let sandbox: Sandbox;
let phone: PhoneClient;

beforeAll(async () => {
  sandbox = await startSandbox({ approveAfterMs: 60_000 });
  phone = new PhoneClient(sandbox.http);
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  await phone.post('/reset');
});

async function page(path: string, form?: Record<string, string>): Promise<string> {
  const init = form && { method: 'POST', body: new URLSearchParams(form) };
  const response = await fetch(sandbox.http + path, init);
  expect(response.status).toBe(200);
  return response.text();
}

async function startPayment(number: string) {
  const merchant = new WalletMerchant(sandbox.http);
  await merchant.login();
  await merchant.pay(number, 900);
  const [prompt] = await phone.prompts(number);
  if (!prompt) throw new Error('No prompt was made.');
  return prompt;
}

test('the lines match the table', async () => {
  expect(await phone.line('390000001')).toMatchObject({
    lineType: 'PREPAID',
    airtime: 50_000,
    wallet: 500_000,
    outstanding: null,
  });
  expect(await phone.line('0390000002')).toMatchObject({
    lineType: 'POSTPAID',
    airtime: null,
    account: '1000000002',
    outstanding: 45_250.4,
  });
  expect(await phone.line('390000003')).toMatchObject({ lineType: 'HYBRID', airtime: 5_000, outstanding: 12_000 });
  expect(await phone.line('390000004')).toMatchObject({ airtime: 0, wallet: 0 });
  expect((await phone.line('390000005')).bundles).toMatchObject([
    { amount: 3.2, unit: 'GB' },
    { description: 'Unlimited nights', amount: null },
  ]);
  expect(await phone.line('390000006')).toMatchObject({ walletLocked: true });
  expect(await phone.line('390000011')).toMatchObject({ wallet: null });
  expect(await phone.line('397654321')).toMatchObject({ lineType: 'PREPAID', airtime: 10_000, wallet: 100_000 });
  for (const number of ['390000009', '340000001', '12']) {
    expect((await fetch(`${sandbox.http}/sandbox/api/lines/${number}`)).status).toBe(404);
  }
});

test('reset restores everything and clears prompts, faults and books', async () => {
  const prompt = await startPayment('390000001');
  expect((await phone.post(`/prompts/${prompt.id}`, { action: 'approve' })).status).toBe(204);
  await phone.fault({ provider: 'wallet', fault: 'error500' });
  expect((await phone.line('390000001')).wallet).toBe(499_100);
  expect((await phone.post('/reset')).status).toBe(204);
  expect((await phone.line('390000001')).wallet).toBe(500_000);
  expect(await phone.prompts('390000001')).toEqual([]);
  expect((await phone.books()).wallet).toEqual({});
  expect(await (await fetch(`${sandbox.http}/sandbox/api/faults`)).json()).toEqual([]);
});

test('the callback URL may only be on this machine', async () => {
  expect((await phone.post('/callback-base', { url: 'http://127.0.0.1:3000' })).status).toBe(204);
  for (const url of [
    'http://example.com',
    'http://127.0.0.1.example.com',
    'file:///etc/hosts',
    'nonsense',
    undefined,
  ]) {
    expect((await phone.post('/callback-base', { url })).status).toBe(422);
  }
});

test('a call without a body accepts an empty one of any type', async () => {
  const headers = { 'content-type': 'application/json' };
  const reset = await fetch(`${sandbox.http}/sandbox/api/reset`, { method: 'POST', headers });
  const clear = await fetch(`${sandbox.http}/sandbox/api/faults`, { method: 'DELETE', headers });
  expect([reset.status, clear.status]).toEqual([204, 204]);
  const broken = await fetch(`${sandbox.http}/sandbox/api/faults`, { method: 'POST', headers, body: '{' });
  expect(broken.status).toBe(422);
});

test('the page lists every line with its flow, without inline script or style', async () => {
  const text = await page('/sandbox');
  for (const line of listedLines) expect(text).toContain(`href="${line.use.href}"`);
  expect(listedLines).toHaveLength(15);
  expect(text).not.toMatch(/<style|style=|<script(?! src=)|\son\w+=/);
  expect(await page('/sandbox/phone.css')).toContain('--flame: #c8410b');
  expect(await page('/sandbox/phone.js')).toContain('setInterval');
});

test('prompts are answered and faults injected by plain forms', async () => {
  const prompt = await startPayment('390000007');
  expect(await page('/sandbox?line=0390000007')).toContain(`/sandbox/prompts/${prompt.id}`);
  const wrong = await page(`/sandbox/prompts/${prompt.id}?line=390000007`, { action: 'approve', pin: '1111' });
  expect(wrong).toContain('The PIN is wrong.');
  await page(`/sandbox/prompts/${prompt.id}?line=390000007`, { action: 'approve', pin: '1234' });
  expect((await phone.prompts('390000007'))[0]?.state).toBe('approved');

  const added = await page('/sandbox/faults?line=390000007', {
    provider: 'sms',
    fault: 'timeout',
    times: '2',
    rate: '',
    delayMs: '',
  });
  expect(added).toContain('2 more');
  expect(await page('/sandbox/faults', { provider: 'sms', fault: 'timeout', times: 'x' })).toContain('times must be');
  expect(await page('/sandbox/faults/clear', {})).toContain('Faults cleared.');
});

test('untrusted text is escaped', async () => {
  expect(html`<p title="${'"'}">${'<script>'}${[html`<b>${'&'}</b>`]}</p>`.text).toBe(
    '<p title="&quot;">&lt;script&gt;<b>&amp;</b></p>',
  );
  expect(await page(`/sandbox?line=${encodeURIComponent('<script>alert(1)</script>')}`)).not.toContain('<script>alert');
});
