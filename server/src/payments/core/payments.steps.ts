import { takenOf } from '@portal/domain/payment/ledger.ts';
import type { PaymentReason } from '@portal/domain/payment/reasons.ts';
import {
  deliveryDelay,
  enquiryDelay,
  lateMoneyDelay,
  orderLifeSeconds,
  provesNeverArrived,
  provesNotThere,
  refundDelay,
  refundLookDelay,
  usualLag,
  usualLateMoneyTerm,
} from '@portal/domain/payment/schedule.ts';
import type { PaymentEvent } from '@portal/domain/payment/transitions.ts';
import { callWithin } from '../../connectors/call-lease.ts';
import type {
  DeliveredItem,
  Delivery,
  EnquiryOutcome,
  Fulfilment,
  RefundLookup,
  Started,
  StartOutcome,
} from '../../connectors/ports.ts';
import type { Continuation } from '../../db/schema.ts';
import type { Move, PaymentsDependencies, Step } from './payments.dependencies.ts';
import type { Evidence, Payment, PaymentPatch } from './payments.store.ts';
import * as store from './payments.store.ts';

/** Another payment of the same order is the one that is delivered. */
class OrderClaimed extends Error {}

/**
 * What each state asks for: which provider to call, and what its answer proves. The states are written by `move` alone.
 * A step gives the payment back when the next one is to be taken at once, and null when there is something to wait for.
 */
export function paymentSteps(deps: PaymentsDependencies, move: Move) {
  const { db, events, clock, epochs } = deps;
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);
  const ageSeconds = (since: Date) => (clock.now().getTime() - since.getTime()) / 1000;

  const step: Move = async (payment, event, what = {}) => {
    const moved = await move(payment, event, what);
    return moved?.due_at && what.patch?.due_at === undefined ? moved : null;
  };

  /**
   * Every call to the outside goes through here. The database is asked at the last moment whether the payment is still
   * ours to act on, and nothing is sent once the lease is over, however long this process was stopped in between. What is
   * sent because a payment was in no doubt names the epoch in which it was in none: another one may have been noticed since.
   */
  async function fenced<T>(payment: Payment, call: () => Promise<T>, epoch?: number): Promise<T | null> {
    const since = performance.now();
    const number = epoch ?? (await epochs.current()).number;
    const leftMs = await store.leaseLeft(db, payment, { epoch: number, now: clock.inSql() });
    if (leftMs !== null) return callWithin(since + leftMs, call);
    events.leaseLost(payment);
    // It may be the database that is another one.
    await epochs.check();
    return null;
  }

  /** It was opened in another past, of which the end is not known here: what it asks for may have been done already. */
  const isDoubted = async (payment: Payment) => payment.epoch !== (await epochs.current()).number;

  /** Since when what was sent may be there without showing. */
  async function secondsInDoubt(payment: Payment, sentAt: Date | null): Promise<number> {
    const epoch = await epochs.current();
    const pastEnded = payment.epoch === epoch.number ? 0 : epoch.beganAt.getTime();
    return ageSeconds(new Date(Math.max(pastEnded, sentAt?.getTime() ?? 0)));
  }

  /** What was opened in another past was sent in this one, after nobody had found it. */
  async function wasSentSince(payment: Payment): Promise<boolean> {
    const delivery = await store.findDelivery(db, payment.id);
    return (delivery?.sent_at?.getTime() ?? 0) > (await epochs.current()).beganAt.getTime();
  }

  /**
   * What was paid in a past that is lost may have gone back there, and is then not to be delivered. Who has no list of
   * refunds is asked once more whether it is still paid. Null: it cannot be told yet.
   */
  async function wasGivenBack(payment: Payment): Promise<boolean | null> {
    const gateway = deps.gateways.get(payment.gateway);
    if (!gateway || !(await isDoubted(payment)) || (await wasSentSince(payment))) return false;
    const { findRefund } = gateway;
    const found = await fenced<RefundLookup | EnquiryOutcome>(payment, () =>
      findRefund ? findRefund(refundOf(payment)) : gateway.enquire(startedOf(payment)),
    );
    if (found?.kind === 'refunded') return true;
    const isThere = found?.kind === (findRefund ? 'notFound' : 'paid');
    return isThere && (await secondsInDoubt(payment, null)) >= (gateway.lag ?? usualLag) ? false : null;
  }

  /**
   * Soon after a restore an attempt may come again that is not on record any more. Its provider would say so, but its
   * answer is lost: what it has may be from the past that is lost, too.
   */
  async function mayBeRepeated(payment: Payment): Promise<boolean> {
    const { number, isRestored, beganAt } = await epochs.current();
    const age = ageSeconds(beganAt);
    return isRestored && payment.epoch === number && age >= 0 && age < attemptLifeSeconds;
  }

  const note = (payment: Payment, patch: PaymentPatch, evidence?: Evidence): Promise<null> =>
    store.notePayment(db, payment, patch, evidence && { ...evidence, at: clock.now() }).then(() => null);

  /** The PIN lives in this call and in the connector, nowhere else. */
  async function start(payment: Payment, pin?: string): Promise<Payment | null> {
    const gateway = deps.gateways.get(payment.gateway);
    if (!gateway) return loseConnector(payment);
    const { number: epoch } = await epochs.current();
    if (payment.epoch !== epoch) {
      const found = await fenced(payment, () => gateway.enquire(startedOf(payment)));
      if (!found) return null;
      if (found.kind !== 'notFound' || !gateway.refusesRepeats) return learn(payment, found);
    }
    const start = () =>
      gateway.start({
        ...startedOf(payment),
        email: payment.email,
        language: payment.language,
        returnUrl: deps.returnUrl(payment),
        ...(pin === undefined ? {} : { pin }),
      });
    const outcome = await fenced(payment, start, epoch);
    if (!outcome) return null;
    const soon = { due_at: inSeconds(enquiryDelay(0, 0) ?? 0) };
    switch (outcome.kind) {
      case 'await':
      case 'redirect':
      case 'popup': {
        const isDecided = outcome.kind === 'await' && outcome.isDecided;
        const continuation = continuationOf(outcome);
        return step(payment, 'accept', {
          evidence: { call: 'start', answer: 'accepted', receipt: outcome.providerReference },
          patch: {
            ...(isDecided ? {} : soon),
            provider_reference: outcome.providerReference ?? null,
            ...(continuation ? { continuation: JSON.stringify(continuation) } : {}),
          },
        });
      }
      case 'refused':
        return step(payment, 'refuse', refusedStep('start', outcome.reason));
      case 'unclear':
        events.unclear(payment, 'start', outcome.detail);
        return step(payment, 'lose', {
          patch: soon,
          // Sent before though we know nothing of it: it was opened in a past that is lost, and perhaps delivered there.
          ...(outcome.isRepeated || (await mayBeRepeated(payment))
            ? { patch: { ...soon, ...ofLostPast(payment) } }
            : {}),
          evidence: { call: 'start', answer: 'unclear', detail: outcome.detail },
        });
    }
  }

  function refusedStep(call: Evidence['call'], reason: PaymentReason): Step {
    return {
      reason,
      notice: 'notTaken',
      evidence: { call, answer: 'refused', detail: reason },
      patch: { due_at: inSeconds(lateMoneyDelay) },
      also: (transaction, row) => deps.guards.refused(transaction, row, reason),
    };
  }

  /** Money was taken. What the provider states is what is kept and booked; where it differs, a person decides. */
  function taken(
    payment: Payment,
    outcome: Extract<EnquiryOutcome, { kind: 'paid' }>,
    matching: { event: PaymentEvent; step: Step },
  ): Promise<Payment | null> {
    const amount = outcome.amount ?? payment.amount;
    const currency = outcome.currency ?? payment.currency;
    const isSame = amount === payment.amount && currency === payment.currency;
    const { event, step: what } = isSame
      ? matching
      : { event: 'conflict' as const, step: { reason: 'amountConflict' as const } };
    return step(payment, event, {
      ...what,
      posting: 'paid',
      evidence: { call: 'enquire', answer: 'paid', amount, currency, receipt: outcome.providerReference },
      patch: {
        attempts: 0,
        not_found_answers: 0,
        last_enquiry_at: clock.now(),
        provider_reference: outcome.providerReference,
        taken_amount: amount,
        taken_currency: currency,
        ...('patch' in what ? what.patch : {}),
      },
    });
  }

  async function enquire(payment: Payment): Promise<Payment | null> {
    const gateway = deps.gateways.get(payment.gateway);
    if (!gateway) return loseConnector(payment);
    const outcome = await fenced(payment, () => gateway.enquire(startedOf(payment)));
    return outcome && learn(payment, outcome);
  }

  /** What an enquiry about an open payment proves. */
  async function learn(payment: Payment, outcome: EnquiryOutcome): Promise<Payment | null> {
    const age = ageSeconds(payment.submitted_at ?? payment.created_at);
    const counted = { attempts: payment.attempts + 1, last_enquiry_at: clock.now() };
    const delay = enquiryDelay(payment.attempts, age);
    const later = { ...counted, due_at: delay === null ? null : inSeconds(delay) };
    const evidence = {
      call: 'enquire',
      answer: outcome.kind,
      ...('detail' in outcome ? { detail: outcome.detail } : {}),
    } as const;
    const isOpen = payment.state === 'AWAITING_PAYER' || payment.state === 'UNKNOWN';
    if (outcome.kind === 'unclear') events.unclear(payment, 'enquire', outcome.detail);

    switch (outcome.kind) {
      case 'paid':
        return taken(payment, outcome, {
          event: 'pay',
          step: { also: (transaction, row) => deps.guards.paid(transaction, row, outcome.card) },
        });
      case 'refused': {
        const refused = refusedStep('enquire', outcome.reason);
        return step(payment, 'refuse', { ...refused, patch: { ...counted, ...refused.patch } });
      }
      case 'pending':
        if (delay === null) break;
        return payment.state === 'AWAITING_PAYER'
          ? note(payment, later, evidence)
          : step(payment, 'accept', { patch: later, evidence });
      case 'notFound': {
        // While the provider has the payment in hand, "not found" is a fault of its own and proves nothing.
        if (payment.state === 'AWAITING_PAYER' && outcome.isClosed && delay !== null)
          return step(payment, 'lose', { patch: { ...later, not_found_answers: 1 }, evidence });
        const answers = payment.not_found_answers + (payment.state === 'AWAITING_PAYER' ? 0 : 1);
        if (payment.state === 'UNKNOWN' && provesNeverArrived(answers, age))
          return step(payment, 'refuse', refusedStep('enquire', 'neverArrived'));
        if (delay === null) break;
        const patch = { ...later, not_found_answers: answers };
        return isOpen ? note(payment, patch, evidence) : step(payment, 'lose', { patch, evidence });
      }
      case 'unclear':
        if (delay === null) break;
        return isOpen ? note(payment, later, evidence) : step(payment, 'lose', { patch: later, evidence });
    }
    return step(payment, 'giveUp', { reason: 'retriesSpent', patch: counted, evidence });
  }

  /**
   * A failure was proven, but providers have been seen to take money afterwards. Such money only goes back. The search
   * ends with a clear answer after the provider's term, and with nothing else.
   */
  async function lookForLateMoney(payment: Payment): Promise<Payment | null> {
    if (!payment.submitted_at) return note(payment, { due_at: null });
    const gateway = deps.gateways.get(payment.gateway);
    // The row has not moved since it failed, so this counts from the failure.
    const isOver = ageSeconds(payment.changed_at) >= (gateway?.lateMoneyTerm ?? usualLateMoneyTerm);
    if (!gateway) return note(payment, { due_at: isOver ? null : inSeconds(lateMoneyDelay) });
    const outcome = await fenced(payment, () => gateway.enquire(startedOf(payment)));
    if (!outcome) return null;
    if (outcome.kind === 'paid')
      return taken(payment, outcome, {
        event: 'findLateMoney',
        step: { reason: 'lateMoney', notice: 'goingBack' },
      });
    const answers = payment.not_found_answers + (outcome.kind === 'notFound' ? 1 : 0);
    // Not found once is no more a proof here than it was before.
    const isNowhere = outcome.kind === 'notFound' && provesNeverArrived(answers, ageSeconds(payment.submitted_at));
    const isClear = outcome.kind === 'refused' || isNowhere;
    const due_at = isOver && isClear ? null : inSeconds(lateMoneyDelay);
    return note(
      payment,
      { last_enquiry_at: clock.now(), not_found_answers: answers, due_at },
      { call: 'enquire', answer: outcome.kind },
    );
  }

  const fulfilmentOf = (payment: Payment): Fulfilment => fulfilmentFor(payment.details.item, deps);

  async function delivered(
    payment: Payment,
    call: Evidence['call'],
    providerReference: string,
  ): Promise<Payment | null> {
    // In a past that is lost somebody else found it so, and said it; not where it was sent only since.
    const isTold = call === 'findDelivery' && (await isDoubted(payment)) && !(await wasSentSince(payment));
    return step(payment, 'deliver', {
      posting: 'delivered',
      ...(isTold ? {} : { notice: 'delivered' }),
      evidence: { call, answer: 'delivered', receipt: providerReference },
      async also(transaction, row) {
        await store.completeDelivery(transaction, row.id, providerReference, row.changed_at);
        // What was delivered in a past that is lost has no claim here yet.
        if (call === 'findDelivery') await store.claimOrder(transaction, row, row.changed_at);
      },
    });
  }

  /** The order is delivered by another payment: this one's money goes back. */
  const findOrderPaid = (payment: Payment): Promise<Payment | null> =>
    step(payment, 'findOrderPaid', {
      reason: 'paidAlready',
      notice: 'goingBack',
      patch: { attempts: 0, not_found_answers: 0 },
    });

  /**
   * Whether another payment of the same order may have been delivered in a past that is lost, where its claim is lost, too.
   * Null: it cannot be told yet.
   */
  async function wasOrderDelivered(payment: Payment): Promise<boolean | null> {
    const epoch = await epochs.current();
    const others = await store.findSameOrder(db, payment);
    const doubted = others.filter((one) => one.epoch !== epoch.number && mayBeDelivered.includes(one.state));
    if (doubted.length === 0) return false;
    const system = fulfilmentOf(payment);
    let isSure = ageSeconds(epoch.beganAt) >= (system.lag ?? usualLag);
    for (const one of doubted) {
      const found = await fenced(payment, () => system.findDelivery(deliveryOf(one)));
      if (found?.kind === 'delivered') return true;
      isSure &&= found?.kind === 'notFound';
    }
    return isSure ? false : null;
  }

  /** Its payer is told which it is: that it could not be delivered, or that somebody else had paid for it. */
  async function refuseDelivery(payment: Payment, detail: string): Promise<Payment | null> {
    return step(payment, 'refuseDelivery', {
      reason: (await isSettledBy(payment)) ? 'paidAlready' : 'deliveryRefused',
      notice: 'goingBack',
      evidence: { call: 'deliver', answer: 'refused', detail },
      patch: { attempts: 0, not_found_answers: 0 },
    });
  }

  /** A look that no money hangs on: whoever does not answer it soon is not waited for. */
  async function isSettledBy(payment: Payment): Promise<boolean> {
    const asked = fulfilmentOf(payment).isSettled?.(deliveryOf(payment));
    if (!asked) return false;
    const late = new Promise<false>((resolve) => setTimeout(resolve, deps.settledLimitMs, false).unref());
    return Promise.race([asked.catch(() => false), late]);
  }

  async function deliver(payment: Payment, epoch: number): Promise<Payment | null> {
    const before = await store.findDelivery(db, payment.id);
    const wasDelivered = await wasOrderDelivered(payment);
    if (wasDelivered === null) return note(payment, { due_at: inSeconds(orderLookSeconds) });
    if (wasDelivered) return findOrderPaid(payment);
    const fulfilling = await move(payment, 'fulfil', {
      patch: { not_found_answers: 0 },
      async also(transaction, row) {
        if (!(await store.claimOrder(transaction, row, row.changed_at))) throw new OrderClaimed();
        await store.startDelivery(transaction, row, row.changed_at);
      },
    }).catch((error: unknown) => {
      if (error instanceof OrderClaimed) return error;
      throw error;
    });
    if (fulfilling instanceof OrderClaimed) return findOrderPaid(payment);
    if (!fulfilling) return null;
    const send = () => fulfilmentOf(fulfilling).deliver(deliveryOf(fulfilling));
    const outcome = await fenced(fulfilling, send, epoch);
    if (!outcome) return null;
    if (outcome.kind === 'delivered') return delivered(fulfilling, 'deliver', outcome.providerReference);
    // Refused after one that got no answer: it may be refused because that one arrived.
    const isDoubtful = before?.sent_at || (await isDoubted(fulfilling));
    if (outcome.kind === 'refused' && !isDoubtful) return refuseDelivery(fulfilling, outcome.detail);
    if (outcome.kind === 'unclear') events.unclear(fulfilling, 'deliver', outcome.detail);
    const isRefused = outcome.kind === 'refused';
    const isUnsent = outcome.kind === 'unclear' && outcome.isUnsent;
    return step(fulfilling, 'loseDelivery', {
      evidence: { call: 'deliver', answer: outcome.kind, detail: outcome.detail },
      patch: { due_at: inSeconds(deliveryDelay(fulfilling.attempts, 0) ?? 0) },
      also: (transaction, row) =>
        store.noteDelivery(transaction, row.id, {
          ...(isRefused ? { refused_at: row.changed_at } : {}),
          ...(isUnsent ? { sent_at: before?.sent_at ?? null } : {}),
        }),
    });
  }

  /** A system may show late what it took in: within its lag nothing is sent again, and nothing goes back. */
  async function findOutDelivery(payment: Payment): Promise<Payment | null> {
    const system = fulfilmentOf(payment);
    const { number: epoch } = await epochs.current();
    const found = await fenced(payment, () => system.findDelivery(deliveryOf(payment)));
    if (!found) return null;
    if (found.kind === 'delivered') return delivered(payment, 'findDelivery', found.providerReference);
    if (found.kind === 'unclear') events.unclear(payment, 'find delivery', found.detail);
    const delivery = await store.findDelivery(db, payment.id);
    const delay = deliveryDelay(payment.attempts, ageSeconds(delivery?.started_at ?? payment.changed_at));
    const evidence = {
      call: 'findDelivery',
      answer: found.kind,
      ...('detail' in found ? { detail: found.detail } : {}),
    } as const;
    if (delay === null) return step(payment, 'giveUp', { reason: 'retriesSpent', evidence });
    const isMissing = found.kind === 'notFound';
    const counted = {
      attempts: payment.attempts + 1,
      not_found_answers: payment.not_found_answers + (isMissing ? 1 : 0),
    };
    const inDoubt = await secondsInDoubt(payment, delivery?.sent_at ?? null);
    if (!isMissing || !provesNotThere(counted.not_found_answers, inDoubt, system.lag ?? usualLag))
      return note(payment, { ...counted, due_at: inSeconds(delay) }, evidence);
    if (delivery?.refused_at) return refuseDelivery(payment, 'refused, and not there');
    const isBack = await wasGivenBack(payment);
    if (isBack === null) return note(payment, { ...counted, due_at: inSeconds(delay) }, evidence);
    return isBack
      ? refuseDelivery(payment, 'not there, and given back before')
      : deliver({ ...payment, attempts: counted.attempts }, epoch);
  }

  /** An order from a lost past may have been paid there, so it is asked about like one whose answer was lost. */
  async function doubtOrder(payment: Payment): Promise<Payment | null> {
    const submitting = await move(payment, 'submit', { patch: { submitted_at: clock.now() } });
    return submitting && step(submitting, 'lose');
  }

  /** A person let it go on. A PIN was not kept, and a gateway's page wants its payer: those are told to pay anew. */
  async function goOn(payment: Payment): Promise<Payment | null> {
    if (ageSeconds(payment.changed_at) > orderLifeSeconds) return step(payment, 'expire', { reason: 'orderExpired' });
    if (payment.payer_proof === 'token' || deps.gateways.get(payment.gateway)?.waitingFor === 'redirect')
      return step(payment, 'expire', { reason: 'payAgain', notice: 'notTaken' });
    const others = await store.findSameOrder(db, payment);
    if (others.some(isOrderPaid) || (await isSettledBy(payment)))
      return step(payment, 'expire', { reason: 'paidAlready' });
    const submitting = await move(payment, 'submit', {
      patch: { submitted_at: clock.now() },
      also: (transaction, row) => deps.guards.submitting(transaction, row),
    });
    return submitting && start(submitting);
  }

  /** Likewise what it was paid for may have been delivered there, so it is looked up before anything is sent. */
  async function doubtDelivery(payment: Payment): Promise<Payment | null> {
    const { beganAt } = await epochs.current();
    const fulfilling = await move(payment, 'fulfil', {
      patch: { not_found_answers: 0 },
      // If anybody sent it, it was by then.
      also: (transaction, row) => store.startDelivery(transaction, row, beganAt),
    });
    return fulfilling && step(fulfilling, 'loseDelivery');
  }

  /** And what was to go back may have gone. */
  async function doubtRefund(payment: Payment): Promise<Payment | null> {
    const refunding = await move(payment, 'refund', { patch: { attempts: 1, not_found_answers: 0 } });
    return refunding && step(refunding, 'loseRefund');
  }

  async function refund(payment: Payment, epoch: number): Promise<Payment | null> {
    const gateway = deps.gateways.get(payment.gateway);
    if (!gateway) return loseConnector(payment);
    if (refundDelay(payment.attempts) === null) return step(payment, 'giveUp', { reason: 'retriesSpent' });
    const refunding = await move(payment, 'refund', {
      patch: {
        attempts: payment.attempts + 1,
        not_found_answers: 0,
        refund_sent_at: clock.now(),
        refund_expected_at: payment.refund_expected_at ?? inSeconds(24 * 3600),
      },
    });
    if (!refunding) return null;
    const outcome = await fenced(refunding, () => gateway.refund(refundOf(refunding)), epoch);
    if (!outcome) return null;
    if (outcome.kind === 'refunded') return refunded(refunding, 'refund');
    events.unclear(refunding, 'refund', outcome.detail);
    const delay = gateway.findRefund && !outcome.isUnsent ? refundLookDelay(0, 0) : refundDelay(payment.attempts);
    return step(refunding, 'loseRefund', {
      evidence: { call: 'refund', answer: 'unclear', detail: outcome.detail },
      patch: {
        due_at: inSeconds(delay ?? 0),
        ...(outcome.isUnsent ? { refund_sent_at: payment.refund_sent_at } : {}),
      },
    });
  }

  const refunded = (payment: Payment, call: Evidence['call']): Promise<Payment | null> =>
    step(payment, 'completeRefund', {
      posting: 'refunded',
      notice: 'givenBack',
      evidence: { call, answer: 'refunded' },
    });

  /** Like a delivery: looked for where the provider lets one look, and asked for again only after its lag. */
  async function findOutRefund(payment: Payment): Promise<Payment | null> {
    const gateway = deps.gateways.get(payment.gateway);
    if (!gateway) return loseConnector(payment);
    const { refund_sent_at: sentAt } = payment;
    const { number: epoch } = await epochs.current();
    const isMaybeThere = sentAt !== null || payment.epoch !== epoch;
    if (!isMaybeThere) return refund(payment, epoch);
    const lag = gateway.lag ?? usualLag;
    const inDoubt = await secondsInDoubt(payment, sentAt);
    const wait = Math.max(lag, refundDelay(payment.attempts - 1) ?? 0);
    if (!gateway.findRefund)
      return inDoubt >= wait ? refund(payment, epoch) : note(payment, { due_at: inSeconds(wait - inDoubt) });
    const found = await fenced(payment, () => gateway.findRefund?.(refundOf(payment)) ?? Promise.resolve(null));
    if (!found) return null;
    if (found.kind === 'refunded') return refunded(payment, 'findRefund');
    if (found.kind === 'unclear') events.unclear(payment, 'find refund', found.detail);
    const looks = payment.not_found_answers + (found.kind === 'notFound' ? 1 : 0);
    if (found.kind === 'notFound' && provesNotThere(looks, inDoubt, wait)) return refund(payment, epoch);
    const delay = refundLookDelay(looks, ageSeconds(payment.changed_at));
    const evidence = { call: 'findRefund', answer: found.kind } as const;
    if (delay === null) return step(payment, 'giveUp', { reason: 'retriesSpent', evidence });
    return note(payment, { not_found_answers: looks, due_at: inSeconds(delay) }, evidence);
  }

  /** Its provider is no longer configured, so nobody here can ask it: a person can. */
  async function loseConnector(payment: Payment): Promise<Payment | null> {
    switch (payment.state) {
      case 'SUBMITTING':
        return step(payment, 'lose');
      case 'REFUND_DUE': {
        const refunding = await move(payment, 'refund');
        return refunding && step(refunding, 'loseRefund');
      }
      default:
        return step(payment, 'giveUp', { reason: 'noConnector' });
    }
  }

  async function next(payment: Payment): Promise<Payment | null> {
    const { number: epoch } = await epochs.current();
    switch (payment.state) {
      case 'CREATED':
        // Nothing is sent that a fence would check, so it is asked here whether this is still the same past.
        await epochs.check();
        if (await isDoubted(payment)) return doubtOrder(payment);
        return payment.released_at ? goOn(payment) : step(payment, 'expire', { reason: 'orderExpired' });
      case 'SUBMITTING':
        return step(payment, 'lose', (await mayBeRepeated(payment)) ? { patch: ofLostPast(payment) } : {});
      case 'AWAITING_PAYER':
      case 'UNKNOWN':
        return enquire(payment);
      case 'PAID':
        return payment.epoch === epoch ? deliver(payment, epoch) : doubtDelivery(payment);
      case 'FULFILLING':
        return step(payment, 'loseDelivery');
      case 'FULFIL_UNKNOWN':
        return findOutDelivery(payment);
      case 'REFUND_DUE':
        return payment.epoch === epoch ? refund(payment, epoch) : doubtRefund(payment);
      case 'REFUND_UNKNOWN':
        return findOutRefund(payment);
      case 'REFUNDING':
        return step(payment, 'loseRefund');
      case 'FAILED':
        return lookForLateMoney(payment);
      case 'SUCCEEDED':
      case 'REFUNDED':
      case 'REVIEW':
        return null;
    }
  }

  return { start, next, isSettledBy };
}

/** Where in its life a payment may have been delivered in a past that is lost. */
const mayBeDelivered: readonly Payment['state'][] = [
  'CREATED',
  'SUBMITTING',
  'AWAITING_PAYER',
  'UNKNOWN',
  'PAID',
  'FULFILLING',
  'FULFIL_UNKNOWN',
  'REVIEW',
];
const orderLookSeconds = 60;
/** For so long at most somebody's browser sends again what it got no answer to. */
const attemptLifeSeconds = 24 * 3600;
const ofLostPast = ({ epoch }: Payment) => ({ epoch: epoch - 1 });

/** The order needs no other payment: this one was paid, and is the one that is delivered. */
export const isOrderPaid = ({ state, isClaimant }: { state: Payment['state']; isClaimant: boolean }): boolean =>
  isClaimant || state === 'PAID';

/** What is brought is worth its price, in the currency of prices; what was taken for it may be in the other one. */
export function deliveryOf({ id, msisdn, amount, currency, details: { item, conversion } }: Payment): Delivery {
  return {
    reference: id,
    msisdn,
    amount: conversion?.price ?? amount,
    currency: conversion?.from ?? currency,
    item,
  };
}

/** The system that brings each kind of thing. */
export function fulfilmentFor(
  item: DeliveredItem,
  systems: Pick<PaymentsDependencies, 'charging' | 'billing' | 'orders'>,
): Fulfilment {
  if (item.kind === 'bill') return systems.billing;
  return item.kind === 'order' ? systems.orders : systems.charging;
}

export function startedOf(payment: Payment): Started {
  return {
    reference: payment.id,
    shortReference: payment.short_reference,
    providerReference: payment.provider_reference,
    amount: payment.amount,
    currency: payment.currency,
    payerMsisdn: payment.payer_msisdn ?? payment.msisdn,
  };
}

/** What goes back is what was taken. */
const refundOf = (payment: Payment): Started => ({ ...startedOf(payment), ...takenOf(payment) });

function continuationOf(outcome: StartOutcome): Continuation | null {
  if (outcome.kind === 'redirect') return { redirectUrl: outcome.url };
  return outcome.kind === 'popup' ? { popup: outcome.popup } : null;
}
