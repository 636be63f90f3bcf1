import { moneyProven, moneyState } from '@portal/domain/payment/shown-status.ts';
import type { PaymentEvent } from '@portal/domain/payment/transitions.ts';
import { callWithin } from '../../connectors/call-lease.ts';
import type { Epoch } from '../../db/epochs.ts';
import * as deliveries from './deliveries.store.ts';
import type { Move, PaymentsDependencies, Step } from './payments.dependencies.ts';
import type { Evidence, Payment, PaymentPatch } from './payments.store.ts';
import * as store from './payments.store.ts';

export type StepContext = ReturnType<typeof stepContext>;

/** Shared by all steps: moving a payment, and calling providers under a lease. */
export function stepContext(deps: PaymentsDependencies, move: Move) {
  const { db, events, clock, epochs } = deps;
  const inSeconds = (seconds: number) => new Date(clock.now().getTime() + seconds * 1000);
  const ageSeconds = (since: Date) => (clock.now().getTime() - since.getTime()) / 1000;

  /** The payer is told once that a person looks into money that was taken, unless it is being refunded. */
  async function reviewNotice({ id, state }: Payment, event: PaymentEvent): Promise<Pick<Step, 'notice'>> {
    const isTaken = event === 'conflict' || (event === 'giveUp' && moneyProven(state));
    if (!isTaken || state.startsWith('REFUND')) return {};
    const changes = (await store.findPaymentWithChanges(db, id))?.changes ?? [];
    const isNotified = changes.some(
      ({ to }, index) => to === 'REVIEW' && moneyState(changes.slice(0, index + 1)) === 'taken',
    );
    return isNotified ? {} : { notice: 'lookedInto' };
  }

  const step: Move = async (payment, event, what = {}) => {
    const moved = await move(payment, event, { ...(await reviewNotice(payment, event)), ...what });
    return moved?.due_at && what.patch?.due_at === undefined ? moved : null;
  };

  /**
   * Every call to a provider goes through here. It checks in the database, right before the call, that the lease and
   * the epoch still hold. Nothing is sent after the lease expired, even if this process was suspended in between. A
   * caller that relies on a payment being of the current epoch passes that epoch, because a new one may have begun
   * since.
   */
  async function fenced<T>(payment: Payment, call: () => Promise<T>, epoch?: number): Promise<T | null> {
    const since = performance.now();
    const number = epoch ?? (await epochs.current()).number;
    const leftMs = await store.leaseLeft(db, payment, { epoch: number, now: clock.inSql() });
    if (leftMs !== null) return callWithin(since + leftMs, call);
    events.leaseLost(payment);
    // The lease may be lost because the database was restored.
    await epochs.check();
    return null;
  }

  /** Opened in another epoch, whose end is not recorded here: its next call may have been made already. */
  const isOfOtherEpoch = async (payment: Payment) => payment.epoch !== (await epochs.current()).number;

  /** Seconds since the last moment at which it may have been sent, to compare with the provider's lag. */
  async function secondsInDoubt(payment: Payment, sentAt: Date | null): Promise<number> {
    const epoch = await epochs.current();
    const pastEnded = payment.epoch === epoch.number ? 0 : epoch.beganAt.getTime();
    return ageSeconds(new Date(Math.max(pastEnded, sentAt?.getTime() ?? 0)));
  }

  /** A payment of an earlier epoch was sent in this one, after a lookup had not found it. */
  async function wasSentSince(payment: Payment): Promise<boolean> {
    const delivery = await deliveries.findDelivery(db, payment.id);
    return (delivery?.sent_at?.getTime() ?? 0) > (await epochs.current()).beganAt.getTime();
  }

  /**
   * For a while after a restore, a browser may retry an attempt that the restore lost. The provider would report the
   * repeated reference. If that response is missing, what the provider has may be from before the restore.
   */
  async function mayRepeatLostAttempt(payment: Payment): Promise<boolean> {
    const epoch = await epochs.current();
    return payment.epoch === epoch.number && bringsLostAttempts(epoch, clock.now());
  }

  const note = (payment: Payment, patch: PaymentPatch, evidence?: Evidence): Promise<null> =>
    store.notePayment(db, payment, patch, evidence && { ...evidence, at: clock.now() }).then(() => null);

  /** The provider is no longer configured, so only a person can find out. */
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
    isOfOtherEpoch,
    secondsInDoubt,
    wasSentSince,
    mayRepeatLostAttempt,
    loseConnector,
  };
}

/** How long a browser retries an attempt without a response. */
const attemptLifeSeconds = 24 * 3600;

/** Whether attempts that a restore lost may still come again. */
export function bringsLostAttempts({ isRestored, beganAt }: Epoch, now: Date): boolean {
  const age = (now.getTime() - beganAt.getTime()) / 1000;
  return isRestored && age >= 0 && age < attemptLifeSeconds;
}

export const inEarlierEpoch = ({ epoch }: Payment) => ({ epoch: epoch - 1 });
