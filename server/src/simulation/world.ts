import type { PersonalData } from '../db/personal-data.ts';
import { reconcileDay } from '../payments/payments.service.ts';
import { testPersonalData } from '../testing/database.ts';
import { Books } from './books.ts';
import { Broken } from './broken.ts';
import { Callbacks } from './callbacks.ts';
import { CodeVisitor } from './code-visitor.ts';
import { Connections } from './connections.ts';
import { databaseOf, Process, type Stored } from './crashing-database.ts';
import { Customers } from './customers.ts';
import { Desk } from './desk.ts';
import { Disasters } from './disasters.ts';
import { FaultPlan } from './fault-plan.ts';
import type { Observation, SeenPayment } from './observation.ts';
import { Oracle } from './oracle.ts';
import { Portal, type Print } from './portal.ts';
import { billingProvider } from './providers/billing.ts';
import { cardCheckoutProvider } from './providers/card-checkout.ts';
import { chargingProvider } from './providers/charging.ts';
import { crmProvider } from './providers/crm.ts';
import { mpesaProvider } from './providers/mpesa.ts';
import { orangeMoneyProvider } from './providers/orange-money.ts';
import { paystackProvider } from './providers/paystack.ts';
import { smartcashProvider } from './providers/smartcash.ts';
import { walletProvider } from './providers/wallet.ts';
import { Random } from './random.ts';
import { Reviewers } from './reviewers.ts';
import type { SimulationDatabase } from './simulation-database.ts';
import { StateTriggers } from './state-triggers.ts';
import { StoredRows } from './stored-rows.ts';
import { rangeOf } from './themes.ts';
import { VirtualTime } from './virtual-time.ts';
import { simulatedClient, type WireProvider } from './wire.ts';
import { currency, startWorker, type Worker } from './worker.ts';

const hourMs = 3_600_000;
const start = Date.parse('2026-03-02T08:00:00Z');
const faultyMs = 2 * hourMs;
/** The promise is three days, after the half hour in which an order can be paid. */
const settleMs = 73 * hourMs;
const mostSteps = 60_000;
const personalData = openedOnce(testPersonalData());

export interface SeedReport {
  seed: number;
  steps: number;
  fired: FaultPlan['fired'];
  edges: Map<string, number>;
  /** What happened in it: gateways, kinds of items, decisions of people. */
  places: ReadonlySet<string>;
  /** How often a statement waited for another transaction. */
  lockWaits: number;
  broken: string | null;
}

/**
 * One world: real services and connectors on a real database; time, network, providers, people and crashes from one
 * seed.
 */
export async function runSeed(
  seed: number,
  database: SimulationDatabase,
  print: Print | null = null,
): Promise<SeedReport> {
  const world = new World(seed, database, print);
  const restoreClocks = world.time.install();
  try {
    const broken = await world.run().then(
      () => null,
      (error: unknown) => {
        if (error instanceof Broken) return error.message;
        throw error;
      },
    );
    const { steps, faults, edges, places, lockWaits } = world;
    return { seed, steps, fired: faults.fired, edges, places, lockWaits, broken };
  } finally {
    restoreClocks();
  }
}

class World {
  steps = 0;
  readonly time: VirtualTime;
  readonly faults: FaultPlan;
  readonly edges = new Map<string, number>();
  readonly places = new Set<string>();
  readonly #random: Random;
  readonly #database: SimulationDatabase;
  readonly #connections: Connections;
  readonly #books: Books;
  readonly #providers: ReadonlyMap<string, WireProvider>;
  readonly #stored: StoredRows;
  readonly #triggers: StateTriggers;
  readonly #portal: Portal;
  readonly #customers: Customers;
  readonly #codes: CodeVisitor;
  readonly #desk: Desk;
  readonly #reviewers: Reviewers;
  readonly #disasters: Disasters;
  readonly #oracle = new Oracle();
  readonly #secret: string;
  #isSettled = false;
  #faultsEndedAt: number | null = null;
  #actsSeen = 0;
  #changesSeen = 0;
  readonly #waitsForAll: boolean;
  /** Also wait for the end of the search for late money. */
  readonly #isThorough: boolean;
  /** Most oracle checks are off while nothing can happen; the others always run. */
  readonly #skips: boolean;

  constructor(seed: number, database: SimulationDatabase, print: Print | null) {
    this.#random = new Random(seed);
    this.time = new VirtualTime(start, (count) => (count === 1 ? 0 : this.#random.whole(0, count - 1)));
    this.#secret = `seed ${seed}`;
    this.#database = database;
    this.#connections = new Connections(this.time, database);
    this.#stored = new StoredRows(database.db, this.time);
    this.#triggers = new StateTriggers(this.time);
    const range = rangeOf(seed);
    this.faults = new FaultPlan(this.#random, { cuts: new Random(-seed), range });
    this.#books = new Books(this.time, this.#random, this.faults, this.#random.chance(0.2) ? 3_600 : 600);
    this.#providers = providersOf(this.#books);
    const common = { time: this.time, random: this.#random, faults: this.faults };
    this.#portal = new Portal({
      ...common,
      print,
      start: () => this.#startWorker(),
      isOfLost: (error) => this.#isOfLost(error),
    });
    const isAboutLateMoney = range !== 'common' && this.faults.theme.includes('lateDebit');
    this.#waitsForAll = this.#random.chance(0.05) || isAboutLateMoney;
    this.#isThorough = this.#random.chance(0.4) || isAboutLateMoney;
    this.#skips = this.#random.chance(0.95);
    const portal = { ...common, portal: this.#portal, stored: this.#stored, triggers: this.#triggers };
    this.#customers = new Customers({ ...portal, range });
    this.#desk = new Desk(seed, {
      time: this.time,
      launch: (act, then) => this.#portal.launch(act, then),
      note: (where) => this.places.add(where),
      restores: () => this.#disasters.restores.length,
      downUntil: () => this.#portal.downUntil,
    });
    this.#reviewers = new Reviewers({ ...portal, books: this.#books, desk: this.#desk, places: this.places });
    this.#disasters = new Disasters({
      ...{ ...portal, books: this.#books, customers: this.#customers },
      ...{ range, database, print, endsAt: start + faultyMs },
    });
    // The process for codes never dies: crashes are not tested for codes.
    const quiet = { ...this.#databaseParts(), faults: quietFaults };
    this.#codes = new CodeVisitor(
      databaseOf(new Process(quietFaults), quiet),
      this.#random,
      this.faults,
      () => this.time.now,
    );
    const callbacks = new Callbacks(portal);
    this.#books.onDecided = (money) => callbacks.send(money);
    this.#books.onAct = (kind) => {
      this.#disasters.acted(kind);
      // A power cut: all processes die before they get the response.
      if (this.faults.strikes('powerCut')) this.#portal.crash();
    };
    this.#books.isNamed = (reference) =>
      this.#stored.rows.history.some(({ payment, to }) => payment === reference && to === 'AWAITING_PAYER');
  }

  /** Goes on until every payment is settled, also those that nobody will ever pay. */
  get #isPatient(): boolean {
    return this.#waitsForAll || this.#disasters.wasDown;
  }

  get lockWaits(): number {
    return this.#connections.lockWaits;
  }

  #databaseParts() {
    return {
      ...{ connections: this.#connections, faults: this.faults, random: this.#random, time: this.time, personalData },
      changed: (stored: readonly Stored[]) => this.#stored.noteChanged(stored),
    };
  }

  #startWorker(): Worker {
    const process = new Process(this.faults);
    const http = simulatedClient({
      ...{ providers: this.#providers, time: this.time, faults: this.faults, random: this.#random },
      edge: process.edge,
      hasOutage: (host) => this.#disasters.hasOutage(host),
      acted: () => this.#noteActs(),
    });
    const db = databaseOf(process, this.#databaseParts());
    return startWorker({
      ...{ process, db, http, time: this.time, lag: this.#books.lagSeconds, secret: this.#secret },
      reached: (state, payment) => this.#triggers.reached(state, payment),
      print: (id, what) => this.#portal.print(id, what),
      failed: (error) => this.#portal.report(error),
    });
  }

  /** A foreign key violation: the process was still working on a payment that a restore lost. */
  #isOfLost(error: unknown): boolean {
    return this.#disasters.restores.length > 0 && (error as { code?: string }).code === '23503';
  }

  /** The rows as they are stored at the moment a provider acted. */
  async #noteActs(): Promise<void> {
    const acts = this.#books.acts.slice(this.#actsSeen);
    this.#actsSeen += acts.length;
    await this.#stored.addTo(acts);
  }

  async run(): Promise<void> {
    await this.#database.empty();
    this.#customers.plan();
    this.#disasters.plan();
    this.#jumpClocks();
    this.#visitCodes();
    this.#endFaults();
    while (this.time.nowMs < this.#end && !this.#isSettled) {
      await this.#step(this.#end);
      this.steps += 1;
      if (this.steps > mostSteps) throw new Broken('I11', 'it never comes to rest');
    }
    const isOver = this.time.nowMs >= this.#end || this.#isPatient;
    const seen = structuredClone(await this.#observe());
    const differences = await this.#compare();
    const { acknowledged } = this.#customers;
    this.#oracle.end({ ...seen, acknowledged, differences, comparedUntil: start + 16 * hourMs, isOver });
  }

  #endFaults(): void {
    if (this.time.nowMs < this.#disasters.endsAt)
      return void this.time.at(this.#disasters.endsAt, () => this.#endFaults());
    this.faults.end();
    this.#faultsEndedAt = this.time.nowMs;
    for (const { machine } of this.#portal.workers) machine.skewMs = 0;
  }

  get #end(): number {
    return this.#disasters.endsAt + settleMs;
  }

  #visitCodes(): void {
    this.time.after(this.#random.whole(10, 240), () => {
      if (this.faults.isOver) return;
      if (this.#portal.isDown) return this.#portal.later(() => this.#visitCodes());
      this.#codes.step().catch((error: unknown) => this.#portal.fail(error));
      this.#visitCodes();
    });
  }

  #jumpClocks(): void {
    this.time.after(this.#random.whole(60, 1_800), () => {
      if (this.faults.isOver) return;
      if (this.#portal.isDown) return this.#portal.later(() => this.#jumpClocks());
      for (const { machine } of this.#portal.workers)
        if (this.faults.strikes('clockJump')) machine.skewMs = this.#random.whole(-24, 24) * hourMs;
      this.#jumpClocks();
    });
  }

  async #step(end: number): Promise<void> {
    const sweepAt = Math.max(this.#stored.nextDueAt, this.#portal.downUntil);
    if (sweepAt <= Math.min(this.time.nextAt, end)) {
      this.time.nowMs = Math.max(this.time.nowMs, sweepAt);
      const sweep = () => this.#portal.launch(async ({ payments }) => void (await payments.sweep(50)));
      sweep();
      if (this.faults.strikes('twoWorkers')) sweep();
      const before = this.#stored.nextDueAt;
      await this.time.settle();
      // If the process died before it changed anything, another one sweeps a moment later.
      if (!this.#stored.isChanged && this.#stored.nextDueAt === before)
        this.#stored.nextDueAt = this.time.nowMs + 1_000;
    } else await this.time.step(end);
    if (this.#portal.broken) throw this.#portal.broken;
    if (this.#stored.isChanged) {
      this.#stored.isChanged = false;
      this.#oracle.observe(await this.#observe());
    }
    this.#checkSettled();
  }

  async #observe(): Promise<Observation> {
    const seen = await this.#stored.read();
    if (seen.payments.some(({ state }) => state === 'REVIEW')) this.#reviewers.plan();
    // The payer is redirected to a provider's page once the portal has stored its URL.
    for (const { id, state } of seen.payments) if (state === 'AWAITING_PAYER') this.#books.show(id);
    for (const { gateway } of this.#books.money) this.places.add(`taken by ${gateway}`);
    for (const { system, what } of this.#books.deliveries) this.places.add(`delivered by ${system}: ${what}`);
    for (const { kind } of seen.messages) this.places.add(`message ${kind}`);
    for (const { from, to } of seen.history.slice(this.#changesSeen)) this.#count(`${from}>${to}`);
    this.#changesSeen = seen.history.length;
    this.#desk.observe(seen);
    const { money, acts, received, lagSeconds } = this.#books;
    return {
      ...{ now: this.time.nowMs, ...seen, shown: this.#stored.shown, money, acts, received, lag: lagSeconds * 1_000 },
      ...this.#desk.splitDeliveries(this.#books.deliveries),
      ...{ restores: this.#disasters.restores, faultsEndedAt: this.#faultsEndedAt },
      attempts: this.#customers.attempts,
    };
  }

  /**
   * If every enquiry of the next hours would return the same result, skips them: the portal is off until half an hour
   * before a payment's age can lead to a change.
   */
  #skipQuiet(payments: readonly SeenPayment[]): void {
    const { nowMs } = this.time;
    if (this.#faultsEndedAt === null || nowMs - this.#faultsEndedAt < 2 * hourMs) return;
    const open = payments.filter(({ state, dueAt }) => dueAt !== null || state === 'REVIEW');
    if (!open.every(({ state }) => ['AWAITING_PAYER', 'UNKNOWN', 'FAILED'].includes(state))) return;
    const ends = open.flatMap(({ state, submittedAt, changedAt }) =>
      state === 'FAILED' ? [changedAt + 25 * hourMs] : [24, 72].map((hours) => (submittedAt ?? 0) + hours * hourMs),
    );
    const until = Math.min(...ends.map((end) => end - hourMs / 2).filter((end) => end > nowMs + 2 * hourMs));
    if (!Number.isFinite(until)) return;
    this.#portal.goDown(until);
    this.#faultsEndedAt = until;
  }

  #checkSettled(): void {
    if (!this.faults.isOver) return;
    const { payments } = this.#stored.rows;
    const isQuiet = this.time.nextAt === Number.POSITIVE_INFINITY;
    this.#isSettled = isQuiet && payments.every((one) => this.#isDone(one) || this.#waitsInVain(one));
    if (this.#skips) this.#skipQuiet(payments);
  }

  #count(edge: string): void {
    this.edges.set(edge, (this.edges.get(edge) ?? 0) + 1);
  }

  /** Its state will not change any more: late enquiries about a failed payment return the same each time. */
  #isDone({ id, state, dueAt }: SeenPayment): boolean {
    if (state === 'FAILED' && dueAt !== null && this.#isPatient && this.#isThorough) return false;
    const money = this.#books.money.filter(({ reference }) => reference === id);
    const kept = money.some(({ debits, refunds }) => debits.length > refunds.length);
    return state === 'SUCCEEDED' || state === 'REFUNDED' || (state === 'FAILED' && !kept);
  }

  /** A payment that will never be paid is enquired about for a day; few worlds run that long. */
  #waitsInVain({ id, state }: { id: string; state: string }): boolean {
    if (this.#isPatient || !['AWAITING_PAYER', 'UNKNOWN'].includes(state)) return false;
    return this.#books.money.every(({ reference, debits }) => reference !== id || debits.length === 0);
  }

  async #compare() {
    const { statements, db } = this.#portal.worker();
    const charging = { deliver: never, findDelivery: async () => ({ kind: 'unclear', detail: 'not asked' }) as const };
    const comparison = {
      db,
      statements,
      charging,
      billing: charging,
      orders: charging,
      timeZone: 'UTC',
      now: () => this.time.now,
    };
    let isOver = false;
    const compared = reconcileDay(comparison, '2026-03-02').finally(() => {
      isOver = true;
    });
    // These calls take little virtual time, so hardly any other task runs in between.
    await this.time.settle();
    while (!isOver) await this.time.step(this.time.nowMs + 1_000);
    const { differences } = await compared;
    for (const { what } of differences) this.places.add(`compared: ${what}`);
    return differences;
  }
}

const providersOf = (books: Books): ReadonlyMap<string, WireProvider> =>
  new Map([
    ['wallet', walletProvider(books)],
    ['mpesa', mpesaProvider(books, currency)],
    ['smartcash', smartcashProvider(books)],
    ['card', cardCheckoutProvider(books)],
    ['orange', orangeMoneyProvider(books, currency)],
    ['paystack', paystackProvider(books)],
    ['charging', chargingProvider(books)],
    ['billing', billingProvider(books)],
    ['crm', crmProvider(books)],
  ]);

/** Caches opened values: a payment is read dozens of times, and a sealed value always opens to the same. */
function openedOnce(data: PersonalData): PersonalData {
  const opened = new Map<string, Buffer>();
  const open = data.open.bind(data);
  data.open = (place, sealed) => {
    const key = `${place}\n${sealed}`;
    const clear = opened.get(key) ?? open(place, sealed);
    if (opened.size > 10_000) opened.clear();
    opened.set(key, clear);
    return clear;
  };
  return data;
}

const never = () => Promise.reject(new Error('nothing is delivered here'));

/** No faults. */
const quietFaults = new FaultPlan(new Random(0), { cuts: new Random(0) });
quietFaults.end();
