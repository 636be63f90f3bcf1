import { readPackage } from '@portal/operators/content.ts';
import { pack } from '@portal/operators/mg/pack.ts';
import { expect, test } from 'vitest';
import { createNotices, type PaymentNotice } from './notices.service.ts';

/** The SMS of a kind; money on its way back by default. */
async function smsOf(
  gateway: string,
  code: string,
  reason = 'deliveryRefused',
  {
    kind = 'goingBack',
    ...other
  }: { kind?: PaymentNotice['kind']; taken_amount?: number; description?: string; details?: object } = {},
): Promise<string> {
  const { locale = '' } = pack.languages.find((one) => one.code === code) ?? {};
  const words = readPackage('mg', code, 'translation') as Record<string, string>;
  const sent: string[] = [];
  type Work = (notice: PaymentNotice) => Promise<void>;
  const workers: Work[] = [];
  const payment = {
    gateway,
    reason,
    language: locale,
    msisdn: '0390000001',
    payer_msisdn: null,
    payer_proof: null,
    asked_from: null,
    amount: 5_000,
    currency: pack.currency.code,
    short_reference: 'SHORT',
    details: { item: { kind: 'airtime' } },
    ...other,
  };
  const notices = createNotices({
    sent: { note: async () => {} },
    find: async () => ({ payment, changes: [] }),
    queue: { work: async (worker: Work) => void workers.push(worker) },
    budgets: { take: async () => null },
    now: () => new Date(0),
    sms: { send: async ({ text }: { text: string }) => void sent.push(text) },
    texts: {
      text: (_: string, key: string, params: Record<string, string> = {}) =>
        (words[key] ?? key).replaceAll(/\{(\w+)\}/g, (_whole, name) => params[name] ?? ''),
    },
    gateways: new Map([['orange', { isRefundUndocumented: true }]]),
    pack,
    statusUrl: (reference: string, language: string) => `https://fanilo.example/${language}?id=${reference}`,
  } as unknown as Parameters<typeof createNotices>[0]);
  await notices.start();
  for (const work of workers) await work({ paymentId: 'id1', kind });
  return sent.join();
}

test('MNY-5 the SMS about money on its way back says so if the provider does not tell when it arrives', async () => {
  const said = { EN: 'Orange Money has not told us when', FR: 'Orange Money ne nous a pas dit quand', MG: 'rahoviana' };
  for (const [code, words] of Object.entries(said)) {
    const untold = await smsOf('orange', code);
    expect(untold, code).toContain(words);
    expect(untold, code).toMatch(/Orange Money.*R[eé]f SHORT$/);
    // At most two parts of a long message.
    expect(untold.length, code).toBeLessThanOrEqual(306);
    const usual = await smsOf('card', code);
    expect(usual, code).not.toContain(words);
    expect(usual, code).toContain('SHORT');
  }
});

test('MNY-3 the SMS about money on its way back says why: not delivered, paid already by somebody, or come too late', async () => {
  const said = {
    deliveryRefused: { EN: 'could not be delivered', FR: 'livraison impossible', MG: 'tsy tonga' },
    paidAlready: { EN: 'had been paid already', FR: 'déjà payé', MG: 'efa voaloa' },
    lateMoney: { EN: 'came after the order had ended', FR: 'après la fin de la commande', MG: "taorian'ny fiafaran" },
  };
  for (const [reason, words] of Object.entries(said))
    for (const gateway of ['card', 'orange'])
      for (const code of ['EN', 'FR', 'MG'] as const) {
        const sms = await smsOf(gateway, code, reason);
        expect(sms, `${gateway} ${code}`).toContain(words[code]);
        for (const [other, otherWords] of Object.entries(said))
          if (other !== reason) expect(sms, `${gateway} ${code}`).not.toContain(otherWords[code]);
        expect(sms.length).toBeLessThanOrEqual(306);
      }
});

test('the payer is told that a person looks into it, with the amount that was taken', async () => {
  for (const [code, words] of Object.entries({
    EN: 'A person is looking',
    FR: 'Une personne',
    MG: 'Misy olona mijery',
  })) {
    const sms = await smsOf('card', code, 'amountConflict', { kind: 'lookedInto', taken_amount: 4_900 });
    expect(sms, code).toContain(words);
    expect(sms, code).toMatch(/4.900/);
    expect(sms, code).not.toMatch(/5.000/);
    expect(sms.length, code).toBeLessThanOrEqual(306);
  }
});

test('STA-8 MNY-1 the SMS at the end of a payment links to its page by the reference, where that costs no further part', async () => {
  for (const { code, locale } of pack.languages) {
    const link = `https://fanilo.example/${locale}?id=SHORT`;
    for (const kind of ['delivered', 'givenBack'] as const) {
      const sms = await smsOf('card', code, 'deliveryRefused', { kind });
      expect(sms, code).toContain(` SHORT ${link}`);
      expect(sms.length, code).toBeLessThanOrEqual(160);
    }
    const long = { kind: 'delivered', description: 'x'.repeat(70), details: { item: { kind: 'bundle' } } } as const;
    const sms = await smsOf('card', code, 'deliveryRefused', long);
    expect(sms, code).toContain('SHORT');
    expect(sms, code).not.toContain('https:');
    // Not the end: the money is still on its way.
    expect(await smsOf('card', code), code).not.toContain('https:');
  }
});

test('MNY-1 of a bill every SMS says that it is paid, is not, or will be, and never that it is delivered', async () => {
  const bill = { details: { item: { kind: 'bill' } } };
  for (const { code } of pack.languages)
    for (const [gateway, kind] of [
      ['card', 'delivered'],
      ['card', 'received'],
      ['card', 'lookedInto'],
      ['card', 'goingBack'],
      ['orange', 'goingBack'],
    ] as const) {
      const sms = await smsOf(gateway, code, 'deliveryRefused', { kind, ...bill });
      expect(sms, `${code} ${kind}`).not.toMatch(/deliver|livr|tonga ny|novidi/i);
      expect(sms.length, `${code} ${kind}`).toBeLessThanOrEqual(306);
    }
});
