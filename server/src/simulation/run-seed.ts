import { createHmac } from 'node:crypto';
import { isFinal, type PaymentState } from '@portal/domain/payment/transitions.ts';
import type { Kysely } from 'kysely';
import { chargingSystem } from '../connectors/charging/index.ts';
import { walletGateway } from '../connectors/wallet/index.ts';
import { clockOf } from '../db/clock.ts';
import { createEpochs } from '../db/epochs.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import { createPayments, type Payments, type Quote, referencesBy } from '../payments/payments.service.ts';
import { ChargingProvider } from './charging-provider.ts';
import { CodeVisitor } from './code-visitor.ts';
import { Crash, databaseOf, Process } from './crashing-database.ts';
import { FaultPlan } from './fault-plan.ts';
import { InvariantBroken, Invariants } from './invariants.ts';
import { SimulatedNetwork } from './network.ts';
import { Random } from './random.ts';
import type { SimulationDatabase } from './simulation-database.ts';
import { type WalletPayment, WalletProvider } from './wallet-provider.ts';

export interface SeedReport {
  seed: number;
  steps: number;
  fired: FaultPlan['fired'];
  edges: Map<string, number>;
  broken: string | null;
}

const hourMs = 3_600_000;
const faultyMs = 3 * hourMs;
/** The promise is three days; the customer's own half hour to pay comes before. */
const settleMs = 73 * hourMs;
const mostSteps = 3_000;
const callbackKey = 'the key of callbacks';

interface Worker {
  process: Process;
  payments: Payments;
  db: Kysely<Schema>;
}

/** One attempt to pay an order; an order may have two. */
interface Customer {
  key: string;
  quote: Quote;
  body: object;
  id: string | null;
  wasProcessed: boolean;
}

/** One world: real services and connectors on a real database; clock, network, providers and deaths from one seed. */
export async function runSeed(
  seed: number,
  database: SimulationDatabase,
  print: (line: string) => void = () => {},
): Promise<SeedReport> {
  const world = new World(seed, database, print);
  const broken = await world.live().then(
    () => null,
    (error: unknown) => {
      if (error instanceof InvariantBroken) return error.message;
      throw error;
    },
  );
  return { seed, steps: world.steps, fired: world.faults.fired, edges: world.invariants.edges, broken };
}

class World {
  steps = 0;
  readonly faults: FaultPlan;
  readonly invariants: Invariants;
  readonly #random: Random;
  readonly #database: SimulationDatabase;
  readonly #print: (line: string) => void;
  readonly #wallet: WalletProvider;
  readonly #charging: ChargingProvider;
  readonly #customers: Customer[];
  readonly #codes: CodeVisitor;
  readonly #sent: { body: Buffer }[] = [];
  #queue: { at: number; act: () => Promise<void> | void }[] = [];
  #time = Date.parse('2026-03-02T08:00:00Z');
  #skew = 0;
  /** When the next payment wants attention, by the portal's clock. */
  #dueAt = Number.POSITIVE_INFINITY;
  #isAtRest = false;
  readonly #secret: string;
  #workers: [Worker, Worker];
  /** A broken promise seen in the middle of a call that swallows errors. */
  #broken: InvariantBroken | null = null;

  constructor(seed: number, database: SimulationDatabase, print: (line: string) => void) {
    this.#random = new Random(seed);
    this.#secret = `seed ${seed}`;
    this.#database = database;
    this.#print = print;
    this.faults = new FaultPlan(this.#random);
    this.#wallet = new WalletProvider(this.#random, this.faults);
    this.#charging = new ChargingProvider(this.faults);
    this.invariants = new Invariants(database.db, this.#wallet, this.#charging);
    this.#keepBroken();
    this.#wallet.later = (seconds, act) => this.#after(seconds, act);
    this.#wallet.onDecided = (payment) => this.#tell(payment);
    this.#workers = [this.#start(), this.#start()];
    this.#customers = Array.from({ length: this.#random.whole(1, 3) }, (_, index) => this.#attemptsOf(index)).flat();
    this.#codes = new CodeVisitor(database.db, this.#random, this.faults, () => this.#now());
  }

  /** The services take any error for a provider's silence; a broken promise must not be lost in there. */
  #keepBroken(): void {
    const { onCharge, onRefund } = this.#wallet;
    const { onDeliver } = this.#charging;
    const kept =
      <A extends unknown[]>(check: (...parameters: A) => Promise<void>) =>
      async (...parameters: A) => {
        await check(...parameters).catch((error: unknown) => {
          if (error instanceof InvariantBroken) this.#broken ??= error;
          throw error;
        });
      };
    this.#wallet.onCharge = kept(onCharge);
    this.#wallet.onRefund = kept(onRefund);
    this.#charging.onDeliver = kept(onDeliver);
  }

  #now(): Date {
    return new Date(this.#time + this.#skew);
  }

  #after(seconds: number, act: () => Promise<void> | void): void {
    this.#queue.push({ at: this.#time + seconds * 1000, act });
  }

  #start(): Worker {
    const process = new Process(this.faults);
    const network = new SimulatedNetwork({
      wallet: this.#wallet,
      charging: this.#charging,
      faults: this.faults,
      random: this.#random,
    });
    network.edge = process.edge;
    const db = databaseOf(this.#database.pool, process, { faults: this.faults, random: this.#random });
    const wallet = walletGateway('wallet', network, {
      url: 'http://wallet.example/wallet',
      clientId: 'id',
      clientSecret: 'secret',
      callbackKeys: [callbackKey],
      oaepHash: 'sha256',
      country: 'XX',
      currencies: ['XTS'],
      digitsOf: () => 0,
      statesAmount: true,
      codes: {},
    });
    const charging = chargingSystem(network, { url: 'http://charging.example/charging', key: 'key', digits: 0 });
    const clock = clockOf(() => this.#now());
    const payments = createPayments({
      db,
      clock,
      epochs: createEpochs(db, clock),
      gateways: new Map([['wallet', wallet]]),
      charging,
      billing: charging,
      orders: charging,
      guards: { submitting: async () => {}, refused: async () => {}, paid: async () => {} },
      returnUrl: () => 'http://portal.example/',
      notify: async () => {},
      referencesOf: referencesBy(this.#secret),
      events: {
        created: () => {},
        moved: (payment, from, event) => this.#print(`  ${payment.id.slice(0, 4)} ${from} ${event} ${payment.state}`),
        leaseLost: ({ id }) => this.#print(`  ${id.slice(0, 4)} lease lost`),
        unclear: (payment, call, detail) => this.#print(`  ${payment.id.slice(0, 4)} unclear ${call}: ${detail}`),
        callback: () => {},
        stepFailed: (id, error) => this.#print(`  ${id.slice(0, 4)} step failed: ${(error as Error).message}`),
      },
    });
    return { process, payments, db };
  }

  /** Some pay another way while the first one is still open: a reopened page, a second tab, another device. */
  #attemptsOf(index: number): Customer[] {
    const first = this.#customer(index);
    if (!this.#random.chance(0.4)) return [first];
    const quote = { ...first.quote, orderDigest: `order-${index}-${this.#random.text(8)}` };
    return [
      { ...first, quote },
      { ...first, quote, key: `key-${index}-${this.#random.text(8)}`, body: { ...first.body, isSecond: true } },
    ];
  }

  #customer(index: number): Customer {
    const amount = this.#random.whole(500, 500_000);
    const quote: Quote = {
      gateway: 'wallet',
      paymentMode: 'WALLET',
      transactionType: 'PREPAID_RECHARGE',
      amount,
      currency: 'XTS',
      msisdn: `039000000${index}`,
      payerMsisdn: null,
      payerProof: null,
      proofDigest: null,
      email: null,
      productCode: null,
      description: null,
      accountId: null,
      invoiceNumber: null,
      language: 'en-GB',
      visit: null,
      orderId: null,
      orderDigest: null,
      details: { item: { kind: 'airtime' } },
    };
    return { key: `key-${index}-${this.#random.text(8)}`, quote, body: { amount }, id: null, wasProcessed: false };
  }

  /** A process that died is started again; work of the dead one that was under way ends by itself. */
  #worker(): Worker {
    const index = this.#random.chance(0.5) ? 0 : 1;
    if (this.#workers[index].process.isDead) this.#workers[index] = this.#start();
    return this.#workers[index];
  }

  async #attempt(act: (worker: Worker) => Promise<void>): Promise<boolean> {
    const worker = this.#worker();
    try {
      await act(worker);
      return true;
    } catch (error) {
      if (error instanceof InvariantBroken) throw error;
      if (!(error instanceof Crash) && !isBusy(error))
        throw new InvariantBroken('error', `nobody expected "${(error as Error).message}"`);
      this.#print(`  (${(error as Error).message})`);
      return false;
    }
  }

  async #order(customer: Customer): Promise<void> {
    const { key, quote, body } = customer;
    const initiate = () =>
      this.#attempt(async ({ payments }) => {
        const { id } = await payments.initiate(quote, { key, body });
        if (customer.id && customer.id !== id) throw new InvariantBroken('I1', 'one key gave two payments');
        customer.id = id;
      });
    const isImpatient = this.faults.strikes('impatientCustomer');
    await Promise.all(isImpatient ? [initiate(), initiate()] : [initiate()]);
    // Where the process died before anything was stored, another body would be the first.
    if (this.faults.strikes('keyReused') && customer.id) await this.#reuseKey(customer);
    // What the list says by now is nobody's business any more: the quote wins.
    if (this.faults.strikes('priceChanged')) customer.body = { ...customer.body };
    if (customer.id) this.#after(this.#random.whole(1, 60), () => this.#pay(customer));
    else this.#after(this.#random.whole(1, 30), () => this.#order(customer));
  }

  async #reuseKey({ key, quote }: Customer): Promise<void> {
    await this.#attempt(async ({ payments }) => {
      const refused = await payments
        .initiate({ ...quote, amount: quote.amount + 1 }, { key, body: { amount: quote.amount + 1 } })
        .then(
          () => false,
          (error: unknown) => {
            if (error instanceof PortalError && error.kind === 'keyReused') return true;
            throw error;
          },
        );
      if (!refused) throw new InvariantBroken('I1', 'a key was taken with another body');
    });
  }

  async #pay(customer: Customer): Promise<void> {
    const id = customer.id ?? '';
    const pay = () =>
      this.#attempt(async ({ payments }) => {
        await payments.process(id).catch((error: unknown) => {
          if (!(error instanceof PortalError && error.kind === 'orderPaid')) throw error;
        });
        customer.wasProcessed = true;
      });
    const isImpatient = this.faults.strikes('impatientCustomer');
    await Promise.all(isImpatient ? [pay(), pay(), pay()] : [pay()]);
    // Back, a second tab, or a retry after no answer came.
    if (isImpatient || !customer.wasProcessed) this.#after(this.#random.whole(1, 300), () => this.#pay(customer));
  }

  /** The provider tells what happened; on the way it may be lost, doubled, turned around or made up. */
  #tell(payment: WalletPayment): void {
    const truth = payment.state === 'taken' ? 'TS' : 'TF';
    if (!this.faults.strikes('callbackLost')) this.#send(payment.reference, truth);
    if (this.faults.strikes('callbackDoubled'))
      for (let copies = this.#random.whole(1, 20); copies > 0; copies -= 1) this.#send(payment.reference, truth);
    if (this.faults.strikes('callbacksContradict')) this.#send(payment.reference, truth === 'TS' ? 'TF' : 'TS');
    if (this.faults.strikes('callbackForged')) this.#send(payment.reference, 'TS', 'a wrong key');
    const old = this.#sent.length > 0 && this.faults.strikes('callbackReplayed');
    if (old) this.#deliver(this.#sent[this.#random.whole(0, this.#sent.length - 1)]?.body ?? Buffer.alloc(0));
  }

  #send(reference: string, status_code: string, key = callbackKey): void {
    const transaction = { id: reference, message: 'x', status_code, airtel_money_id: `MP${this.#random.text(4)}` };
    const hash = createHmac('sha256', key).update(JSON.stringify(transaction)).digest('base64');
    const body = Buffer.from(JSON.stringify({ transaction, hash }));
    this.#sent.push({ body });
    this.#deliver(body);
  }

  #deliver(body: Buffer): void {
    this.#after(this.#random.whole(0, 30), async () => {
      await this.#attempt(({ payments }) =>
        payments.receiveCallback({ provider: 'wallet', path: '', body, headers: {} }),
      );
    });
  }

  async live(): Promise<void> {
    await this.#database.empty();
    for (const customer of this.#customers) this.#after(this.#random.whole(0, 600), () => this.#order(customer));
    this.#after(faultyMs / 1000, () => this.#endFaults());
    const end = this.#time + faultyMs + settleMs;
    while (this.#time < end && !this.#isAtRest) {
      await this.#step(end);
      this.steps += 1;
      if (this.steps > mostSteps) throw new InvariantBroken('I11', 'it never comes to rest');
    }
    await this.invariants.checkEnd();
    for (const { id, wasProcessed } of this.#customers) if (id) await this.invariants.acknowledged(id, wasProcessed);
  }

  #endFaults(): void {
    this.faults.end();
    this.#skew = 0;
  }

  /** To the next moment in which anything is due, and everything that is due in it. */
  async #step(end: number): Promise<void> {
    this.#queue.sort((one, other) => one.at - other.at);
    const dueAt = this.#dueAt - this.#skew;
    const next = this.#queue[0]?.at ?? Number.POSITIVE_INFINITY;
    this.#time = Math.max(this.#time, Math.min(next, dueAt, end));
    if (this.faults.strikes('clockJump')) this.#skew = this.#random.whole(-2, 2) * hourMs;
    const now = this.#queue.filter(({ at }) => at <= this.#time);
    this.#queue = this.#queue.filter(({ at }) => at > this.#time);
    for (const { act } of now) await act();
    const sweep = () => this.#attempt(async ({ payments }) => void (await payments.sweep(50)));
    if (this.#now().getTime() >= dueAt + this.#skew)
      await Promise.all(this.faults.strikes('twoWorkers') ? [sweep(), sweep()] : [sweep()]);
    await this.#codes.step();
    // What runs on in the background belongs to this moment.
    for (const { payments } of this.#workers) await payments.drain();
    if (this.#broken) throw this.#broken;
    const payments = await this.invariants.check();
    const due = payments.flatMap(({ due_at }) => (due_at ? [due_at.getTime()] : []));
    this.#dueAt = Math.min(...due, Number.POSITIVE_INFINITY);
    this.#isAtRest = this.faults.isOver && this.#queue.length === 0 && payments.every((one) => this.#isDone(one));
  }

  /** Nothing will happen to it any more: what is still asked about a failed one finds the same each time. */
  #isDone({ id, state }: { id: string; state: PaymentState }): boolean {
    if (state === 'REVIEW') return true;
    const truth = this.#wallet.payments.get(id);
    const isMoneyLost = state === 'FAILED' && (truth?.debits.length ?? 0) > (truth?.refunds.length ?? 0);
    return isFinal(state) && !isMoneyLost;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'could not serialize access';
}
