import type { PaymentState } from '@portal/domain/payment/transitions.ts';
import { sql } from 'kysely';
import type { Act, Books } from './books.ts';
import type { Customers } from './customers.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Portal, Print } from './portal.ts';
import type { Random } from './random.ts';
import type { SimulationDatabase, Snapshot } from './simulation-database.ts';
import type { StateTriggers } from './state-triggers.ts';
import type { StoredRows } from './stored-rows.ts';
import { isAboutRefunds, isAfterRare, type SeedRange, statesOf } from './themes.ts';
import type { VirtualTime } from './virtual-time.ts';

const hourMs = 3_600_000;
const systemOf = { airtime: 'charging', bundle: 'charging', bill: 'billing', order: 'crm' } as const;
/**
 * Triggers of a restore: the backup is made when a payment reaches a state, and restored once a provider has gone on
 * with that payment, so that its progress is lost.
 */
const restoreTriggers: readonly [RestoreTrigger, ...RestoreTrigger[]] = [
  ['CREATED', 'charge'],
  ['CREATED', 'charge'],
  ['CREATED', 'delivery'],
  ['CREATED', 'refund'],
  ['SUBMITTING', 'charge'],
  ['AWAITING_PAYER', 'delivery'],
  ['UNKNOWN', 'delivery'],
  ['UNKNOWN', 'refund'],
  ['PAID', 'delivery'],
  ['FULFILLING', 'delivery'],
  ['FULFIL_UNKNOWN', 'delivery'],
  ['FULFIL_UNKNOWN', 'delivery'],
  ['FULFIL_UNKNOWN', 'delivery'],
  ['SUCCEEDED', 'charge'],
  ['REFUND_DUE', 'refund'],
  ['REFUNDING', 'refund'],
  ['REFUND_UNKNOWN', 'refund'],
  ['REVIEW', 'refund'],
  ['REVIEW', 'delivery'],
];
type RestoreTrigger = readonly [PaymentState, Act['kind']];
/**
 * The portal goes down for some hours when a payment reaches a state, so steps that depend on the payment's age are
 * late.
 */
const downtimes: readonly [Downtime, ...Downtime[]] = [
  ['AWAITING_PAYER', 1, 6],
  ['FAILED', 20, 30],
  ['UNKNOWN', 20, 30],
  ['SUBMITTING', 71, 80],
  ['AWAITING_PAYER', 71, 80],
  ['AWAITING_PAYER', 71, 80],
  ['UNKNOWN', 71, 80],
  ['FULFILLING', 71, 80],
  ['FULFIL_UNKNOWN', 71, 80],
  ['FULFIL_UNKNOWN', 71, 80],
  ['FULFIL_UNKNOWN', 71, 80],
  ['REFUNDING', 169, 180],
  ['REFUND_UNKNOWN', 169, 180],
  ['REFUND_UNKNOWN', 169, 180],
  ['REVIEW', 1, 30],
];
type Downtime = readonly [PaymentState, number, number];

interface Parts {
  time: VirtualTime;
  random: Random;
  faults: FaultPlan;
  range: SeedRange;
  database: SimulationDatabase;
  portal: Portal;
  books: Books;
  customers: Customers;
  stored: StoredRows;
  triggers: StateTriggers;
  print: Print | null;
  /** When the last fault ends, unless a disaster puts it off. */
  endsAt: number;
}

/** What happens to a whole system: the database is restored, the portal is down, a provider has an outage. */
export class Disasters {
  readonly #parts: Parts;
  readonly restores: { at: number; backTo: number }[] = [];
  /** The portal was down for hours or days. */
  wasDown = false;
  /** From then on there are no more faults. */
  endsAt: number;
  #outage: { host: string; from: number; until: number } | null = null;
  #onAct: ((kind: Act['kind']) => void) | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.endsAt = parts.endsAt;
  }

  plan(): void {
    this.#planOutage();
    this.#planRestore();
    this.#planDowntime();
  }

  /** A provider has acted. */
  acted(kind: Act['kind']): void {
    this.#onAct?.(kind);
  }

  hasOutage(host: string): boolean {
    const { faults, time } = this.#parts;
    const name = host === 'charging' && this.#outage?.host === 'airtime' ? 'airtime' : host;
    return (
      !faults.isOver &&
      this.#outage?.host === name &&
      this.#outage.from <= time.nowMs &&
      time.nowMs < this.#outage.until
    );
  }

  get #isAboutRefunds(): boolean {
    return isAboutRefunds(this.#parts.faults.theme, this.#parts.range);
  }

  /** Mostly a trigger on the way of this world's theme. */
  #pickByTheme<T extends readonly [PaymentState, ...unknown[]]>(all: readonly [T, ...T[]]): T {
    const { random, faults, range } = this.#parts;
    const states = statesOf(faults.theme, range);
    const [one, ...more] = all.filter(([state]) => states.includes(state));
    return one && random.chance(0.8) ? random.pick([one, ...more]) : random.pick(all);
  }

  /** The database is restored to an earlier moment. Some processes are restarted on it, the others find out. */
  #planRestore(): void {
    const { time, random, faults, triggers } = this.#parts;
    if (!faults.strikes('restore')) return;
    const [state, kind] = this.#pickByTheme(restoreTriggers);
    const takenAfter = random.chance(0.5) ? 0 : random.whole(0, 900);
    triggers.when(state, random.whole(60, 3_600), () => {
      // At once, before any other task continues.
      if (takenAfter === 0) this.#backUp(kind);
      else time.after(takenAfter, () => this.#backUp(kind));
    });
  }

  /** Makes a backup now, and restores it soon after a provider has acted. */
  #backUp(kind: Act['kind']): void {
    const { time, random, database, books } = this.#parts;
    const takenAt = time.nowMs;
    let snapshot: Snapshot = {};
    this.#whileTimeIsStopped(async () => {
      snapshot = await database.snapshot();
    });
    const restoreIn = (seconds: number) => {
      this.#onAct = null;
      time.cancel(latest);
      time.after(seconds, () => this.#restore(snapshot, takenAt));
    };
    // A call without a response is repeated only after the lag. Waiting for it lets the restore lose the retry too.
    const lag = this.#isAboutRefunds || random.chance(0.5) ? books.lagSeconds : 0;
    const latest = time.after(lag + random.whole(30, 3_600), () => restoreIn(0));
    this.#onAct = (acted) => {
      if (acted === kind) restoreIn(random.chance(0.5) ? random.next() : random.whole(1, 900));
    };
  }

  #restore(snapshot: Snapshot, takenAt: number): void {
    const { time, random, database, portal, stored, customers, print } = this.#parts;
    this.#whileTimeIsStopped(async () => {
      await database.restore(snapshot, time.now);
      stored.noteAllChanged();
      this.restores.push({ at: time.nowMs, backTo: takenAt });
      // A restore is a fault too, so the three days begin again here.
      this.endsAt = Math.max(this.endsAt, time.nowMs);
      print?.(`${time.now.toISOString()} restored to ${new Date(takenAt).toISOString()}`);
      const { rows } = await sql<{ id: string; state: string }>`select id, state from payments`.execute(database.db);
      customers.forgetLost(rows);
    });
    for (const worker of portal.workers) {
      if (random.chance(0.5)) worker.process.isDead = true;
      // Every ten seconds, running processes check whether the server changed.
      else
        time.after(random.next() * 10, () => {
          if (!worker.process.isDead) portal.launchOn(worker, async ({ epochs }) => void (await epochs.check()));
        });
    }
  }

  /** The portal goes down when a payment reaches a state, while everything outside goes on. */
  #planDowntime(): void {
    const { time, random, faults, range, portal, triggers, print } = this.#parts;
    if (!faults.strikes('portalOff')) return;
    const [state, least, most] = this.#pickByTheme(downtimes);
    const after = random.chance(0.5) ? 0 : random.whole(0, 120);
    triggers.when(state, random.whole(600, 5_400), (reaching) =>
      time.after(after, () => {
        const until = time.nowMs + random.whole(least * 3_600, most * 3_600) * 1_000;
        portal.goDown(until);
        this.wasDown = true;
        print?.(`${time.now.toISOString()} off until ${new Date(until).toISOString()}`);
        const host = this.#isAboutRefunds && reaching ? reaching.gateway : this.#calledIn(state);
        if (isAfterRare(range)) this.#outage = { host, from: time.nowMs, until: 0 };
        if (this.#outage && random.chance(0.7)) this.#outage.until = until + 1.5 * hourMs;
        this.endsAt = Math.max(this.endsAt, until + 2 * hourMs);
      }),
    );
  }

  /** The system that is called in this state. */
  #calledIn(state: PaymentState): string {
    const { payments } = this.#parts.stored.rows;
    const payment = payments.find((one) => one.state === state) ?? payments[0];
    if (!payment) return 'charging';
    return state.startsWith('FULFIL') ? systemOf[payment.item] : payment.gateway;
  }

  #planOutage(): void {
    const { time, random, faults, customers, triggers } = this.#parts;
    if (this.#isAboutRefunds) {
      triggers.when('REFUND_DUE', 5_400, (reaching) => {
        const { nowMs } = time;
        const until = nowMs + random.whole(60, 600) * 1_000;
        if (this.#outage || !reaching) return;
        this.#outage = { host: reaching.gateway, from: nowMs, until };
        faults.count('trouble');
      });
      return;
    }
    if (!faults.strikes('trouble')) return;
    // Only among systems used in this world.
    // A system that refuses a delivery has to answer; then the one that refunds has the outage.
    const systems = customers.quotes.flatMap(({ gateway, details }) => [
      ...(faults.theme.includes('deliveryReplyLost') ? [] : [gateway]),
      ...(faults.theme.includes('deliveryRefused') ? [] : [systemOf[details.item.kind]]),
    ]);
    const host = systems[random.whole(0, systems.length - 1)] ?? 'charging';
    const from = time.startMs + random.whole(0, 1_800) * 1_000;
    this.#outage = { host, from, until: from + random.whole(600, 10_800) * 1_000 };
  }

  #whileTimeIsStopped(act: () => Promise<void>): void {
    const { time, portal } = this.#parts;
    time.enter();
    act()
      .catch((error: unknown) => portal.fail(error))
      .finally(() => time.leave());
  }
}
