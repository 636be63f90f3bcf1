import { createHmac } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { billingSystem } from '../connectors/billing/index.ts';
import { cardCheckoutGateway } from '../connectors/card-checkout/index.ts';
import { airtimeGateway } from '../connectors/charging/airtime.ts';
import { chargingSystem } from '../connectors/charging/index.ts';
import { crmDesk } from '../connectors/crm/index.ts';
import type { HttpClient } from '../connectors/http-client.ts';
import { mpesaGateway } from '../connectors/mpesa/index.ts';
import { orangeMoneyGateway } from '../connectors/orange-money/index.ts';
import { paystackGateway } from '../connectors/paystack/index.ts';
import type { DeliveredItem, PaymentGateway, StatementSource } from '../connectors/ports.ts';
import { defaultHeaders, defaultPaths } from '../connectors/smartcash/client.ts';
import { smartcashGateway } from '../connectors/smartcash/index.ts';
import { defaultCodes } from '../connectors/smartcash/messages.ts';
import { walletGateway } from '../connectors/wallet/index.ts';
import { clockOf } from '../db/clock.ts';
import { createEpochs } from '../db/epochs.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import {
  createPayments,
  DecisionRefused,
  type Payments,
  type Quote,
  reconcileDay,
  referencesBy,
} from '../payments/payments.service.ts';
import { Books, type Money } from './books.ts';
import { CodeVisitor } from './code-visitor.ts';
import { Crash, databaseOf, Process } from './crashing-database.ts';
import { FaultPlan } from './fault-plan.ts';
import type { Acknowledged, Observation } from './observation.ts';
import { Broken, Oracle } from './oracle.ts';
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
import type { SimulationDatabase } from './simulation-database.ts';
import { VirtualTime } from './virtual-time.ts';
import { simulatedClient, type WireProvider } from './wire.ts';

const hourMs = 3_600_000;
const start = Date.parse('2026-03-02T08:00:00Z');
const faultyMs = 3 * hourMs;
/** The promise is three days; the customer's own half hour to pay comes before. */
const settleMs = 73 * hourMs;
const mostSteps = 60_000;
const currency = 'NGN';
const callbackKey = 'the key of callbacks';
const gatewayNames = ['wallet', 'mpesa', 'smartcash', 'card', 'orange', 'paystack', 'airtime'] as const;
const typeOf = {
  ...{ airtime: 'PREPAID_RECHARGE', bundle: 'PREPAID_BUNDLES', bill: 'POSTPAID_BILL', order: 'HBB_LEADS' },
} as const;
/** They know a reference for good, so that an order which a restored database lost is not charged again. */
const knowReferences: readonly string[] = ['wallet', 'paystack'];

/** A process of the portal, on a machine whose clock nobody set. */
interface Worker {
  process: Process;
  payments: Payments;
  statements: ReadonlyMap<string, StatementSource>;
  db: Kysely<Schema>;
  machine: { skewMs: number };
}

/** One attempt to pay an order; an order may have two. */
interface Customer {
  key: string;
  quote: Quote;
  body: object;
  id: string | null;
  answered: Acknowledged | null;
}

interface SentCallback {
  provider: string;
  path: string;
  body: Buffer;
  headers: Record<string, string>;
}

export interface SeedReport {
  seed: number;
  steps: number;
  fired: FaultPlan['fired'];
  edges: Map<string, number>;
  broken: string | null;
}

/** One world: real services and connectors on a real database; time, wire, providers, people and deaths from one seed. */
export async function runSeed(
  seed: number,
  database: SimulationDatabase,
  print: (line: string) => void = () => {},
): Promise<SeedReport> {
  const world = new World(seed, database, print);
  const restoreClocks = world.time.install();
  try {
    const broken = await world.live().then(
      () => null,
      (error: unknown) => {
        if (error instanceof Broken) return error.message;
        throw error;
      },
    );
    return { seed, steps: world.steps, fired: world.faults.fired, edges: world.edges, broken };
  } finally {
    restoreClocks();
  }
}

class World {
  steps = 0;
  readonly time = new VirtualTime(start);
  readonly faults: FaultPlan;
  readonly edges = new Map<string, number>();
  readonly #random: Random;
  readonly #database: SimulationDatabase;
  readonly #print: (line: string) => void;
  readonly #books: Books;
  readonly #providers: ReadonlyMap<string, WireProvider>;
  readonly #oracle = new Oracle();
  readonly #customers: Customer[];
  readonly #codes: CodeVisitor;
  readonly #sent: SentCallback[] = [];
  readonly #secret: string;
  readonly #restores: { at: number; backTo: number }[] = [];
  #workers: [Worker, Worker];
  #isChanged = true;
  #sweepAt = Number.POSITIVE_INFINITY;
  #isAtRest = false;
  #faultsEndedAt: number | null = null;
  /** What broke where nobody waits for it. */
  #broken: Broken | null = null;
  #actsSeen = 0;
  #isReviewPlanned = false;
  readonly #isPatient: boolean;

  constructor(seed: number, database: SimulationDatabase, print: (line: string) => void) {
    this.#random = new Random(seed);
    this.#secret = `seed ${seed}`;
    this.#database = database;
    this.#print = print;
    this.faults = new FaultPlan(this.#random);
    this.#books = new Books(this.time, this.#random, this.faults);
    this.#books.onDecided = (money) => this.#tell(money);
    this.#providers = new Map<string, WireProvider>([
      ['wallet', walletProvider(this.#books)],
      ['mpesa', mpesaProvider(this.#books, currency)],
      ['smartcash', smartcashProvider(this.#books)],
      ['card', cardCheckoutProvider(this.#books)],
      ['orange', orangeMoneyProvider(this.#books, currency)],
      ['paystack', paystackProvider(this.#books)],
      ['charging', chargingProvider(this.#books)],
      ['billing', billingProvider(this.#books)],
      ['crm', crmProvider(this.#books)],
    ]);
    this.#workers = [this.#start(), this.#start()];
    this.#isPatient = this.#random.chance(0.3);
    this.#customers = Array.from({ length: this.#random.whole(1, 3) }, (_, index) => this.#attemptsOf(index)).flat();
    this.#codes = new CodeVisitor(database.db, this.#random, this.faults, () => this.time.now);
  }

  #start(): Worker {
    const process = new Process(this.faults);
    const machine = { skewMs: 0 };
    const http = simulatedClient({
      ...{ providers: this.#providers, time: this.time, faults: this.faults, random: this.#random },
      edge: process.edge,
      acted: () => this.#acted(),
    });
    const db = databaseOf(this.#database.pool, process, {
      ...{ faults: this.faults, random: this.#random, time: this.time },
      changed: () => {
        this.#isChanged = true;
      },
    });
    const clock = clockOf(() => this.time.now);
    const { gateways, statements } = connectorsOn(http, () => this.time.now);
    const charging = chargingSystem(http, { url: 'http://charging.example', key: 'key', digits: 0 });
    const billing = billingSystem(http, {
      ...{ url: 'http://billing.example', key: 'key', currency: { code: currency, digits: 0 } },
    });
    const orders = crmDesk(http, { url: 'http://crm.example', keyId: 'id', secret: 'secret', digits: 0 });
    const payments = createPayments({
      ...{ db, clock, epochs: createEpochs(db, clock), gateways, charging, billing, orders },
      guards: { submitting: async () => {}, refused: async () => {}, paid: async () => {} },
      returnUrl: () => 'http://portal.example/',
      async notify(transaction, { paymentId, kind }) {
        await sql`insert into simulation_messages values (${paymentId}, ${kind})`.execute(transaction);
      },
      referencesOf: referencesBy(this.#secret),
      events: {
        created: () => {},
        moved: (payment, from, event) => this.#say(payment.id, `${from} ${event} ${payment.state}`),
        leaseLost: ({ id }) => this.#say(id, 'lease lost'),
        unclear: ({ id }, call, detail) => this.#say(id, `unclear ${call}: ${detail}`),
        callback: () => {},
        stepFailed: (id, error) => {
          this.#say(id, `step failed: ${(error as Error).message}`);
          if (!isExpected(error)) this.#broken ??= asBroken(error);
        },
      },
    });
    return { process, payments, statements, db, machine };
  }

  #say(id: string, what: string): void {
    this.#print(`${this.time.now.toISOString()} ${id.slice(0, 4)} ${what}`);
  }

  /** Some pay another way while the first one is still open: a reopened page, a second tab, another device. */
  #attemptsOf(index: number): Customer[] {
    const first = this.#customer(index, this.#random.pick(gatewayNames));
    if (!this.#random.chance(0.35)) return [first];
    const second = this.#customer(index, this.#random.pick(gatewayNames));
    const orderDigest = `order-${index}-${this.#random.text(8)}`;
    const same = { amount: first.quote.amount, details: first.quote.details, orderDigest };
    first.quote = { ...first.quote, orderDigest };
    second.quote = { ...second.quote, ...same };
    return [first, { ...second, body: { amount: first.quote.amount, isSecond: true } }];
  }

  #customer(index: number, gateway: string): Customer {
    const amount = this.#random.whole(500, 500_000);
    const item = this.#random.pick<DeliveredItem>([
      { kind: 'airtime' },
      {
        ...{ kind: 'bundle', productCode: 'B1', description: 'Bundle', usageType: 'data', isUnlimited: false },
        ...{ content: { amount: 1, units: 'GB' }, validityDays: 7 },
      },
      { kind: 'bill', accountNo: 'PA1000000001', billNo: 'INV-1' },
      { kind: 'order', leadId: 'L1', productCode: 'H1' },
    ]);
    const msisdn = `039000000${index}` as const;
    const quote: Quote = {
      ...{ gateway, paymentMode: gateway.toUpperCase(), transactionType: typeOf[item.kind], amount, currency, msisdn },
      ...{ payerMsisdn: null, payerProof: null, proofDigest: null, email: 'x@example.com', productCode: null },
      ...{ description: null, accountId: null, invoiceNumber: null, language: 'en-GB', visit: null },
      ...{ orderId: null, orderDigest: null, details: { item } },
    };
    return { key: `key-${index}-${this.#random.text(8)}`, quote, body: { amount }, id: null, answered: null };
  }

  /** A process that died is started again; whatever the dead one had under way stops at its next step. */
  #worker(): Worker {
    const index = this.#random.chance(0.5) ? 0 : 1;
    if (this.#workers[index].process.isDead) this.#workers[index] = this.#start();
    return this.#workers[index];
  }

  /** Somebody does something, and the world goes on meanwhile. */
  #launch(act: (worker: Worker) => Promise<void>, then: (isDone: boolean) => void = () => {}): void {
    const worker = this.#worker();
    const done = this.time.withSkew(worker.machine, () => act(worker));
    done.then(
      () => then(true),
      (error: unknown) => {
        if (!isExpected(error)) this.#broken ??= asBroken(error);
        this.#print(`  (${(error as Error).message})`);
        then(false);
      },
    );
  }

  #order(customer: Customer): void {
    const { key, quote, body } = customer;
    const initiate = (offered: Quote) =>
      this.#launch(
        async ({ payments }) => {
          const { id, ...sum } = await payments.initiate(offered, { key, body });
          const before = customer.answered;
          const isSame = !before || (before.payment === id && before.amount === sum.amount);
          if (!isSame) throw new Broken('I1', 'one key gave two answers');
          customer.id = id;
          customer.answered ??= { payment: id, ...sum, at: this.time.nowMs, wasProcessed: false };
        },
        () => {},
      );
    initiate(quote);
    if (this.faults.strikes('impatientCustomer')) initiate(quote);
    this.time.after(this.#random.whole(1, 60), () => {
      if (!customer.id) return this.#order(customer);
      // What the list says by now is nobody's business any more: the quote wins.
      if (this.faults.strikes('priceChanged')) initiate({ ...quote, amount: quote.amount + 7 });
      if (this.faults.strikes('keyReused')) this.#reuseKey(customer);
      this.#pay(customer);
    });
  }

  #reuseKey({ key, quote }: Customer): void {
    this.#launch(async ({ payments }) => {
      const other = { ...quote, amount: quote.amount + 1 };
      const isRefused = await payments.initiate(other, { key, body: { amount: other.amount } }).then(
        () => false,
        (error: unknown) => {
          if (error instanceof PortalError && error.kind === 'keyReused') return true;
          throw error;
        },
      );
      if (!isRefused) throw new Broken('I1', 'a key was taken with another body');
    });
  }

  #pay(customer: Customer): void {
    const pay = () =>
      this.#launch(async ({ payments }) => {
        const pin = customer.quote.gateway === 'smartcash' ? { pin: '1234' } : {};
        await payments.process(customer.id ?? '', pin).catch((error: unknown) => {
          if (!(error instanceof PortalError)) throw error;
        });
        if (customer.answered) customer.answered.wasProcessed = true;
      });
    const isImpatient = this.faults.strikes('impatientCustomer');
    for (let times = isImpatient ? 3 : 1; times > 0; times -= 1) pay();
    // Back, a second tab, or a retry after no answer came.
    this.time.after(this.#random.whole(5, 300), () => {
      if (isImpatient || !customer.answered?.wasProcessed) this.#pay(customer);
    });
  }

  /** The provider tells what happened; on the way it may be lost, doubled, turned around or made up. */
  #tell(money: Money): void {
    const truth = money.state === 'taken';
    if (!this.faults.strikes('callbackLost')) this.#send(money, truth);
    if (this.faults.strikes('callbackDoubled'))
      for (let copies = this.#random.whole(1, 20); copies > 0; copies -= 1) this.#send(money, truth);
    if (this.faults.strikes('callbacksContradict')) this.#send(money, !truth);
    if (this.faults.strikes('callbackForged')) this.#send(money, true, 'a wrong key');
    const old = this.#sent.length > 0 && this.faults.strikes('callbackReplayed');
    if (old) this.#deliver(this.#sent[this.#random.whole(0, this.#sent.length - 1)] as SentCallback);
  }

  #send({ gateway, reference, receipt }: Money, isTaken: boolean, key = callbackKey): void {
    const transaction = { id: reference, message: 'x', status_code: isTaken ? 'TS' : 'TF', airtel_money_id: receipt };
    const hash = createHmac('sha256', key).update(JSON.stringify(transaction)).digest('base64');
    const bodies: Record<string, object> = {
      wallet: { transaction, hash },
      smartcash: { reference },
      card: { data: { tx_ref: reference, status: isTaken ? 'successful' : 'failed' } },
      paystack: { event: isTaken ? 'charge.success' : 'charge.failed', data: { reference } },
    };
    if (gateway === 'airtime') return;
    const body = Buffer.from(JSON.stringify(bodies[gateway] ?? { status: isTaken ? 'SUCCESS' : 'FAILED' }));
    const signature = createHmac('sha512', key).update(body).digest('hex');
    const mark = createHmac('sha256', key)
      .update(gateway === 'mpesa' ? `callback:${reference}` : reference)
      .digest('hex');
    const path = gateway === 'mpesa' || gateway === 'orange' ? `${reference}/${mark.slice(0, 32)}` : '';
    const callback = {
      provider: gateway,
      path,
      body,
      headers: { 'verif-hash': key, 'x-paystack-signature': signature },
    };
    this.#sent.push(callback);
    this.#deliver(callback);
  }

  #deliver(callback: SentCallback): void {
    this.time.after(this.#random.whole(0, 30), () =>
      this.#launch(({ payments }) => payments.receiveCallback(callback)),
    );
  }

  /** People look at what machines could not find out: they see the providers' books, and sometimes two see them at once. */
  #review(): void {
    if (this.#isReviewPlanned) return;
    this.#isReviewPlanned = true;
    this.time.after(this.#random.whole(1_800, 7_200), () => {
      this.#isReviewPlanned = false;
      this.#isChanged = true;
      this.#launch(async ({ payments }) => {
        for (const { id } of await payments.listReview(10)) {
          const people = this.#random.chance(0.3) ? ['Rina', 'Solo'] : ['Rina'];
          const decided = await Promise.all(people.map((by) => this.#decide(payments, id, by)));
          if (decided.filter(Boolean).length > 1) throw new Broken('CNS-6', 'two people settled one payment');
        }
      });
    });
  }

  async #decide(payments: Payments, id: string, by: string): Promise<boolean> {
    const as = this.#decisionOn(id);
    if (!as) return false;
    try {
      await payments.ask(id);
      await payments.decide(id, { as, by, note: 'seen in the books' });
      return true;
    } catch (error) {
      if (!(error instanceof DecisionRefused)) throw error;
      this.#say(id, `not settled as ${as}: ${error.message}`);
      return false;
    }
  }

  #decisionOn(id: string) {
    const money = this.#books.money.filter(({ reference }) => reference === id);
    const debits = money.flatMap((one) => one.debits);
    if (this.#books.brought.some(({ reference }) => reference === id)) return 'delivered' as const;
    if (money.some((one) => one.refunds.length > 0)) return 'givenBack' as const;
    if (money.some(({ state }) => state === 'pending')) return null;
    if (debits.length === 0) return 'notTaken' as const;
    // Somebody is wrong now and then: what the provider stated must not be denied.
    const isStated = money.every(({ gateway }) => gateway !== 'orange');
    if (isStated && this.#random.chance(0.2)) return 'notTaken' as const;
    return this.#random.chance(0.5) ? ('giveBack' as const) : ('deliver' as const);
  }

  /** The database comes back from an earlier moment, and every process is started again on it. */
  #planRestore(): void {
    if (!this.faults.strikes('restore')) return;
    const takenAt = this.#random.whole(60, 5_400);
    const backAt = takenAt + this.#random.whole(30, 3_600);
    let snapshot: Awaited<ReturnType<SimulationDatabase['snapshot']>> | null = null;
    this.time.after(takenAt, () => {
      this.#busy(async () => {
        snapshot = await this.#database.snapshot();
      });
    });
    this.time.after(backAt, () => {
      for (const { process } of this.#workers) process.isDead = true;
      this.#busy(async () => {
        if (!snapshot) return;
        await this.#database.restore(snapshot);
        this.#isChanged = true;
        this.#restores.push({ at: this.time.nowMs, backTo: start + takenAt * 1_000 });
        this.#print(`${this.time.now.toISOString()} restored to ${new Date(start + takenAt * 1_000).toISOString()}`);
        await this.#forgetLost();
      });
    });
  }

  /** Whose order the database lost begins again where the provider knows the reference, and gives up elsewhere. */
  async #forgetLost(): Promise<void> {
    for (const customer of this.#customers) {
      if (!customer.id) continue;
      const { rows } = await sql`select from payments where id = ${customer.id}`.execute(this.#database.db);
      if (rows.length > 0) continue;
      customer.answered = null;
      customer.id = null;
      if (knowReferences.includes(customer.quote.gateway))
        this.time.after(this.#random.whole(1, 600), () => this.#order(customer));
    }
  }

  #busy(act: () => Promise<void>): void {
    this.time.enter();
    act()
      .catch((error: unknown) => {
        this.#broken ??= asBroken(error);
      })
      .finally(() => this.time.leave());
  }

  /** What was stored in the moment in which somebody outside acted. */
  async #acted(): Promise<void> {
    const acts = this.#books.acts.slice(this.#actsSeen);
    this.#actsSeen += acts.length;
    for (const act of acts) {
      this.time.enter();
      const row = await this.#database.db
        .selectFrom('payments')
        .select(['state', 'version'])
        .where('id', '=', act.reference)
        .executeTakeFirst();
      this.time.leave();
      act.stored = row ?? null;
    }
  }

  async live(): Promise<void> {
    await this.#database.empty();
    for (const customer of this.#customers) this.time.after(this.#random.whole(0, 600), () => this.#order(customer));
    this.#planRestore();
    this.#jumpClocks();
    this.#visitCodes();
    this.time.at(start + faultyMs, () => {
      this.faults.end();
      this.#faultsEndedAt = this.time.nowMs;
      for (const { machine } of this.#workers) machine.skewMs = 0;
    });
    const end = start + faultyMs + settleMs;
    while (this.time.nowMs < end && !this.#isAtRest) {
      await this.#step(end);
      this.steps += 1;
      if (this.steps > mostSteps) throw new Broken('I11', 'it never comes to rest');
    }
    const isOver = this.time.nowMs >= end || this.#isPatient;
    const seen = structuredClone(await this.#observe());
    const differences = await this.#compare();
    const acknowledged = this.#customers.flatMap(({ answered }) => (answered ? [answered] : []));
    this.#oracle.end({ ...seen, acknowledged, differences, isOver });
  }

  #visitCodes(): void {
    this.time.after(this.#random.whole(10, 240), () => {
      this.#busy(() => this.#codes.step());
      if (!this.faults.isOver) this.#visitCodes();
    });
  }

  #jumpClocks(): void {
    this.time.after(this.#random.whole(60, 1_800), () => {
      if (this.faults.isOver) return;
      for (const { machine } of this.#workers)
        if (this.faults.strikes('clockJump')) machine.skewMs = this.#random.whole(-24, 24) * hourMs;
      this.#jumpClocks();
    });
  }

  async #step(end: number): Promise<void> {
    if (this.#sweepAt <= Math.min(this.time.nextAt, end)) {
      this.time.nowMs = Math.max(this.time.nowMs, this.#sweepAt);
      const sweep = () => this.#launch(async ({ payments }) => void (await payments.sweep(50)));
      sweep();
      if (this.faults.strikes('twoWorkers')) sweep();
      await this.time.settle();
      // Whoever died over it changed nothing; the other one looks a moment later.
      if (!this.#isChanged) this.#sweepAt = this.time.nowMs + 1_000;
    } else await this.time.step(end);
    if (this.#broken) throw this.#broken;
    if (!this.#isChanged) return;
    this.#isChanged = false;
    this.#oracle.observe(await this.#observe());
  }

  async #observe(): Promise<Observation> {
    const seen = await readPortal(this.#database.db);
    const due = seen.payments.flatMap(({ dueAt }) => dueAt ?? []);
    this.#sweepAt = Math.min(...due, Number.POSITIVE_INFINITY);
    const isQuiet = this.faults.isOver && this.time.nextAt === Number.POSITIVE_INFINITY;
    this.#isAtRest = isQuiet && seen.payments.every((one) => this.#isDone(one) || this.#waitsInVain(one));
    if (seen.payments.some(({ state }) => state === 'REVIEW')) this.#review();
    // Who pays is led to a provider's page once the portal has stored where it is.
    for (const { id, state } of seen.payments) if (state === 'AWAITING_PAYER') this.#books.show(id);
    for (const { from, to } of seen.history.slice(this.#changesSeen)) this.#count(`${from}>${to}`);
    this.#changesSeen = seen.history.length;
    const { money, brought, acts } = this.#books;
    const outside = { money, brought, acts, restores: this.#restores, faultsEndedAt: this.#faultsEndedAt };
    return { now: this.time.nowMs, ...seen, ...outside };
  }
  #changesSeen = 0;

  #count(edge: string): void {
    this.edges.set(edge, (this.edges.get(edge) ?? 0) + 1);
  }

  /** Nothing will happen to it any more: what is still asked about a failed one finds the same each time. */
  #isDone({ id, state }: { id: string; state: string }): boolean {
    const money = this.#books.money.filter(({ reference }) => reference === id);
    const kept = money.some(({ debits, refunds }) => debits.length > refunds.length);
    return state === 'SUCCEEDED' || state === 'REFUNDED' || (state === 'FAILED' && !kept);
  }

  /** What nobody will ever pay is asked about for a day all the same; few worlds live to see the end of it. */
  #waitsInVain({ id, state }: { id: string; state: string }): boolean {
    if (this.#isPatient || !['AWAITING_PAYER', 'UNKNOWN'].includes(state)) return false;
    return this.#books.money.every(({ reference, debits }) => reference !== id || debits.length === 0);
  }

  async #compare() {
    const { payments: _, statements, db } = this.#start();
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
    const compared = reconcileDay(comparison, '2026-03-02');
    let isOver = false;
    const over = compared.finally(() => {
      isOver = true;
    });
    // Nothing takes its time any more, so nobody else gets to do anything meanwhile.
    while (!isOver) await this.time.settle();
    return (await over).differences;
  }
}

const never = () => Promise.reject(new Error('nothing is delivered here'));

const asBroken = (error: unknown): Broken =>
  error instanceof Broken ? error : new Broken('error', `nobody expected "${(error as Error).message}"`);

function isExpected(error: unknown): boolean {
  return error instanceof Crash || (error instanceof Error && error.message === 'could not serialize access');
}

function connectorsOn(http: HttpClient, now: () => Date) {
  const callback = { callbackUrl: 'https://portal.example/callbacks/x', callbackKey };
  const client = { clientId: 'id', clientSecret: 'secret' };
  const checkoutOrigins = ['https://checkout.example'];
  const wallet = walletGateway('wallet', http, {
    ...{ ...client, url: 'http://wallet.example', callbackKeys: [callbackKey], oaepHash: 'sha256', country: 'XX' },
    ...{ currencies: [currency], digitsOf: () => 0, statesAmount: false, codes: {} },
  });
  const mpesa = mpesaGateway('mpesa', http, {
    ...{ url: 'http://mpesa.example', consumerKey: 'k', consumerSecret: 's', shortCode: '174379', passkey: 'p' },
    ...{ initiator: 'i', securityCredential: 'c', timeZone: 'UTC', now, countryCode: '999', currency, digits: 0 },
    ...callback,
  });
  const gateways: PaymentGateway[] = [
    wallet,
    mpesa,
    smartcashGateway('smartcash', http, {
      ...{ ...client, url: 'http://smartcash.example', oaepHash: 'sha256', country: 'XX', currency },
      ...{ paths: defaultPaths, headers: defaultHeaders, codes: defaultCodes },
    }),
    cardCheckoutGateway('card', http, {
      ...{ url: 'http://card.example', secretKey: 's', webhookSecrets: [callbackKey], checkoutOrigins },
      ...{ digitsOf: () => 0, now, title: 'Shop' },
    }),
    orangeMoneyGateway('orange', http, {
      ...{ ...client, ...callback, url: 'http://orange.example', environment: 'mg', merchantKey: 'm' },
      ...{ checkoutOrigins, digits: 0 },
    }),
    paystackGateway('paystack', http, {
      ...{ url: 'http://paystack.example', secretKeys: [callbackKey], publicKey: 'p', scriptUrl: 'https://x.example' },
      ...{ mode: 'test', now, digits: 0 },
    }),
    airtimeGateway('airtime', http, { url: 'http://charging.example', key: 'key', digits: 0 }),
  ];
  return {
    gateways: new Map(gateways.map((gateway) => [gateway.name, gateway])),
    statements: new Map<string, StatementSource>([
      ['wallet', wallet],
      ['mpesa', mpesa],
    ]),
  };
}

/** All of it in one answer: this is asked after every change. */
async function readPortal(
  db: Kysely<Schema>,
): Promise<Pick<Observation, 'payments' | 'history' | 'postings' | 'messages'>> {
  const { rows } = await sql<{ seen: Pick<Observation, 'payments' | 'history' | 'postings' | 'messages'> }>`
    select json_build_object(
      'payments', (select coalesce(json_agg(json_build_object('id', id, 'order', order_digest, 'gateway', gateway,
        'item', details->'item'->>'kind', 'amount', amount, 'currency', currency, 'state', state, 'version', version,
        'reason', reason, 'submittedAt', ${inMs('submitted_at')}, 'changedAt', ${inMs('changed_at')}, 'dueAt', ${inMs('due_at')},
        'taken', case when taken_amount is not null then json_build_object('amount', taken_amount, 'currency', taken_currency) end,
        'epoch', epoch) order by created_at, id), '[]') from payments),
      'history', (select coalesce(json_agg(json_build_object('payment', payment_id, 'version', version, 'event', event,
        'from', from_state, 'to', to_state, 'reason', reason, 'at', ${inMs('at')}, 'by', settled_by)
        order by at, payment_id, version), '[]') from payment_history),
      'postings', (select coalesce(json_agg(json_build_object('payment', payment_id, 'kind', kind, 'debit', debit_account,
        'credit', credit_account, 'amount', amount, 'currency', currency)), '[]') from ledger_postings),
      'messages', (select coalesce(json_agg(json_build_object('payment', payment, 'kind', kind)), '[]') from simulation_messages)
    ) as seen`.execute(db);
  return (rows[0] as (typeof rows)[number]).seen;
}

const inMs = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;
