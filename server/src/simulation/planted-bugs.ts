/** A mistake that somebody could make in the real code, as a change of its text. */
export interface PlantedBug {
  name: string;
  /** Below the repository. */
  file: string;
  find: string;
  replace: string;
}

const steps = 'server/src/payments/payments.steps.ts';
const service = 'server/src/payments/payments.service.ts';
const store = 'server/src/payments/payments.store.ts';

/**
 * Each must be caught by the simulation. They are planted while the code is loaded, so that the product itself has no
 * switch for them; a change that no longer finds its place is an error, which keeps this list in step with the code.
 */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'silence is read as failure',
    file: steps,
    find: "return move(payment, 'lose', { patch: soon });",
    replace: "return move(payment, 'refuse', refusedStep('refusedByProvider'));",
  },
  {
    name: 'a callback is believed',
    file: service,
    find: 'await hurry(hint.reference);',
    replace: `const open = await store.findPayment(db, hint.reference);
      if (open && body.includes('"TS"') && ['AWAITING_PAYER', 'UNKNOWN'].includes(open.state))
        await run(await move(open, 'pay', { posting: 'paid', patch: { provider_reference: 'x' } }));`,
  },
  {
    name: 'the amount is not compared',
    file: steps,
    find: 'const isSameAmount = outcome.amount === null || outcome.amount === payment.amount;',
    replace: 'return true; const isSameAmount = true;',
  },
  {
    name: 'a delivery is repeated without a look',
    file: steps,
    find: 'const found = await fulfilmentOf(payment).findDelivery(deliveryOf(payment));',
    replace: "const found = { kind: 'notFound' } as Awaited<ReturnType<Fulfilment['findDelivery']>>;",
  },
  {
    name: 'a delivery without an answer is given back',
    file: steps,
    find: "return move(fulfilling, 'loseDelivery', {",
    replace: "return move(fulfilling, 'refuseDelivery', {",
  },
  {
    name: 'the attempt key is ignored',
    file: service,
    find: "{ operation: 'initiate', key: attempt.key, bodyHash }",
    replace: "{ operation: 'initiate', key: attempt.key + id, bodyHash }",
  },
  {
    name: 'a move is not guarded by state and version',
    file: store,
    find: `    .where('state', '=', payment.state)
    .where('version', '=', payment.version)
    .returningAll()`,
    replace: '    .returningAll()',
  },
  {
    name: 'the provider is called before the intent is stored',
    file: service,
    find: "const submitting = await move(payment, 'submit', {",
    replace: `await steps.start({ ...payment, state: 'SUBMITTING', version: 99 }).catch(() => null);
      const submitting = await move(payment, 'submit', {`,
  },
  {
    name: 'late money is delivered',
    file: 'domain/payment/transitions.ts',
    find: "FAILED: { findLateMoney: 'REFUND_DUE'",
    replace: "FAILED: { findLateMoney: 'PAID'",
  },
  {
    name: 'not found is read as failed at once',
    file: 'domain/payment/schedule.ts',
    find: 'return notFoundAnswers >= 6 && ageSeconds >= day;',
    replace: 'return notFoundAnswers >= 1;',
  },
  {
    name: 'nobody looks for late money',
    file: 'domain/payment/schedule.ts',
    find: 'return ageSeconds >= 25 * hour ? null : 30 * minute;',
    replace: 'return null;',
  },
  {
    name: 'an order is acknowledged though it was not stored',
    file: service,
    find: ': insert(db));',
    replace: ': insert(db).catch(() => true));',
  },
  {
    name: 'the books forget a delivery',
    file: steps,
    find: "      posting: 'delivered',\n",
    replace: '',
  },
  {
    name: 'who waits too long is called failed',
    file: steps,
    find: "const giveUp = () => move(payment, 'giveUp', { reason: 'retriesSpent', patch: counted });",
    replace: "const giveUp = () => move(payment, 'refuse', refusedStep('expired'));",
  },
  {
    name: 'a payer who has not answered is called failed',
    file: steps,
    find: "if (payment.state === 'UNKNOWN') return move(payment, 'accept', { patch: later });",
    replace: "if (payment.attempts > 2) return move(payment, 'refuse', refusedStep('expired'));",
  },
];
