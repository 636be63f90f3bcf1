import { readPackage } from '@portal/operators/content.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { expect, test } from 'vitest';
import { createNotices, type PaymentNotice } from './notices.service.ts';

/** What comes by SMS about money on its way back. */
async function smsOf(gateway: string, code: string): Promise<string> {
  const { locale = '' } = pack.languages.find((one) => one.code === code) ?? {};
  const words = readPackage('mg', code, 'translation') as Record<string, string>;
  const sent: string[] = [];
  type Work = (notice: PaymentNotice) => Promise<void>;
  const workers: Work[] = [];
  const payment = {
    gateway,
    language: locale,
    msisdn: '0390000001',
    payer_msisdn: null,
    payer_proof: null,
    asked_from: null,
    amount: 5_000,
    currency: pack.currency.code,
    short_reference: 'SHORT',
    details: { item: { kind: 'airtime' } },
  };
  const notices = createNotices({
    find: async () => ({ payment, changes: [] }),
    jobs: { work: async (_: string, worker: Work) => void workers.push(worker) },
    budgets: { take: async () => null },
    now: () => new Date(0),
    sms: { send: async ({ text }: { text: string }) => void sent.push(text) },
    texts: {
      text: (_: string, key: string, params: Record<string, string> = {}) =>
        (words[key] ?? key).replaceAll(/\{(\w+)\}/g, (_whole, name) => params[name] ?? ''),
    },
    gateways: new Map([['orange', { isRefundBelieved: true }]]),
    pack,
  } as unknown as Parameters<typeof createNotices>[0]);
  await notices.start();
  for (const work of workers) await work({ paymentId: 'id1', kind: 'goingBack' });
  return sent.join();
}

test('MNY-5 the SMS about money on its way back says where the provider has not told when it will be there', async () => {
  const said = { EN: 'Orange Money has not told us when', FR: 'Orange Money ne nous a pas dit quand', MG: 'rahoviana' };
  for (const [code, words] of Object.entries(said)) {
    const untold = await smsOf('orange', code);
    expect(untold, code).toContain(words);
    expect(untold, code).toMatch(/Orange Money.*R[eé]f SHORT$/);
    // Two parts of a long message at most.
    expect(untold.length, code).toBeLessThanOrEqual(306);
    const usual = await smsOf('card', code);
    expect(usual, code).not.toContain(words);
    expect(usual, code).toContain('SHORT');
  }
});
