import { describe, expect, test } from 'vitest';
import { paymentGuards, walletOf } from './payments.guards.ts';
import type { Payment } from './payments.store.ts';

const transaction = 'the transaction' as never;
const submittedAt = new Date('2026-03-02T08:00:00Z');
const payment = (over: Partial<Payment> = {}) =>
  ({
    id: 'id',
    gateway: 'wallet',
    msisdn: '0390000002',
    payer_msisdn: '0390000001',
    payer_proof: null,
    proof_digest: null,
    invoice_number: null,
    asked_from: 'narrow wide',
    visit: null,
    submitted_at: submittedAt,
    ...over,
  }) as Payment;
const byToken = { payer_proof: 'token', proof_digest: 'digest' } as const;

/** The guards with services that record their calls. */
function guards({
  holds = true,
  hasTry = true,
  spent = null as string | null,
  onPhone = true,
  canProve = true,
  approved = [] as string[],
} = {}) {
  const asked: unknown[][] = [];
  const answering =
    <Answer>(name: string, answer: Answer) =>
    async (...args: unknown[]) => {
      asked.push([name, ...args]);
      return answer;
    };
  const made = paymentGuards({
    pins: {
      takeTry: answering('takeTry', hasTry),
      noteWrong: answering('noteWrong', undefined),
      noteLocked: answering('noteLocked', undefined),
      noteRight: answering('noteRight', undefined),
      returnAttempt: answering('returnAttempt', undefined),
    } as never,
    proofs: { holdProof: answering('holdProof', holds), releaseProof: answering('releaseProof', undefined) },
    budgets: {
      take: answering('take', spent),
      giveBack: answering('giveBack', undefined),
      used: async (draws: { subject: string }[]) =>
        draws.map(({ subject }) => ({ count: approved.includes(subject) ? 1 : 0, most: 1 })),
    } as never,
    limits: { giveBack: (...args) => void asked.push(['order', ...args]) },
    risk: {
      paidBy: answering('paidBy', undefined),
      proveOrAsk: answering('proveOrAsk', canProve),
      canBeAsked: () => canProve,
    },
    asksOnPhone: (gateway) => onPhone && gateway === 'wallet',
  });
  return { ...made, asked };
}
const draws = [
  { budget: 'promptPayer', subject: '0390000001' },
  { budget: 'promptRecipient', subject: '0390000002' },
  { budget: 'promptNetwork', subject: 'narrow', factor: 1 },
  { budget: 'promptNetwork', subject: 'wide', factor: 16 },
  { budget: 'promptAll', subject: '' },
];
const busy =
  'Too many payment requests were made for now. Nothing was taken. Please choose another way to pay, or try again in an hour.';

test('SEC-28 the card that paid is recorded if the gateway identifies it', async () => {
  const { paid, asked } = guards({ onPhone: false });
  const bought = payment({ asked_from: null });
  await paid(transaction, bought, 'fingerprint');
  expect(asked).toEqual([['paidBy', transaction, bought, 'fingerprint']]);
});

test('a payment request that a stranger can cause draws on every budget, narrow ones first', async () => {
  const { submitting, asked } = guards();
  await submitting(transaction, payment());
  expect(asked).toEqual([['take', draws, transaction]]);
});

test('the recipient counted is the payer’s own number, or the invoice of a bill without a number', async () => {
  const { submitting, asked } = guards();
  await submitting(transaction, payment({ payer_msisdn: null, asked_from: null }));
  await submitting(transaction, payment({ msisdn: '', invoice_number: 'INV-1', asked_from: null }));
  await submitting(transaction, payment({ msisdn: '', asked_from: null }));
  const subjects = asked.map(([, drawn]) => (drawn as typeof draws).map(({ subject }) => subject));
  expect(subjects).toEqual([
    ['0390000002', '0390000002', ''],
    ['0390000001', 'INV-1', ''],
    ['0390000001', '', ''],
  ]);
});

test('a gateway with its own page, or a payer who proved the number, draws on no budget of payment requests', async () => {
  const card = guards({ onPhone: false });
  await card.submitting(transaction, payment());
  await card.paid(transaction, payment({ asked_from: null }));
  expect(card.asked).toEqual([]);
  const proved = guards();
  await proved.submitting(transaction, payment({ payer_proof: 'code' as never }));
  expect(proved.asked).toEqual([]);
});

test('a token pays once, and each PIN sent with it counts as an attempt on its wallet', async () => {
  const { submitting, asked } = guards();
  await submitting(transaction, payment(byToken));
  expect(asked).toEqual([
    ['holdProof', transaction, 'digest', 'id'],
    ['takeTry', transaction, 'wallet:0390000001'],
  ]);
  expect(walletOf('wallet', '0390000001')).toBe('wallet:0390000001');
  const own = guards();
  await own.submitting(transaction, payment({ ...byToken, payer_msisdn: null }));
  expect(own.asked.at(-1)).toEqual(['takeTry', transaction, 'wallet:0390000002']);
});

test('a proof in use, no PIN attempt left or a spent budget stop it before the provider is called', async () => {
  await expect(guards({ holds: false }).submitting(transaction, payment(byToken))).rejects.toMatchObject({
    kind: 'notVerified',
    message: 'Please verify your number first.',
  });
  const stopped = { kind: 'payerBusy', message: busy };
  await expect(guards({ hasTry: false }).submitting(transaction, payment(byToken))).rejects.toMatchObject(stopped);
  await expect(guards({ spent: 'promptAll' }).submitting(transaction, payment())).rejects.toMatchObject(stopped);
});

test('SEC-19 a payer who can enter a code is asked for one instead, and continues with it', async () => {
  const shown = { isProved: false, uniqueCode: 'code' };
  const spent = guards({ spent: 'promptPayer' });
  await spent.submitting(transaction, payment(), shown);
  expect(spent.asked.at(-1)).toEqual([
    'proveOrAsk',
    transaction,
    payment(),
    { rule: 'promptPayer', uniqueCode: 'code' },
  ]);
  const foreign = guards({ spent: 'promptPayer', canProve: false });
  await expect(foreign.submitting(transaction, payment(), shown)).rejects.toMatchObject({ kind: 'payerBusy' });
  const proved = guards({ spent: 'promptPayer' });
  await proved.submitting(transaction, payment(), { isProved: true });
  expect(proved.asked).toEqual([]);
});

test.each([
  ['insufficientFunds', 2],
  ['noWallet', 2],
  ['declined', 0],
  ['expired', 0],
] as const)(
  'SEC-16 a request that was refused because of %s counts for %i more, and for who heard it',
  async (reason, times) => {
    const { refused, asked } = guards();
    await refused(transaction, payment(), reason);
    const heard = [
      { budget: 'heardNetwork', subject: 'narrow', factor: 1 },
      { budget: 'heardNetwork', subject: 'wide', factor: 16 },
    ];
    const counted = [Array(times).fill(draws[0]), heard].map((each) => ['take', each, transaction]);
    expect(asked).toEqual(times ? counted : []);
    // A payer who cannot be sent a code would be locked out.
    const foreign = guards({ canProve: false });
    await foreign.refused(transaction, payment(), reason);
    expect(foreign.asked).toEqual([]);
  },
);

test.each([
  ['wrongPin', 'noteWrong'],
  ['walletLocked', 'noteLocked'],
  ['insufficientFunds', 'returnAttempt'],
] as const)('a wallet that refused because of %s is noted so, and the proof may pay again', async (reason, noted) => {
  const { refused, asked } = guards();
  await refused(transaction, payment(byToken), reason);
  expect(asked).toEqual([
    ['releaseProof', transaction, 'digest', 'id'],
    [noted, transaction, 'wallet:0390000001'],
  ]);
  const without = guards();
  await without.refused(transaction, payment({ ...byToken, proof_digest: null }), reason);
  expect(without.asked).toEqual([[noted, transaction, 'wallet:0390000001']]);
});

test('a refused payment without a PIN changes no PIN attempts', async () => {
  const { refused, asked } = guards();
  await refused(transaction, payment({ proof_digest: 'digest' }), 'wrongPin');
  expect(asked).toEqual([]);
});

test('a paid payment gives back its draws: order of the network, request to the payer, PIN attempts of the wallet', async () => {
  const prompted = guards();
  await prompted.paid(transaction, payment());
  expect(prompted.asked).toEqual([
    ['order', 'order', 'narrow wide'],
    ['giveBack', draws, submittedAt, transaction],
  ]);
  const pinned = guards();
  await pinned.paid(transaction, payment({ ...byToken, asked_from: null }));
  expect(pinned.asked).toEqual([['noteRight', transaction, 'wallet:0390000001']]);
  const unsubmitted = guards();
  await unsubmitted.paid(transaction, payment({ submitted_at: null, asked_from: null }));
  expect(unsubmitted.asked).toEqual([]);
});

describe('SEC-19 a number of another network, whose owner cannot be sent a code', () => {
  const drawn = (asked: unknown[][]) => ((asked[0]?.[1] ?? []) as { budget: string; subject: string }[]).slice(0, 2);
  const stranger = { budget: 'promptStranger', subject: '0390000001 from narrow' };
  const visit = 'v'.repeat(22);

  test('one address can use only a part of its requests', async () => {
    const { submitting, asked } = guards({ canProve: false });
    await submitting(transaction, payment({ visit }));
    expect(asked).toEqual([['take', [stranger, ...draws], transaction]]);
  });

  test('a browser or address that approved a payment recently has a separate budget that strangers cannot use up', async () => {
    for (const approved of [`0390000001 in ${visit}`, '0390000001 from narrow']) {
      const { submitting, asked } = guards({ canProve: false, approved: [approved] });
      await submitting(transaction, payment({ visit }));
      expect(drawn(asked)).toEqual([{ budget: 'promptKnown', subject: approved }, draws[1]]);
    }
    // A network is shared: an approval there does not vouch for a visit that is only the network.
    const { submitting, asked } = guards({ canProve: false, approved: ['0390000001 in network-x'] });
    await submitting(transaction, payment({ visit: 'network-x' }));
    expect(drawn(asked)[0]).toEqual(stranger);
  });

  test('an approval is recorded once for the browser and once for the address; not needed on our own network', async () => {
    const { paid, asked } = guards({ canProve: false });
    await paid(transaction, payment({ visit }));
    const remembered = ['0390000001 in vvvvvvvvvvvvvvvvvvvvvv', '0390000001 from narrow'].map((subject) => ({
      budget: 'payerApproved',
      subject,
      factor: Number.POSITIVE_INFINITY,
    }));
    expect(asked).toEqual([
      ['order', 'order', 'narrow wide'],
      ['giveBack', [stranger, ...draws], submittedAt, transaction],
      ['take', remembered, transaction],
    ]);
  });
});
