import type { PaymentsDependencies } from './payments.dependencies.ts';
import { leaseEnd } from './payments.state-writer.ts';
import type { paymentSteps } from './payments.steps.ts';
import type { Payment } from './payments.store.ts';
import * as store from './payments.store.ts';

/** Minimum time between enquiries that callbacks trigger: shorter for a new callback than for a repeated one. */
const freshFloorMs = 500;
const callbackFloorMs = 2_000;
const returnFloorMs = 10_000;
/** Maximum number of deferred enquiries. Beyond it payments wait for the sweep. */
const maxPendingEnquiries = 10_000;
const sweepBatch = 50;
/** The sweep skips a gateway while this many of its payments are in progress. */
const maxSweptPerGateway = 100;

export type PaymentRunner = ReturnType<typeof paymentRunner>;

/** Runs the steps of payments: for a new payment, for the sweep, and after a callback. */
export function paymentRunner(deps: PaymentsDependencies, steps: Pick<ReturnType<typeof paymentSteps>, 'next'>) {
  const { db, events, clock } = deps;
  const underWay = new Set<Promise<unknown>>();
  /** Timers of enquiries that were deferred because the last one was too recent. */
  const pendingEnquiries = new Map<string, NodeJS.Timeout>();
  /** Payments in progress from the sweep, by gateway. */
  const swept = new Map<string, number>();

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    const forget = () => underWay.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Runs the steps of a leased payment until it has to wait. */
  async function run(first: Payment | null): Promise<void> {
    let payment = first;
    while (payment) payment = await steps.next(payment);
  }

  const takeInBackground = (payment: Payment) =>
    track(run(payment).catch((error: unknown) => events.stepFailed(payment.id, error)));

  /** False if the last enquiry is more recent than the floor, or the payment is not open. */
  async function enquireUnlessRecent(id: string, floorMs: number): Promise<boolean> {
    const now = clock.now();
    const floor = new Date(now.getTime() - floorMs);
    const payment = await store.makeDue(db, id, { now, floor, leaseUntil: leaseEnd(clock) });
    if (payment) void takeInBackground(payment);
    return payment !== undefined;
  }

  /**
   * An enquiry right before a callback may have missed what it announces. So enquire again when the floor has passed,
   * instead of waiting tens of seconds for the schedule.
   */
  async function enquireAfterCallback(id: string, isNew: boolean): Promise<void> {
    const floorMs = isNew ? freshFloorMs : callbackFloorMs;
    if (
      (await enquireUnlessRecent(id, floorMs)) ||
      pendingEnquiries.has(id) ||
      pendingEnquiries.size >= maxPendingEnquiries
    )
      return;
    const enquireLater = () => {
      pendingEnquiries.delete(id);
      track(enquireUnlessRecent(id, floorMs)).catch((error: unknown) => events.stepFailed(id, error));
    };
    pendingEnquiries.set(id, setTimeout(enquireLater, floorMs).unref());
  }

  const lease = (most: number, without: string[] = []) =>
    store.leaseDuePayments(db, { now: clock.now(), leaseUntil: leaseEnd(clock), most, without });

  return {
    track,
    run,
    enquireAfterCallback,

    async enquireSoon(id: string, because?: 'returned'): Promise<void> {
      await enquireUnlessRecent(id, because ? returnFloorMs : callbackFloorMs);
    },

    async sweep(most: number): Promise<number> {
      const due = await lease(most);
      await Promise.all(due.map(takeInBackground));
      return due.length;
    },

    async sweepOn(): Promise<void> {
      const full = [...swept].filter(([, count]) => count >= maxSweptPerGateway).map(([gateway]) => gateway);
      for (const payment of await lease(sweepBatch, full)) {
        const { gateway } = payment;
        swept.set(gateway, (swept.get(gateway) ?? 0) + 1);
        void takeInBackground(payment).finally(() => swept.set(gateway, (swept.get(gateway) ?? 1) - 1));
      }
    },

    async drain(): Promise<void> {
      for (const timer of pendingEnquiries.values()) clearTimeout(timer);
      pendingEnquiries.clear();
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
