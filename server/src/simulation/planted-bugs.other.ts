import type { PlantedBug } from './planted-bugs.ts';

const stepContext = 'server/src/payments/core/step-context.ts';
const collect = 'server/src/payments/core/collect.steps.ts';
const delivery = 'server/src/payments/core/delivery.steps.ts';
const refund = 'server/src/payments/core/refund.steps.ts';
const move = 'server/src/payments/core/payments.state-writer.ts';
const orders = 'server/src/payments/core/payments.orders.ts';
const store = 'server/src/payments/core/payments.store.ts';
const review = 'server/src/payments/review/payments.review.ts';
const connectors = 'server/src/connectors';

/** Written by a person who had not seen the simulation. */
export const otherBugs: readonly PlantedBug[] = [
  // Fences and leases.
  {
    name: 'The time left of a lease is counted from the response of the database, not from the query',
    file: stepContext,
    find: 'callWithin(since + leftMs, call)',
    replace: 'callWithin(performance.now() + leftMs, call)',
  },
  {
    name: 'A refund is sent without checking the lease',
    file: refund,
    find: 'await fenced(refunding, () => gateway.refund(refundOf(refunding)), epoch);',
    replace: 'await gateway.refund(refundOf(refunding));',
  },
  {
    name: 'The lease is checked when a request is queued, not when it is written',
    file: `${connectors}/http-client.ts`,
    find: `  readonly #isOver = leaseGuard();

  onRequestStart(...started: Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>) {
    if (this.#isOver()) throw`,
    replace: `  readonly #isOver = leaseGuard()();

  onRequestStart(...started: Parameters<NonNullable<Dispatcher.DispatchHandler['onRequestStart']>>) {
    if (this.#isOver) throw`,
  },
  {
    name: 'A reading of the database clock that is less exact is dropped, even where time has jumped',
    file: 'server/src/db/clock.ts',
    find: 'if (isApart || next.errorMs <= reading.errorMs) reading = next;',
    replace: 'if (next.errorMs <= reading.errorMs) reading = next;',
  },
  {
    name: 'The fence compares the number of the epoch, but not the server',
    file: store,
    find: '} and server = portal_server()\n        and number',
    replace: '}\n        and number',
  },

  // Lag, and lookups before sending again.
  {
    name: 'A repeated delivery keeps the time of the first call, so the lag of the second is not waited for',
    file: 'server/src/payments/core/deliveries.store.ts',
    find: 'doUpdateSet({ attempts: sql`deliveries.attempts + 1`, sent_at: at }),',
    replace: 'doUpdateSet({ attempts: sql`deliveries.attempts + 1` }),',
  },
  {
    name: 'The day after which "not found" is a proof is counted from the order, not from the call to its provider',
    file: collect,
    find: 'const age = ageSeconds(payment.submitted_at ?? payment.created_at);',
    replace: 'const age = ageSeconds(payment.created_at);',
  },
  {
    name: 'A connection cut after the request was written counts as one that was never made',
    file: `${connectors}/http-client.ts`,
    find: "  'ECONNREFUSED',\n",
    replace: "  'ECONNREFUSED',\n  'ECONNRESET',\n  'UND_ERR_SOCKET',\n",
  },
  {
    name: 'The call of a refund is stored with its response, not before it',
    file: refund,
    find: `        refund_sent_at: clock.now(),
        refund_expected_at: payment.refund_expected_at ?? inSeconds(24 * 3600),
      },
    });
    if (!refunding) return null;
    const outcome = await fenced(refunding, () => gateway.refund(refundOf(refunding)), epoch);
    if (!outcome) return null;
    if (outcome.kind === 'refunded') return refunded(refunding, 'refund');
    events.unclear(refunding, 'refund', outcome.detail);
    const delay = gateway.findRefund && !outcome.isUnsent ? refundEnquiryDelay(0, 0) : refundDelay(payment.attempts);
    return step(refunding, 'loseRefund', {
      evidence: { call: 'refund', answer: 'unclear', detail: outcome.detail },
      patch: {
        due_at: inSeconds(delay ?? 0),
        ...(outcome.isUnsent ? { refund_sent_at: payment.refund_sent_at } : {}),
`,
    replace: `        refund_expected_at: payment.refund_expected_at ?? inSeconds(24 * 3600),
      },
    });
    if (!refunding) return null;
    const outcome = await fenced(refunding, () => gateway.refund(refundOf(refunding)), epoch);
    if (!outcome) return null;
    if (outcome.kind === 'refunded') return refunded(refunding, 'refund');
    events.unclear(refunding, 'refund', outcome.detail);
    const delay = gateway.findRefund && !outcome.isUnsent ? refundEnquiryDelay(0, 0) : refundDelay(payment.attempts);
    return step(refunding, 'loseRefund', {
      evidence: { call: 'refund', answer: 'unclear', detail: outcome.detail },
      patch: {
        due_at: inSeconds(delay ?? 0),
        ...(outcome.isUnsent ? {} : { refund_sent_at: clock.now() }),
`,
  },
  {
    name: 'A top-up in progress counts as not found',
    file: `${connectors}/charging/messages.ts`,
    find: 'const topUps = actions.filter((entry) => !isOver(entry));',
    replace: "const topUps = actions.filter(({ status }) => status === 'completed');",
  },

  // Refunds.
  {
    name: 'The requested amount is refunded, not the taken one',
    file: refund,
    find: 'gateway.refund(refundOf(refunding))',
    replace: 'gateway.refund({ ...refundOf(refunding), amount: refunding.amount, currency: refunding.currency })',
  },
  {
    name: 'The attempts of a refused delivery count as attempts of its refund',
    file: delivery,
    find: `      evidence: { call: 'deliver', answer: 'refused', detail },
      patch: { attempts: 0, not_found_answers: 0 },
`,
    replace: `      evidence: { call: 'deliver', answer: 'refused', detail },
      patch: { not_found_answers: 0 },
`,
  },
  {
    name: 'The provider reference of the start is not replaced by that of the payment, which a refund needs',
    file: collect,
    find: '        provider_reference: outcome.providerReference,\n        taken_amount: amount,',
    replace:
      '        provider_reference: payment.provider_reference ?? outcome.providerReference,\n        taken_amount: amount,',
  },
  {
    name: 'Orange Money: a pending refund counts as done',
    file: `${connectors}/orange-money/messages.ts`,
    find: "status: z.enum(['SUCCESS', 'ALREADY_REFUNDED'])",
    replace: "status: z.enum(['SUCCESS', 'PENDING', 'ALREADY_REFUNDED'])",
  },

  // Deliveries.
  {
    name: 'A payment that the billing system only accepted counts as delivered',
    file: `${connectors}/billing/messages.ts`,
    find: "return refusedStatuses.includes(status) ? { kind: 'refused', detail: status } : { kind: 'unclear', detail: status };",
    replace:
      "return refusedStatuses.includes(status)\n    ? { kind: 'refused', detail: status }\n    : { kind: 'delivered', providerReference: id };",
  },
  {
    name: 'A delivery that a person resumed is abandoned because of the age of its first call',
    file: review,
    find: '            await deliveries.noteDelivery(transaction, row.id, { started_at: row.changed_at });\n',
    replace: '',
  },

  // Epochs and restores.
  {
    name: 'If a call is on record, a later call that a restore lost is not considered',
    file: stepContext,
    find: 'return ageSeconds(new Date(Math.max(pastEnded, sentAt?.getTime() ?? 0)));',
    replace: 'return ageSeconds(sentAt ?? new Date(pastEnded));',
  },
  {
    name: 'A refund due before a restore is requested at once unless a call is on record',
    file: refund,
    find: 'const isMaybeThere = sentAt !== null || payment.epoch !== epoch;\n    if (!isMaybeThere) return refund(payment, epoch);',
    replace: 'if (sentAt === null) return refund(payment, epoch);',
  },
  {
    name: 'An order from before a restore that is not found is started again even if its provider accepts repeats',
    file: collect,
    find: "if (found.kind !== 'notFound' || !gateway.refusesRepeats) return applyEnquiry(payment, found);",
    replace: "if (found.kind !== 'notFound') return applyEnquiry(payment, found);",
  },
  {
    name: 'An enquiry about an order from before a restore does not mark that it may have reached its provider',
    file: collect,
    find: "const submitting = await move(payment, 'submit', { patch: { submitted_at: clock.now() } });",
    replace: "const submitting = await move(payment, 'submit');",
  },
  {
    name: 'Airtel-style wallet: a repeated reference counts as a refusal',
    file: `${connectors}/wallet/messages.ts`,
    find: "if (result_code === repeatedReference) return { kind: 'unclear', detail: repeatedReference, isRepeated: true };",
    replace: "if (result_code === repeatedReference) return { kind: 'refused', reason: 'refusedByProvider' };",
  },
  {
    name: 'M-Pesa: a payment that the list shows as taken and reversed counts as paid',
    file: `${connectors}/mpesa/index.ts`,
    find: "    if (found.kind === 'reversed') return { kind: 'refused', reason: 'refusedByProvider' };\n",
    replace: '',
  },

  // Late money.
  {
    name: 'Enquiries stop for a failed payment that its provider reports as pending after a day',
    file: collect,
    find: "const isClear = outcome.kind === 'refused' || isNowhere;",
    replace: "const isClear = outcome.kind !== 'unclear';",
  },
  {
    name: 'The search for late money is timed from the start of the payment, not from its failure',
    file: collect,
    find: 'const isOver = ageSeconds(payment.changed_at) >= (gateway?.lateMoneyTerm ?? usualLateMoneyTerm);',
    replace: 'const isOver = ageSeconds(payment.submitted_at) >= (gateway?.lateMoneyTerm ?? usualLateMoneyTerm);',
  },
  {
    name: 'There are no enquiries about late money after a person stated that nothing was taken',
    file: review,
    find: "return { notice: 'notTaken', patch: { due_at: payment.submitted_at ? clock.now() : null } };",
    replace: "return { notice: 'notTaken' };",
  },

  // Evidence, amounts, the conflict account and the ledger.
  {
    name: 'A larger amount counts as the requested one',
    file: collect,
    find: 'const isSame = amount === payment.amount && currency === payment.currency;',
    replace: 'const isSame = amount >= payment.amount && currency === payment.currency;',
  },
  {
    name: 'A refund of another amount is booked from the customers’ account, not from conflicts',
    file: 'domain/payment/ledger.ts',
    find: 'refunded: { debit: owed, credit: provider },',
    replace: "refunded: { debit: 'customers:owed', credit: provider },",
  },
  {
    name: 'After an enquiry by a person the requested amount is booked, not the one that the provider states',
    file: review,
    find: 'const now = { ...payment, ...patch, changed_at: at };',
    replace: 'const now = { ...payment, changed_at: at };',
  },
  {
    name: 'A payment of another amount is shown as waiting for approval',
    file: 'domain/payment/shown-status.ts',
    find: "changes.some((change) => moneyProven(change.to) || change.event === 'conflict')",
    replace: 'changes.some((change) => moneyProven(change.to))',
  },
  {
    name: 'Paystack: the requested amount counts as the taken one',
    file: `${connectors}/paystack/messages.ts`,
    find: 'asked.fromHundredths(Math.min(data.requested_amount ?? data.amount, data.amount))',
    replace: 'asked.fromHundredths(data.requested_amount ?? data.amount)',
  },

  // Idempotency keys, and responses by key.
  {
    name: 'The reference of an attempt depends on the time, so an attempt that a restore lost is charged again',
    file: orders,
    find: '{bodyHash}`)',
    replace: '{clock.now().toISOString()}`)',
  },
  {
    name: 'A repeated key gets a response from the new request, not from the stored one',
    file: orders,
    find: '      if (!inserted) return (await findOrder(attempt)) ?? refuseKey();\n      events.created(quote);',
    replace: '      if (inserted) events.created(quote);',
  },
  {
    name: 'A key that is used with another body makes a second order',
    file: store,
    find: '    on conflict do nothing returning payment_id',
    replace:
      '    on conflict (operation, key) do update set body_hash = excluded.body_hash, payment_id = excluded.payment_id\n    returning payment_id',
  },

  // Order claims.
  {
    name: 'A delivery that was found after a restore does not claim its order',
    file: delivery,
    find: "        if (call === 'findDelivery') await claims.claimOrder(transaction, row, row.changed_at);\n",
    replace: '',
  },
  {
    name: 'A payment in REVIEW releases its order claim',
    file: move,
    find: "['REFUND_DUE', 'REFUNDED', 'FAILED'];",
    replace: "['REFUND_DUE', 'REFUNDED', 'FAILED', 'REVIEW'];",
  },

  // Decisions in REVIEW.
  {
    name: 'A person may deliver a payment that was shown as failed because of its refund',
    file: 'domain/payment/review-decisions.ts',
    find: "history.some(({ to }) => shownStatus(to, 'payer') === 'FAILED')",
    replace: "history.some(({ to }) => to === 'FAILED')",
  },
  {
    name: 'A person may refund while the delivery system does not respond',
    file: review,
    find: "if (found.kind === 'unclear' || !provesNotThere(3, seconds, system.lag ?? usualLag))",
    replace: 'if (!provesNotThere(3, seconds, system.lag ?? usualLag))',
  },

  // More bugs in connectors.
  {
    name: 'SmartCash: a request without a response is sent again',
    file: `${connectors}/smartcash/client.ts`,
    find: `    return this.#token.send((token) =>
      body === undefined
        ? this.#http.call({ method: 'GET', url, headers: this.#headers(token) })
        : this.#http.call({ method: 'POST', url, headers: this.#headers(token), body: JSON.stringify(body) }),
    );
`,
    replace: `    const send = () =>
      this.#token.send((token) =>
        body === undefined
          ? this.#http.call({ method: 'GET', url, headers: this.#headers(token) })
          : this.#http.call({ method: 'POST', url, headers: this.#headers(token), body: JSON.stringify(body) }),
      );
    return send().then((answer) => (answer.kind === 'silence' ? send() : answer));
`,
  },
  {
    name: 'Card checkout: the page counts as closed after the first declined card, though another may be tried',
    file: `${connectors}/card-checkout/index.ts`,
    find: 'attempts.count > session.retries ||',
    replace: 'attempts.count >= session.retries ||',
  },
  {
    name: 'Airtime: a commit without a response counts as taken',
    file: `${connectors}/charging/airtime.ts`,
    find: `        await adjust(payment, { adjustType: 'commit', reservation: state.reservation });
        state = await stateOf(payment);
`,
    replace: `        const { reservation } = state;
        const committed = readAction(await adjust(payment, { adjustType: 'commit', reservation }));
        if (committed.kind !== 'refused')
          return { kind: 'paid', providerReference: reservation, amount: payment.amount, currency: payment.currency };
        state = await stateOf(payment);
`,
  },
  // Our own, which the second version of the simulation did not catch within a few hundred seeds.
  {
    name: 'an order is acknowledged but not stored',
    file: orders,
    find: ': insertPayment(fresh);',
    replace: ': insertPayment(fresh).catch(() => true);',
  },
  {
    name: 'a payment fails after a long wait',
    file: collect,
    find: "return step(payment, 'giveUp', { reason: 'retriesSpent', patch: counted, evidence });",
    replace: "return step(payment, 'refuse', refusedStep('enquire', 'expired'));",
  },
];
