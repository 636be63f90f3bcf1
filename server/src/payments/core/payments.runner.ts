import { PortalError } from '../../http/portal-error.ts';
import { isPaymentId, keepCallback, type ReceivedCallback } from './callback-inbox.ts';
import type { PaymentsDependencies } from './payments.dependencies.ts';
import { leaseEnd } from './payments.move.ts';
import type { paymentSteps } from './payments.steps.ts';
import type { Payment } from './payments.store.ts';
import * as store from './payments.store.ts';

/** Between two looks that callbacks cause: one that tells something new is worth more than one that came before. */
const freshFloorMs = 500;
const callbackFloorMs = 2_000;
const returnFloorMs = 10_000;
/** So many hints at most wait for their look; the others are left to the schedule. */
const mostPutOff = 10_000;
const sweptAtOnce = 50;
/** Beyond this the sweep takes no more of a gateway until some are through. */
const sweptOfGateway = 100;

export type PaymentRunner = ReturnType<typeof paymentRunner>;

/** Takes payments from step to step: when a process begins one, when the schedule or a hint comes to it. */
export function paymentRunner(deps: PaymentsDependencies, steps: Pick<ReturnType<typeof paymentSteps>, 'next'>) {
  const { db, events, clock } = deps;
  const underWay = new Set<Promise<unknown>>();
  /** Hints that came too soon after a look, until theirs. */
  const putOff = new Map<string, NodeJS.Timeout>();
  /** How many payments of each gateway the sweep has under way. */
  const swept = new Map<string, number>();

  function track<T>(work: Promise<T>): Promise<T> {
    underWay.add(work);
    const forget = () => underWay.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Takes a payment that is held by a lease as far as it goes without waiting for anybody. */
  async function run(first: Payment | null): Promise<void> {
    let payment = first;
    while (payment) payment = await steps.next(payment);
  }

  const takeInBackground = (payment: Payment) =>
    track(run(payment).catch((error: unknown) => events.stepFailed(payment.id, error)));

  /** False where it was asked about within the floor, or there is nothing to ask. */
  async function lookSoon(id: string, floorMs: number): Promise<boolean> {
    const now = clock.now();
    const floor = new Date(now.getTime() - floorMs);
    const payment = await store.hurryPayment(db, id, { now, floor, leaseUntil: leaseEnd(clock) });
    if (payment) void takeInBackground(payment);
    return payment !== undefined;
  }

  /**
   * What was asked right before a callback may be older than what it tells. It is asked once more when the floor is over, and
   * not only when the schedule comes to it: that would be tens of seconds later.
   */
  async function heed(id: string, floorMs: number): Promise<void> {
    if ((await lookSoon(id, floorMs)) || putOff.has(id) || putOff.size >= mostPutOff) return;
    const look = () => {
      putOff.delete(id);
      track(lookSoon(id, floorMs)).catch((error: unknown) => events.stepFailed(id, error));
    };
    putOff.set(id, setTimeout(look, floorMs).unref());
  }

  const lease = (most: number, without: string[] = []) =>
    store.leaseDuePayments(db, { now: clock.now(), leaseUntil: leaseEnd(clock), most, without });

  return {
    track,
    run,

    async hurry(id: string, because?: 'returned'): Promise<void> {
      await lookSoon(id, because ? returnFloorMs : callbackFloorMs);
    },

    async receiveCallback(callback: ReceivedCallback): Promise<void> {
      const { provider, path, body, headers } = callback;
      const gateway = deps.gateways.get(provider);
      if (!gateway) throw new PortalError('providerUnknown');
      const hint = gateway.parseCallback(body, headers, path);
      const verdict = await keepCallback(db, callback, hint, clock.now());
      events.callback(provider, verdict);
      if (verdict === 'stray' || !isPaymentId(hint.reference)) return;
      // Signed or not, it is a reason to ask, and nothing more. So is one that came before: we may have died over it.
      await heed(hint.reference, verdict === 'signed' || verdict === 'unsigned' ? freshFloorMs : callbackFloorMs);
    },

    async sweep(most: number): Promise<number> {
      const due = await lease(most);
      await Promise.all(due.map(takeInBackground));
      return due.length;
    },

    async sweepOn(): Promise<void> {
      const full = [...swept].flatMap(([gateway, count]) => (count >= sweptOfGateway ? [gateway] : []));
      for (const payment of await lease(sweptAtOnce, full)) {
        const { gateway } = payment;
        swept.set(gateway, (swept.get(gateway) ?? 0) + 1);
        void takeInBackground(payment).finally(() => swept.set(gateway, (swept.get(gateway) ?? 1) - 1));
      }
    },

    async drain(): Promise<void> {
      for (const timer of putOff.values()) clearTimeout(timer);
      putOff.clear();
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
  };
}
