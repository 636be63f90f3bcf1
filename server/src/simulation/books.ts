import type { FaultPlan } from './fault-plan.ts';
import type { Random } from './random.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface Sum {
  amount: number;
  currency: string;
}

/** What a provider really did under one reference, whatever the portal knows. */
export interface Money {
  gateway: string;
  reference: string;
  shortReference: string;
  asked: Sum;
  state: 'pending' | 'taken' | 'refused';
  /** The provider's own ids: the first one, and the receipt once the money is taken. */
  ticket: string;
  receipt: string;
  /** At most one, if the provider works correctly and is called once. */
  debits: (Sum & { at: number })[];
  refunds: (Sum & { at: number; visibleAt: number })[];
  /** The provider reversed it by itself before it had reported it as taken. */
  isReversed: boolean;
  /** The provider reported it as taken. */
  isReported: boolean;
  /** The first card was declined on the page; the payer may try another. */
  isDeclined: boolean;
  /** The provider's hosted page, which closes after a while; null if the payer is not redirected. */
  page: 'unknown' | 'shown' | null;
  /** When the provider's own list shows it, and when its result: both may lag. */
  visibleAt: number;
  decisionVisibleAt: number;
}

/** What the operator's systems really delivered. */
export interface Delivery extends Sum {
  system: 'charging' | 'billing' | 'crm';
  id: string;
  reference: string;
  to: string;
  what: string;
  at: number;
  visibleAt: number;
}

/** An act of a provider at our request. */
export interface Act {
  kind: 'charge' | 'refund' | 'delivery';
  reference: string;
  at: number;
  /** The portal's row at that moment; null: there was none. */
  stored?: { state: string; version: number } | null;
  /** For a goodwill credit instead of a payment: its row. */
  credit?: { payment: string; state: string };
}

/** A delivery or refund request that arrived, including repeated ones, which are not carried out again. */
export interface ReceivedRequest {
  kind: 'refund' | 'delivery';
  reference: string;
  at: number;
}

/**
 * How a provider may take another amount than requested; some add a fee, which does not count, and some never differ.
 */
const otherSums: Readonly<Record<string, readonly number[]>> = {
  ...{ wallet: [1, -1, 150], smartcash: [1, -1, 150], card: [-1, -150], paystack: [-1, -150] },
};

/**
 * Providers that may report a refused payment as pending again, and those that reverse a payment nobody enquired
 * about.
 */
const reopens: readonly string[] = ['wallet', 'smartcash', 'mpesa'];
const reverses: readonly string[] = ['mpesa'];

/** Everything that happened outside, which no database of ours can lose. */
export class Books {
  readonly money: Money[] = [];
  readonly deliveries: Delivery[] = [];
  readonly acts: Act[] = [];
  readonly received: ReceivedRequest[] = [];
  readonly time: VirtualTime;
  readonly random: Random;
  readonly faults: FaultPlan;
  /** The longest lag of any system, as its contract says. */
  readonly lagSeconds: number;
  /** Called when a payer has decided, or a provider changed its result. */
  onDecided: (money: Money) => void = () => {};
  /** Called for each act at the portal's request. */
  onAct: (kind: Act['kind']) => void = () => {};
  /** Whether the portal can still learn by our reference alone that it was taken. */
  isNamed: (reference: string) => boolean = () => true;

  constructor(time: VirtualTime, random: Random, faults: FaultPlan, lagSeconds: number) {
    this.time = time;
    this.random = random;
    this.faults = faults;
    this.lagSeconds = lagSeconds;
  }

  isVisible = (one: { visibleAt: number }): boolean => one.visibleAt <= this.time.nowMs;

  lag(): number {
    const late = this.faults.strikes('historyLags') ? this.random.whole(1, this.lagSeconds - 5) : 0;
    return this.time.nowMs + late * 1_000;
  }

  /** What the provider reports now; undefined: no such payment. */
  reported(money: Money | undefined): Money['state'] | undefined {
    if (!money || !this.isVisible(money)) return undefined;
    // For half a day at most: the rule "not found for a day, six times" relies on a payment showing up within a day.
    const mayBeForgotten = this.time.nowMs < money.visibleAt + 12 * 3_600_000;
    if (mayBeForgotten && this.faults.strikes('notFoundYet')) return undefined;
    return money.decisionVisibleAt <= this.time.nowMs ? money.state : 'pending';
  }

  find(gateway: string, reference: string): Money | undefined {
    return this.money.find((one) => one.gateway === gateway && one.reference === reference);
  }

  receive(kind: ReceivedRequest['kind'], reference: string): void {
    this.received.push({ kind, reference, at: this.time.nowMs });
  }

  act(kind: Act['kind'], reference: string): void {
    this.acts.push({ kind, reference, at: this.time.nowMs });
    this.onAct(kind);
  }

  /** A charge arrives. The payer is prompted, and decides after a while or never. */
  open(
    gateway: string,
    names: { reference: string; shortReference: string },
    asked: Sum,
    { isDecidedNow = false, pageMinutes }: { isDecidedNow?: boolean; pageMinutes?: number } = {},
  ): Money {
    const money: Money = {
      ...{ gateway, ...names, asked, state: 'pending', debits: [], refunds: [] },
      ...{ isReversed: false, isReported: false, isDeclined: false },
      ticket: `T${this.random.text(10)}`,
      receipt: String(this.random.whole(1_000_000, 9_999_999_999)),
      visibleAt: this.lag(),
      decisionVisibleAt: 0,
      page: pageMinutes ? 'unknown' : null,
    };
    this.money.push(money);
    this.act('charge', money.reference);
    // Some payers never respond; the provider times out after an hour.
    const decides = this.random.chance(0.88) ? this.random.whole(1, 120) : 3_600;
    const isWilling = decides < 3_600 && this.random.chance(0.75);
    if (pageMinutes) {
      const closing = this.time.after(pageMinutes * 60, () => this.decide(money, false));
      this.#closings.set(money, closing);
    }
    if (isDecidedNow || (!pageMinutes && this.faults.strikes('callbackEarly')))
      this.decide(money, isWilling || isDecidedNow);
    else
      this.time.after(decides, () => {
        // A payer who was never redirected to the page cannot pay there. It closes by itself.
        if (money.page !== 'unknown') this.decide(money, isWilling);
      });
    return money;
  }

  /** The portal has stored the page's URL, so the payer can be redirected. */
  show(reference: string): void {
    for (const money of this.money) if (money.reference === reference && money.page) money.page = 'shown';
  }

  readonly #closings = new Map<Money, ReturnType<VirtualTime['after']>>();

  decide(money: Money, isWilling: boolean): void {
    if (money.state !== 'pending') return;
    const closing = this.#closings.get(money);
    if (closing) this.time.cancel(closing);
    if (isWilling) this.take(money);
    else this.refuse(money);
    this.onDecided(money);
  }

  take(money: Money): void {
    money.state = 'taken';
    const { amount, currency } = money.asked;
    const wrong = otherSums[money.gateway]?.map((more) => amount + more) ?? [];
    const isOther = wrong.length > 0 && this.faults.strikes('otherAmount');
    const sum = isOther ? this.random.pick(wrong as [number, ...number[]]) : amount;
    money.debits.push({ amount: sum, currency, at: this.time.nowMs });
    money.decisionVisibleAt = Math.max(money.visibleAt, this.lag());
    if (!reverses.includes(money.gateway) || !this.faults.strikes('reversedByProvider')) return;
    this.time.after(this.random.whole(20, 1_800), () => {
      if (money.isReported || money.refunds.length > 0 || this.isNamed(money.reference)) return;
      money.isReversed = true;
      money.refunds.push({ amount: sum, currency, at: this.time.nowMs, visibleAt: money.decisionVisibleAt });
    });
  }

  /** A refusal is not always final: providers took money later, some after reporting the payment as pending again. */
  refuse(money: Money): void {
    money.state = 'refused';
    if (!this.faults.strikes('lateDebit')) return;
    const takeLate = () => {
      if (money.state === 'taken') return;
      this.take(money);
      money.decisionVisibleAt = this.time.nowMs;
      // A provider seldom sends a callback for money that it takes after a refusal.
      if (this.random.chance(0.3)) this.onDecided(money);
    };
    if (!reopens.includes(money.gateway) || this.random.chance(0.5)) {
      const latest = this.random.chance(0.3) ? 20 * 3_600 : 2 * 3_600;
      this.time.after(this.random.whole(60, latest), takeLate);
      return;
    }
    this.time.after(this.random.whole(3_600, 20 * 3_600), () => {
      if (money.state !== 'refused') return;
      money.state = 'pending';
      this.time.after(this.random.whole(3_600, 12 * 3_600), takeLate);
    });
  }

  /** Refunds it. `isActed`: the request was already recorded when it arrived. */
  refund(money: Money, sum: Sum, { isActed = false } = {}): void {
    money.refunds.push({ ...sum, at: this.time.nowMs, visibleAt: this.lag() });
    if (!isActed) this.act('refund', money.reference);
  }

  deliver(what: Omit<Delivery, 'id' | 'at' | 'visibleAt'>, { isActed = false } = {}): Delivery {
    const delivery = { ...what, id: `B${this.deliveries.length + 1}`, at: this.time.nowMs, visibleAt: this.lag() };
    this.deliveries.push(delivery);
    if (!isActed) this.act('delivery', delivery.reference);
    return delivery;
  }
}
