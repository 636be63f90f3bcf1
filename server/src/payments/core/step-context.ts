import { moneyProven, moneyState } from '@portal/domain/payment/shown.ts';
import type { PaymentEvent } from '@portal/domain/payment/transitions.ts';
import { callWithin } from '../../connectors/call-lease.ts';
import type { Move, PaymentsDependencies, Step } from './payments.dependencies.ts';
import type { Evidence, Payment, PaymentPatch } from './payments.store.ts';
import * as store from './payments.store.ts';

export type StepContext = ReturnType<typeof stepContext>;

/** What every step has at hand: to write what follows from an answer, and to call the outside only while it may. */
export function stepContext(deps: PaymentsDependencies, move: Move) {
  const { db, events, clock, epochs } = deps;
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);
  const ageSeconds = (since: Date) => (clock.now().getTime() - since.getTime()) / 1000;

  /** Money that waits for a person is not left without a word: told once, and not to whom it is already going back. */
  async function reviewNotice({ id, state }: Payment, event: PaymentEvent): Promise<Pick<Step, 'notice'>> {
    const isTaken = event === 'conflict' || (event === 'giveUp' && moneyProven(state));
    if (!isTaken || state.startsWith('REFUND')) return {};
    const changes = (await store.findPaymentWithChanges(db, id))?.changes ?? [];
    const isTold = changes.some(
      ({ to }, index) => to === 'REVIEW' && moneyState(changes.slice(0, index + 1)) === 'taken',
    );
    return isTold ? {} : { notice: 'lookedInto' };
  }

  const step: Move = async (payment, event, what = {}) => {
    const moved = await move(payment, event, { ...(await reviewNotice(payment, event)), ...what });
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

  return {
    deps,
    move,
    step,
    note,
    fenced,
    inSeconds,
    ageSeconds,
    isDoubted,
    secondsInDoubt,
    wasSentSince,
    mayBeRepeated,
    loseConnector,
  };
}

/** For so long at most somebody's browser sends again what it got no answer to. */
const attemptLifeSeconds = 24 * 3600;

export const ofLostPast = ({ epoch }: Payment) => ({ epoch: epoch - 1 });
