import { setTimeout } from 'node:timers/promises';
import { loadPack } from '@portal/operators/load-pack.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cards, HostedVisitor } from '../../../sandbox/src/hosted/hosted-visitor.fixture.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/sandbox.ts';
import { readConfig } from '../config/config.ts';
import { connectProviders, type Providers } from '../wiring/providers.ts';
import { runCertifyCommand } from './certify.commands.ts';
import { certify, type Finding } from './certify.ts';
import { chargeIn } from './charge.fixture.ts';
import { HttpClient } from './http-client.ts';
import type { PaymentGateway } from './ports.ts';

let sandbox: Sandbox;
let http: HttpClient;
let providers: Providers;
beforeAll(async () => {
  sandbox = await startSandbox({ approveAfterMs: 20 });
  http = new HttpClient();
  const config = readConfig({
    SANDBOX_URL: sandbox.http,
    SMPP_URL: 'smpp://127.0.0.1:9',
    SMTP_URL: 'smtp://127.0.0.1:9',
  });
  providers = connectProviders(config, await loadPack('mg'), http);
});
afterAll(async () => {
  await http.close();
  await sandbox.stop();
});

/** What the payer does on the provider's page. */
async function payAt(url: string): Promise<void> {
  const page = await new HostedVisitor(url).open();
  if (page.text.includes('Card number')) await page.payWithCard(cards.pays);
  else await (await page.fill({ number: '390000001' })).fill({ code: '1234' });
}

async function certified(name: string, gateway?: Partial<PaymentGateway>): Promise<Finding[]> {
  const found = providers.gateways.get(name);
  if (!found) throw new Error(`no gateway ${name}`);
  const asked: string[] = [];
  return certify({
    gateway: { ...found, ...gateway },
    statements: providers.statements.get(name),
    charge: chargeIn('MGA', { amount: 1_000 }),
    unused: chargeIn('MGA'),
    mayRepeat: true,
    ask(what) {
      asked.push(what);
      const url = /^Open (\S+)/.exec(what)?.[1];
      if (url) void payAt(url);
    },
    pause: () => setTimeout(20),
    polls: 100,
  });
}

const broken = (findings: Finding[]) => findings.filter(({ holds }) => holds === false).map(({ step }) => step);

test.each(['wallet', 'mpesa', 'airtime', 'card', 'orange'])(
  'REL-17 the account of %s at the sandbox is certified, step by step',
  async (name) => {
    const findings = await certified(name);
    expect(broken(findings)).toEqual([]);
    expect(findings.map(({ step }) => step)).toEqual([
      'a payment that never was is not found',
      'a charge is taken in',
      'an approved charge is paid',
      'the enquiry states what was taken',
      'asked again it says the same',
      'the same reference takes nothing a second time',
      'the money goes back, and it can be proved',
      'a second refund gives nothing',
      'its list of the day has the payment as it was',
    ]);
  },
);

test('REL-17 a provider that takes another amount, charges twice or does not refund is not certified', async () => {
  const wallet = providers.gateways.get('wallet');
  expect(
    broken(
      await certified('wallet', {
        enquire: async () => ({ kind: 'paid', providerReference: 'x', amount: 999, currency: 'MGA' }),
      }),
    ),
  ).toEqual(expect.arrayContaining(['a payment that never was is not found', 'the enquiry states what was taken']));
  expect(broken(await certified('wallet', { start: async () => ({ kind: 'unclear', detail: 'x' }) }))).toEqual([
    'a charge is taken in',
  ]);
  let starts = 0;
  const takesTwice: PaymentGateway['start'] = async (charge) => {
    starts += 1;
    return starts === 1 && wallet ? wallet.start(charge) : { kind: 'await' };
  };
  expect(broken(await certified('wallet', { start: takesTwice }))).toEqual([
    'the same reference takes nothing a second time',
  ]);
  const keeps = { refund: async () => ({ kind: 'unclear', detail: 'no' }) as const };
  expect(broken(await certified('wallet', keeps))).toEqual([
    'the money goes back, and it can be proved',
    'its list of the day has the payment as it was',
  ]);
});

test('REL-17 the command certifies, prints its usage for bad arguments, and reports the checks that fail', async () => {
  const pack = await loadPack('mg');
  const run = async (words: string[], gateways = providers.gateways) => {
    const lines: string[] = [];
    const references = [1, 2].map(() => chargeIn('MGA'));
    const asking = { pack, publicUrl: 'https://portal.example', references, pin: undefined };
    const status = await runCertifyCommand(
      words,
      { ...providers, gateways },
      { ...asking, print: (line) => lines.push(line) },
    );
    return { status, text: lines.join('\n') };
  };
  expect(await run(['wallet', '390000001'])).toMatchObject({ status: 2 });
  expect(await run(['wallet', '390000001', '-5'])).toMatchObject({ status: 2 });
  expect((await run(['nobody', '390000001', '1000'])).text).toContain('configured: wallet');
  const airtime = await run(['airtime', '0390000001', '1000']);
  expect(airtime.text).toContain('holds          a payment that never was is not found');
  expect(airtime).toMatchObject({ status: 0 });
  const refusing = { ...providers.gateways.get('wallet'), start: async () => ({ kind: 'unclear', detail: 'x' }) };
  const refused = await run(['wallet', '390000001', '1000'], new Map([['wallet', refusing as PaymentGateway]]));
  expect(refused.text).toContain('DOES NOT HOLD  a charge is taken in (unclear)');
  expect(refused).toMatchObject({ status: 1 });
});
