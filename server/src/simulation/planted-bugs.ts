/** A plausible bug in the real code, as a replacement of source text. */
export interface PlantedBug {
  name: string;
  /** Relative to the repository. */
  file: string;
  find: string;
  replace: string;
}

const collect = 'server/src/payments/core/collect.steps.ts';
const context = 'server/src/payments/core/step-context.ts';
const delivery = 'server/src/payments/core/delivery.steps.ts';
const orders = 'server/src/payments/core/payments.orders.ts';
const processing = 'server/src/payments/core/payments.process.ts';
const callbacks = 'server/src/payments/callbacks/callbacks.service.ts';
const store = 'server/src/payments/core/payments.store.ts';
const approvals = 'server/src/approvals/approvals.service.ts';
const goodwill = 'server/src/payments/goodwill/payments.goodwill.ts';

/**
 * The simulation must catch each of them. They are applied while the code is loaded, so the product needs no switch for
 * them. A replacement whose text is not found is an error, which keeps this list in step with the code.
 */
export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'a timeout is read as a failure',
    file: collect,
    find: 'return loseStart(payment, outcome);',
    replace: "return step(payment, 'refuse', refusedStep('start', 'refusedByProvider'));",
  },
  {
    name: 'a callback is believed',
    file: callbacks,
    find: "await runner.enquireAfterCallback(hint.reference, verdict === 'signed' || verdict === 'unsigned');",
    replace: `const open = await (await import('../core/payments.store.ts')).findPayment(db, hint.reference);
      if (open && body.includes('"TS"') && ['AWAITING_PAYER', 'UNKNOWN'].includes(open.state))
        await runner.run(await (await import('../core/payments.state-writer.ts')).paymentStateWriter(deps)(open, 'pay', { posting: 'paid', patch: { provider_reference: 'x' } }));`,
  },
  {
    name: 'the amount is not compared',
    file: collect,
    find: 'const isSame = amount === payment.amount && currency === payment.currency;',
    replace: 'const isSame = true;',
  },
  {
    name: 'a delivery is repeated without an enquiry',
    file: delivery,
    find: 'const found = await fenced(payment, () => system.findDelivery(deliveryOf(payment)));',
    replace: "const found = { kind: 'notFound' } as Awaited<ReturnType<Fulfilment['findDelivery']>>;",
  },
  {
    name: 'a delivery without a response is refunded',
    file: delivery,
    find: "return step(fulfilling, 'loseDelivery', {",
    replace: "return step(fulfilling, 'refuseDelivery', {",
  },
  {
    name: 'the idempotency key is ignored',
    file: orders,
    find: 'const bodyHash = hashOf(attempt);',
    replace: `attempt = { ...attempt, key: attempt.key + Math.random() };
      const bodyHash = hashOf(attempt);`,
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
    file: processing,
    find: "const submitting = await move(payment, 'submit', {",
    replace: `const gateway = deps.gateways.get(payment.gateway);
      await gateway?.start({ ...payment, reference: id, shortReference: payment.short_reference, payerMsisdn: payment.msisdn } as never).catch(() => null);
      const submitting = await move(payment, 'submit', {`,
  },
  {
    name: 'late money is delivered',
    file: 'domain/payment/transitions.ts',
    find: "FAILED: { findLateMoney: 'REFUND_DUE'",
    replace: "FAILED: { findLateMoney: 'PAID'",
  },
  {
    name: '"not found" is read as failed at once',
    file: 'domain/payment/schedule.ts',
    find: 'return notFoundAnswers >= 6 && ageSeconds >= day;',
    replace: 'return notFoundAnswers >= 1;',
  },
  {
    name: 'there are no enquiries about late money',
    file: collect,
    find: 'patch: { due_at: inSeconds(lateMoneyDelay) },',
    replace: 'patch: { due_at: null },',
  },
  {
    name: 'the posting of a delivery is missing',
    file: delivery,
    find: "      posting: 'delivered',\n",
    replace: '',
  },
  {
    name: 'the claim of an order is not checked',
    file: delivery,
    find: 'if (!(await claims.claimOrder(transaction, row, row.changed_at))) throw new OrderClaimed();',
    replace: 'await claims.claimOrder(transaction, row, row.changed_at);',
  },
  {
    name: 'a payment fails while its payer has not answered yet',
    file: collect,
    find: "return payment.state === 'AWAITING_PAYER'\n          ? note(payment, later, evidence)",
    replace: `if (payment.attempts > 2) return step(payment, 'refuse', refusedStep('enquire', 'expired'));
        return payment.state === 'AWAITING_PAYER'
          ? note(payment, later, evidence)`,
  },
  {
    name: 'a proposal that another person has decided is carried out again',
    file: approvals,
    find: `        if (!(await store.approve(transaction, { id, digest, by: personId, now: now() })))
          throw await refusal(transaction, id, digest);
`,
    replace: '',
  },
  {
    name: 'a person may refund a payment in any state',
    file: 'server/src/payments/review/payments.review.ts',
    find: `      if (problem) throw new DecisionRefused(problem);
      const step = await stepOf(payment, as, changes);`,
    replace: `      if (problem && as !== 'giveBack') throw new DecisionRefused(problem);
      const step: Step = problem ? { patch: { attempts: 0, due_at: clock.now() } } : await stepOf(payment, as, changes);`,
  },
  {
    name: 'a credit without a response is sent again without an enquiry',
    file: goodwill,
    find: 'else await lookUpFirst(credit, epoch);',
    replace: 'else await send(credit, epoch);',
  },
  {
    name: 'a credit is sent before its intent is stored',
    file: goodwill,
    find: "const sending = await move(credit, 'sending', {",
    replace: "await charging.deliver(topUp);\n    const sending = await move(credit, 'sending', {",
  },
  {
    name: 'a credit without a response counts as refused',
    file: goodwill,
    find: "return move(sending, 'unknown', {\n      due_at",
    replace: "return move(sending, 'refused', {\n      due_at",
  },
  {
    name: 'the posting of a credit is missing',
    file: goodwill,
    find: '        await store.post(transaction, row);\n',
    replace: '',
  },
  {
    name: 'there is no message when money waits for a person',
    file: context,
    find: "return isNotified ? {} : { notice: 'lookedInto' };",
    replace: 'return {};',
  },
];
