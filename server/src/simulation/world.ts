import { createHmac } from 'node:crypto';
import { type ApprovalKind, approvalKinds } from '@portal/contract/console/approval-kinds.ts';
import { moneyState, shownStatus } from '@portal/domain/payment/shown.ts';
import type { PaymentState } from '@portal/domain/payment/transitions.ts';
import { type Kysely, sql } from 'kysely';
import { type Approvable, type Approvables, type Approvals, createApprovals } from '../approvals/approvals.service.ts';
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
import { createEpochs, type Epochs } from '../db/epochs.ts';
import type { PersonalData } from '../db/personal-data.ts';
import type { Schema } from '../db/schema.ts';
import { PortalError } from '../http/portal-error.ts';
import {
  createGoodwill,
  createPayments,
  DecisionRefused,
  type Goodwill,
  goodwillCredits,
  hurryOpen,
  type Payments,
  type PaymentsDependencies,
  type Quote,
  reconcileDay,
  referencesBy,
  refunds,
} from '../payments/payments.service.ts';
import { testPersonalData } from '../testing/database.ts';
import { type Act, Books, type Money } from './books.ts';
import { CodeVisitor } from './code-visitor.ts';
import { Connections } from './connections.ts';
import { Crash, databaseOf, isLease, Process, type Stored } from './crashing-database.ts';
import { Desk } from './desk.ts';
import { type FaultKind, FaultPlan } from './fault-plan.ts';
import type { Acknowledged, Observation, SeenPayment, Shown } from './observation.ts';
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
import type { SimulationDatabase, Snapshot } from './simulation-database.ts';
import { VirtualTime } from './virtual-time.ts';
import { simulatedClient, type WireProvider } from './wire.ts';

const hourMs = 3_600_000;
const start = Date.parse('2026-03-02T08:00:00Z');
const faultyMs = 2 * hourMs;
/** The promise is three days, after the half hour in which an order can be paid. */
const settleMs = 73 * hourMs;
const mostSteps = 60_000;
/** Worlds after these each have a rare theme. */
const lateWorlds = 250;
/**
 * In worlds after these, the provider being asked when the portal goes down has an outage too, until after the portal
 * is back.
 */
const latestWorlds = 600;
/** In worlds after these, an outage of minutes begins when a refused delivery leads to a refund. */
const lastWorlds = 710;
const currency = 'NGN';
const callbackKey = 'the key of callbacks';
const gatewayNames = ['wallet', 'mpesa', 'smartcash', 'card', 'orange', 'paystack', 'airtime'] as const;
const typeOf = {
  ...{ airtime: 'PREPAID_RECHARGE', bundle: 'PREPAID_BUNDLES', bill: 'POSTPAID_BILL', order: 'HBB_LEADS' },
} as const;
/** Gateways that refuse a repeated reference, so that an order which a restored database lost is not charged again. */
const knowReferences: readonly string[] = ['wallet', 'paystack'];
const systemOf = { airtime: 'charging', bundle: 'charging', bill: 'billing', order: 'crm' } as const;
/**
 * Triggers of a restore: the backup is made when a payment reaches a state, and restored once a provider has gone on
 * with that payment, so that its progress is lost.
 */
const lostPasts: readonly [LostPast, ...LostPast[]] = [
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
type LostPast = readonly [PaymentState, Act['kind']];
/**
 * The portal goes down for some hours when a payment reaches a state, so steps that depend on the payment's age are
 * late.
 */
const darkness: readonly [Darkness, ...Darkness[]] = [
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
type Darkness = readonly [PaymentState, number, number];
/** The states that a world's theme leads to. A restore or downtime there is most likely to reveal a bug. */
const leadsTo: Partial<Record<FaultKind, readonly PaymentState[]>> = {
  otherAmount: ['REVIEW'],
  lateDebit: ['FAILED'],
  deliveryRefused: ['REFUND_DUE', 'REFUNDING', 'REFUND_UNKNOWN'],
  deliveryReplyLost: ['FULFILLING', 'FULFIL_UNKNOWN'],
  requestLost: ['UNKNOWN', 'FULFIL_UNKNOWN'],
  notFoundYet: ['CREATED', 'SUBMITTING'],
};
const latestLeadsTo: typeof leadsTo = { ...leadsTo, otherAmount: ['AWAITING_PAYER'] };
const lastLeadsTo: typeof leadsTo = { ...latestLeadsTo, deliveryRefused: ['REFUND_UNKNOWN'] };
/** Not every gateway supports everything. */
const ableTo: Partial<Record<FaultKind, readonly (typeof gatewayNames)[number][]>> = {
  lateDebit: ['wallet', 'smartcash', 'mpesa'],
  reversedByProvider: ['mpesa'],
  otherAmount: ['wallet', 'smartcash', 'card', 'paystack'],
};
const latestAbleTo: typeof ableTo = { ...ableTo, impatientCustomer: ['wallet', 'smartcash', 'airtime'] };
const personalData = openedOnce(testPersonalData());
const allParts = ['payment_history', 'ledger_postings', 'simulation_messages', 'approvals', 'goodwill'] as const;
type Part = (typeof allParts)[number];

/** What a statement changes, derived from its text. */
interface Change {
  /** If it only stores the next due time of a payment: the index of that value, and of the payment's id. */
  due: number | null;
  id: number | null;
  isLeasing: boolean;
  parts: readonly Part[];
  isOfPayments: boolean;
}
/** A cache by statement text. */
const changes = new Map<string, Change>();

function changeBy(statement: string): Change {
  let change = changes.get(statement);
  if (!change) {
    const [, due, id] =
      /^update "payments" set (?!.*"state" = ).*"due_at" = \$(\d+).* where "id" = \$(\d+)/.exec(statement) ?? [];
    change = {
      due: due ? Number(due) - 1 : null,
      id: id ? Number(id) - 1 : null,
      isLeasing: isLease(statement),
      parts: allParts.filter((part) => statement.includes(part)),
      isOfPayments: statement.includes('payments'),
    };
    changes.set(statement, change);
  }
  return change;
}

/** A process of the portal, on a machine with a wrong clock. */
interface Worker {
  process: Process;
  payments: Payments;
  approvals: Approvals;
  goodwill: Goodwill;
  epochs: Epochs;
  statements: ReadonlyMap<string, StatementSource>;
  db: Kysely<Schema>;
  machine: { skewMs: number };
}

/** A payment that reaches a state. */
type Reaching = Readonly<{ gateway: string }>;

/** One attempt to pay an order; an order may have two. */
interface Customer {
  isSecond?: true;
  key: string;
  quote: Quote;
  body: object;
  id: string | null;
  /** Every payment that was ever returned for the key. */
  ids: Set<string>;
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
  /** What happened in it: gateways, kinds of items, decisions of people. */
  places: ReadonlySet<string>;
  /** How often a statement waited for another transaction. */
  holds: number;
  broken: string | null;
}

/**
 * One world: real services and connectors on a real database; time, network, providers, people and crashes from one
 * seed.
 */
export async function runSeed(
  seed: number,
  database: SimulationDatabase,
  print: ((line: string) => void) | null = null,
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
    const { steps, faults, edges, places, holds } = world;
    return { seed, steps, fired: faults.fired, edges, places, holds, broken };
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
  readonly #print: ((line: string) => void) | null;
  readonly #books: Books;
  readonly #providers: ReadonlyMap<string, WireProvider>;
  readonly #oracle = new Oracle();
  readonly #customers: Customer[];
  readonly #codes: CodeVisitor;
  readonly #desk: Desk;
  readonly #sent: SentCallback[] = [];
  readonly #secret: string;
  readonly #restores: { at: number; backTo: number }[] = [];
  #workers: [Worker, Worker];
  #isChanged = true;
  readonly #changedParts = new Set<Part>(allParts);
  /** The rows read last. */
  #seen: Seen = { payments: [], history: [], postings: [], messages: [], proposals: [], credits: [] };
  #shown: Shown[] = [];
  /** When each open payment is due, by its id. */
  #dues = new Map<string, number>();
  #sweepAt = Number.POSITIVE_INFINITY;
  /** The portal is down until then. */
  #offUntil = 0;
  #trouble: { host: string; from: number; until: number } | null = null;
  readonly #awaited: { state: string; act: (payment?: Reaching) => void }[] = [];
  #onAct: ((kind: Act['kind']) => void) | null = null;
  #isAtRest = false;
  #faultsEndAt = start + faultyMs;
  #faultsEndedAt: number | null = null;
  /** Errors of tasks that nobody awaits. */
  #broken: Broken | null = null;
  #actsSeen = 0;
  #isReviewPlanned = false;
  #isPatient: boolean;
  /** Also wait for the end of the search for late money. */
  readonly #isThorough: boolean;
  readonly #isLate: boolean;
  readonly #isLatest: boolean;
  /** The world is about refunds during an outage of their provider. */
  readonly #isAboutRefunds: boolean;
  /** Most oracle checks are off while nothing can happen; the others always run. */
  readonly #skips: boolean;

  constructor(seed: number, database: SimulationDatabase, print: ((line: string) => void) | null) {
    this.#random = new Random(seed);
    this.time = new VirtualTime(start, (count) => (count === 1 ? 0 : this.#random.whole(0, count - 1)));
    this.#secret = `seed ${seed}`;
    this.#database = database;
    this.#connections = new Connections(this.time, database);
    this.#print = print;
    const isLate = seed > lateWorlds;
    this.#isLate = isLate;
    this.#isLatest = seed > latestWorlds;
    const age = seed > lastWorlds ? 'last' : this.#isLatest ? 'latest' : isLate ? 'late' : 'first';
    this.faults = new FaultPlan(this.#random, { cuts: new Random(-seed), age });
    const { theme } = this.faults;
    this.#isAboutRefunds = seed > lastWorlds && theme.includes('deliveryRefused') && theme.includes('trouble');
    this.#books = new Books(this.time, this.#random, this.faults, this.#random.chance(0.2) ? 3_600 : 600);
    this.#books.onDecided = (money) => this.#tell(money);
    this.#books.onAct = (kind) => {
      this.#onAct?.(kind);
      // A power cut: all processes die before they get the response.
      if (this.faults.strikes('powerCut')) for (const { process } of this.#workers) process.isDead = true;
    };
    this.#books.isNamed = (reference) =>
      this.#seen.history.some(({ payment, to }) => payment === reference && to === 'AWAITING_PAYER');
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
    const isAboutLateMoney = isLate && this.faults.theme.includes('lateDebit');
    this.#isPatient = this.#random.chance(0.05) || isAboutLateMoney;
    this.#isThorough = this.#random.chance(0.4) || isAboutLateMoney;
    this.#skips = this.#random.chance(0.95);
    this.#customers = Array.from({ length: this.#random.whole(1, 3) }, (_, index) => this.#attemptsOf(index)).flat();
    this.#desk = new Desk(seed, {
      time: this.time,
      launch: (act, then) => this.#launch(act, then),
      went: (where) => this.places.add(where),
      restores: () => this.#restores.length,
      offUntil: () => this.#offUntil,
    });
    // The process for codes never dies: crashes are not tested for codes.
    const quiet = { ...this.#databaseParts(), faults: quietFaults };
    this.#codes = new CodeVisitor(
      databaseOf(new Process(quietFaults), quiet),
      this.#random,
      this.faults,
      () => this.time.now,
    );
  }

  get holds(): number {
    return this.#connections.holds;
  }

  #databaseParts() {
    return {
      ...{ connections: this.#connections, faults: this.faults, random: this.#random, time: this.time, personalData },
      changed: (stored: readonly Stored[]) => this.#noteChanged(stored),
    };
  }

  /**
   * Most statements store that nothing was learnt, and when to enquire next. Of these only the due time is noted, and
   * the whole row is read once an hour; after every other statement it is read at once.
   */
  #noteChanged(stored: readonly Stored[]): void {
    const { nowMs } = this.time;
    for (const { statement, values } of stored) {
      const { due, id, parts, isLeasing, isOfPayments } = changeBy(statement);
      if (isLeasing) {
        for (const [leased, dueAt] of this.#dues) if (dueAt <= nowMs) this.#dues.set(leased, nowMs + leaseMs);
      } else if (due !== null && id !== null) {
        const dueAt = values[due];
        const at = dueAt instanceof Date ? dueAt.getTime() : Number.POSITIVE_INFINITY;
        this.#dues.set(String(values[id]), at);
        this.#isChanged ||= at > nowMs + hourMs || nowMs > this.#readAt + hourMs;
      } else {
        for (const part of parts) this.#changedParts.add(part);
        this.#isChanged ||= isOfPayments || this.#changedParts.size > 0;
      }
    }
    this.#sweepAt = Math.min(...this.#dues.values(), Number.POSITIVE_INFINITY);
  }
  #readAt = 0;

  #start(): Worker {
    const process = new Process(this.faults);
    const machine = { skewMs: 0 };
    const http = simulatedClient({
      ...{ providers: this.#providers, time: this.time, faults: this.faults, random: this.#random },
      edge: process.edge,
      isTroubled: (host) => this.#isTroubled(host),
      acted: () => this.#acted(),
    });
    const db = databaseOf(process, this.#databaseParts());
    const clock = clockOf(() => this.time.now);
    const lag = this.#books.lagSeconds;
    const { gateways, statements } = connectorsOn(http, () => this.time.now, lag);
    const charging = chargingSystem(http, { url: 'http://charging.example', key: 'key', digits: 0, lag });
    const billing = billingSystem(http, {
      ...{ url: 'http://billing.example', key: 'key', currency: { code: currency, digits: 0 }, lag },
    });
    const orders = crmDesk(http, { url: 'http://crm.example', keyId: 'id', secret: 'secret', digits: 0, lag });
    const epochs = createEpochs(db, clock, async (transaction, { isRestored }) => {
      if (isRestored) await hurryOpen(transaction);
    });
    const core: PaymentsDependencies = {
      ...{ db, clock, epochs, gateways, charging, billing, orders },
      guards: { submitting: async () => {}, refused: async () => {}, paid: async () => {} },
      returnUrl: () => 'http://portal.example/',
      async notify(transaction, { paymentId, kind }) {
        await sql`insert into simulation_messages values (${paymentId}, ${kind})`.execute(transaction);
      },
      referencesOf: referencesBy(this.#secret),
      // A timeout in real time would make the seed depend on this machine.
      settledLimitMs: 600_000,
      events: {
        created: () => this.#reached('CREATED'),
        moved: (payment, from, event) => {
          this.#say(payment.id, `${from} ${event} ${payment.state}`);
          this.#reached(payment.state, payment);
        },
        credited: (id, state) => this.#say(id, `goodwill ${state}`),
        leaseLost: ({ id }) => this.#say(id, 'lease lost'),
        unclear: ({ id }, call, detail) => this.#say(id, `unclear ${call}: ${detail}`),
        callback: () => {},
        stepFailed: (id, error) => {
          this.#say(id, `step failed: ${(error as Error).message}`);
          if (!isExpected(error) && !this.#isOfLost(error)) this.#broken ??= asBroken(error);
        },
      },
    };
    const payments = createPayments(core);
    const goodwill = createGoodwill(core, { most: null });
    // The audit log has its own tests; here only the money is checked.
    const audit = { write: async () => {} };
    const approvals = createApprovals({
      ...{ db, clock, audit },
      kinds: { ...unasked, refund: refunds(payments, audit), goodwill: goodwillCredits(db, payments, goodwill) },
    });
    return { process, payments, approvals, goodwill, epochs, statements, db, machine };
  }

  /** A foreign key violation: the process was still working on a payment that a restore lost. */
  #isOfLost(error: unknown): boolean {
    return this.#restores.length > 0 && (error as { code?: string }).code === '23503';
  }

  #isTroubled(host: string): boolean {
    const { nowMs } = this.time;
    const name = host === 'charging' && this.#trouble?.host === 'airtime' ? 'airtime' : host;
    return (
      !this.faults.isOver && this.#trouble?.host === name && this.#trouble.from <= nowMs && nowMs < this.#trouble.until
    );
  }

  /** Runs `act` once: when a payment reaches the state, or after a timeout. */
  #when(state: string, latestSeconds: number, act: (payment?: Reaching) => void): void {
    let isDone = false;
    const once = (payment?: Reaching) => {
      if (!isDone) act(payment);
      isDone = true;
    };
    this.#awaited.push({ state, act: once });
    this.time.after(latestSeconds, () => once());
  }

  #reached(state: string, payment?: Reaching): void {
    for (const one of this.#awaited.filter((waiting) => waiting.state === state)) one.act(payment);
  }

  #say(id: string, what: string): void {
    this.#print?.(`${this.time.now.toISOString()} ${id.slice(0, 4)} ${what}`);
  }

  /** Some customers pay another way while the first payment is open: a reopened page, a second tab, another device. */
  #attemptsOf(index: number): Customer[] {
    const first = this.#customer(index, this.#pickGateway());
    const isRestored = this.#isLate && this.faults.theme.includes('restore');
    if (!this.#random.chance(isRestored ? 0.8 : 0.4)) return [first];
    const second = this.#customer(index, this.#pickGateway());
    const orderDigest = `order-${index}-${this.#random.text(8)}`;
    const same = { amount: first.quote.amount, details: first.quote.details, orderDigest };
    first.quote = { ...first.quote, orderDigest };
    second.quote = { ...second.quote, ...same };
    return [first, { ...second, isSecond: true, body: { amount: first.quote.amount, isSecond: true } }];
  }

  /** Mostly a gateway that supports this world's theme. */
  #pickGateway(): string {
    const abilities = this.#isLatest ? latestAbleTo : ableTo;
    const able = this.#isLate ? this.faults.theme.flatMap((kind) => abilities[kind] ?? []) : [];
    const [one, ...more] = able;
    return one && this.#random.chance(0.8) ? this.#random.pick([one, ...more]) : this.#random.pick(gatewayNames);
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
    return {
      key: `key-${index}-${this.#random.text(8)}`,
      quote,
      body: { amount },
      id: null,
      ids: new Set(),
      answered: null,
    };
  }

  /** A dead process is restarted; its pending tasks stop at their next step. */
  #worker(): Worker {
    const index = this.#random.chance(0.5) ? 0 : 1;
    if (this.#workers[index].process.isDead) this.#workers[index] = this.#start();
    return this.#workers[index];
  }

  /** Starts a person's action; the world goes on meanwhile. */
  #launch(act: (worker: Worker) => Promise<void>, then: (isDone: boolean) => void = () => {}): void {
    if (this.#isOff) {
      then(false);
      return;
    }
    this.#with(this.#worker(), act, then);
  }

  #with(worker: Worker, act: (worker: Worker) => Promise<void>, then: (isDone: boolean) => void = () => {}): void {
    const done = this.time.withSkew(worker.machine, () => act(worker));
    done.then(
      () => then(true),
      (error: unknown) => {
        if (!isExpected(error) && !this.#isOfLost(error)) this.#broken ??= asBroken(error);
        this.#print?.(`  (${(error as Error).message})`);
        then(false);
      },
    );
  }

  get #isOff(): boolean {
    return this.time.nowMs < this.#offUntil;
  }

  /** The portal is down, so the person tries again when it is up. */
  #later(act: () => void): void {
    this.time.at(this.#offUntil + this.#random.whole(1, 3_600) * 1_000, act);
  }

  #order(customer: Customer): void {
    if (this.#isOff) {
      this.#later(() => this.#order(customer));
      return;
    }
    const { key, quote, body } = customer;
    const initiate = (offered: Quote) =>
      this.#launch(
        async ({ payments }) => {
          const { id, ...sum } = await payments.initiate(offered, { key, body });
          const before = customer.answered;
          const isSame = !before || (before.payment === id && before.amount === sum.amount);
          if (!isSame) throw new Broken('I1', 'one key gave two answers');
          customer.id = id;
          customer.ids.add(id);
          customer.answered ??= { payment: id, ...sum, at: this.time.nowMs, wasProcessed: false };
        },
        () => {},
      );
    initiate(quote);
    if (this.faults.strikes('impatientCustomer')) initiate(quote);
    const thinks = this.faults.strikes('slowCustomer') ? this.#random.whole(60, 1_750) : this.#random.whole(1, 60);
    this.time.after(thinks, () => {
      if (!customer.id) return this.#order(customer);
      // A later exchange rate does not matter: the quote wins.
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
    if (this.#isOff) {
      this.#later(() => this.#pay(customer));
      return;
    }
    // A restore lost the order.
    if (!customer.id) return;
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
    // The back button, a second tab, or a retry without a response.
    this.time.after(this.#random.whole(5, 300), () => {
      if (isImpatient || !customer.answered?.wasProcessed) this.#pay(customer);
    });
  }

  /** The provider sends a callback; on the way it may be lost, doubled, reordered or forged. */
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

  /**
   * People review what could not be settled automatically: they see the providers' books, and sometimes two see them
   * at once.
   */
  #review(): void {
    if (this.#isReviewPlanned) return;
    this.#isReviewPlanned = true;
    this.time.after(this.#random.whole(1_800, 7_200), () => {
      this.#isReviewPlanned = false;
      this.#isChanged = true;
      this.#launch(async ({ payments }) => {
        for (const { id } of await payments.listReview(10)) {
          if (this.#desk.takesUp(id)) continue;
          const people = this.#random.chance(0.3) ? ['Rina', 'Solo'] : ['Rina'];
          if (people.length > 1) this.places.add('two people at once');
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
      this.places.add(`decided ${as}`);
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
    // People are wrong now and then: what was delivered, or what the provider stated, must not be denied.
    const isWrong = this.#random.chance(0.4);
    if (this.#books.brought.some(({ reference }) => reference === id))
      return isWrong ? ('giveBack' as const) : ('delivered' as const);
    if (money.some((one) => one.refunds.length > 0)) return 'givenBack' as const;
    if (money.some(({ state }) => state === 'pending')) return null;
    if (debits.length === 0) return 'notTaken' as const;
    const isStated = this.#seen.payments.some((payment) => payment.id === id && payment.taken);
    if (isStated && isWrong) return 'notTaken' as const;
    return this.#random.chance(0.5) ? ('giveBack' as const) : ('deliver' as const);
  }

  /** Mostly a trigger on the way of this world's theme. */
  #pickByTheme<T extends readonly [PaymentState, ...unknown[]]>(all: readonly [T, ...T[]]): T {
    const ways = this.#isAboutRefunds ? lastLeadsTo : this.#isLatest ? latestLeadsTo : leadsTo;
    const states = this.faults.theme.flatMap((kind) => ways[kind] ?? []);
    const [one, ...more] = all.filter(([state]) => states.includes(state));
    return one && this.#random.chance(0.8) ? this.#random.pick([one, ...more]) : this.#random.pick(all);
  }

  /** The database is restored to an earlier moment. Some processes are restarted on it, the others find out. */
  #planRestore(): void {
    if (!this.faults.strikes('restore')) return;
    const [state, kind] = this.#pickByTheme(lostPasts);
    const takenAfter = this.#random.chance(0.5) ? 0 : this.#random.whole(0, 900);
    this.#when(state, this.#random.whole(60, 3_600), () => {
      // At once, before any other task continues.
      if (takenAfter === 0) this.#back(kind);
      else this.time.after(takenAfter, () => this.#back(kind));
    });
  }

  /** Makes a backup now, and restores it soon after a provider has acted. */
  #back(kind: Act['kind']): void {
    const takenAt = this.time.nowMs;
    let snapshot: Snapshot = {};
    this.#busy(async () => {
      snapshot = await this.#database.snapshot();
    });
    const backSoon = (seconds: number) => {
      this.#onAct = null;
      this.time.cancel(latest);
      this.time.after(seconds, () => this.#restore(snapshot, takenAt));
    };
    // A call without a response is repeated only after the lag. Waiting for it lets the restore lose the retry too.
    const lag = this.#isAboutRefunds || this.#random.chance(0.5) ? this.#books.lagSeconds : 0;
    const latest = this.time.after(lag + this.#random.whole(30, 3_600), () => backSoon(0));
    this.#onAct = (acted) => {
      if (acted === kind) backSoon(this.#random.chance(0.5) ? this.#random.next() : this.#random.whole(1, 900));
    };
  }

  #restore(snapshot: Snapshot, takenAt: number): void {
    this.#busy(async () => {
      await this.#database.restore(snapshot, this.time.now);
      this.#isChanged = true;
      for (const part of allParts) this.#changedParts.add(part);
      this.#restores.push({ at: this.time.nowMs, backTo: takenAt });
      // A restore is a fault too, so the three days begin again here.
      this.#faultsEndAt = Math.max(this.#faultsEndAt, this.time.nowMs);
      this.#print?.(`${this.time.now.toISOString()} restored to ${new Date(takenAt).toISOString()}`);
      await this.#forgetLost();
    });
    for (const worker of this.#workers) {
      if (this.#random.chance(0.5)) worker.process.isDead = true;
      // Every ten seconds, running processes check whether the server changed.
      else
        this.time.after(this.#random.next() * 10, () => {
          if (!worker.process.isDead) this.#with(worker, async ({ epochs }) => void (await epochs.check()));
        });
    }
  }

  /** Customers of a lost order retry it where the provider refuses a repeated reference, and give up elsewhere. */
  async #forgetLost(): Promise<void> {
    const { rows } = await sql<{ id: string; state: string }>`select id, state from payments`.execute(
      this.#database.db,
    );
    for (const customer of this.#customers) {
      const stored = rows.find(({ id }) => id === customer.id);
      const again = this.#random.whole(1, 600);
      // A customer whose paid order is open again presses Pay once more.
      if (stored?.state === 'CREATED' && this.#random.chance(0.7)) this.time.after(again, () => this.#pay(customer));
      if (!customer.id || stored) continue;
      customer.answered = null;
      customer.id = null;
      // Not if the order has another attempt: both may be delivered, and no system could tell.
      const isAlone = this.#customers.every((one) => one === customer || !isSameOrder(one, customer));
      if (isAlone && knowReferences.includes(customer.quote.gateway))
        this.time.after(again, () => this.#order(customer));
    }
  }

  /** The portal goes down when a payment reaches a state, while everything outside goes on. */
  #planDarkness(): void {
    if (!this.faults.strikes('portalOff')) return;
    const [state, least, most] = this.#pickByTheme(darkness);
    const after = this.#random.chance(0.5) ? 0 : this.#random.whole(0, 120);
    this.#when(state, this.#random.whole(600, 5_400), (reaching) =>
      this.time.after(after, () => {
        this.#offUntil = this.time.nowMs + this.#random.whole(least * 3_600, most * 3_600) * 1_000;
        this.#isPatient = true;
        for (const { process } of this.#workers) process.isDead = true;
        this.#print?.(`${this.time.now.toISOString()} off until ${new Date(this.#offUntil).toISOString()}`);
        const host = this.#isAboutRefunds && reaching ? reaching.gateway : this.#askedIn(state);
        if (this.#isLatest) this.#trouble = { host, from: this.time.nowMs, until: 0 };
        if (this.#trouble && this.#random.chance(0.7)) this.#trouble.until = this.#offUntil + 1.5 * hourMs;
        this.#faultsEndAt = Math.max(this.#faultsEndAt, this.#offUntil + 2 * hourMs);
      }),
    );
  }

  /** The system that is called in this state. */
  #askedIn(state: PaymentState): string {
    const payment = this.#seen.payments.find((one) => one.state === state) ?? this.#seen.payments[0];
    if (!payment) return 'charging';
    return state.startsWith('FULFIL') ? systemOf[payment.item] : payment.gateway;
  }

  #planTrouble(): void {
    if (this.#isAboutRefunds) {
      this.#when('REFUND_DUE', 5_400, (reaching) => {
        const { nowMs } = this.time;
        const until = nowMs + this.#random.whole(60, 600) * 1_000;
        if (this.#trouble || !reaching) return;
        this.#trouble = { host: reaching.gateway, from: nowMs, until };
        this.faults.count('trouble');
      });
      return;
    }
    if (!this.faults.strikes('trouble')) return;
    // Only among systems used in this world.
    const quotes = this.#customers.map(({ quote }) => quote);
    const { theme } = this.faults;
    // A system that refuses a delivery has to answer; then the one that refunds has the outage.
    const systems = quotes.flatMap(({ gateway, details }) => [
      ...(theme.includes('deliveryReplyLost') ? [] : [gateway]),
      ...(theme.includes('deliveryRefused') ? [] : [systemOf[details.item.kind]]),
    ]);
    const host = systems[this.#random.whole(0, systems.length - 1)] ?? 'charging';
    const from = start + this.#random.whole(0, 1_800) * 1_000;
    this.#trouble = { host, from, until: from + this.#random.whole(600, 10_800) * 1_000 };
  }

  #busy(act: () => Promise<void>): void {
    this.time.enter();
    act()
      .catch((error: unknown) => {
        this.#broken ??= asBroken(error);
      })
      .finally(() => this.time.leave());
  }

  /** The stored row at the moment a provider acted. */
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
      const credit = row
        ? undefined
        : await this.#database.db
            .selectFrom('goodwill')
            .select(['payment_id as payment', 'state'])
            .where('id', '=', act.reference)
            .executeTakeFirst();
      this.time.leave();
      act.stored = row ?? null;
      if (credit) act.credit = credit;
    }
  }

  async live(): Promise<void> {
    await this.#database.empty();
    for (const customer of this.#customers) this.#come(customer);
    this.#planTrouble();
    this.#planRestore();
    this.#planDarkness();
    this.#jumpClocks();
    this.#visitCodes();
    this.#endFaults();
    while (this.time.nowMs < this.#end && !this.#isAtRest) {
      await this.#step(this.#end);
      this.steps += 1;
      if (this.steps > mostSteps) throw new Broken('I11', 'it never comes to rest');
    }
    const isOver = this.time.nowMs >= this.#end || this.#isPatient;
    const seen = structuredClone(await this.#observe());
    const differences = await this.#compare();
    const acknowledged = this.#customers.flatMap(({ answered }) => (answered ? [answered] : []));
    this.#oracle.end({ ...seen, acknowledged, differences, comparedUntil: start + 16 * hourMs, isOver });
  }

  /** Most customers pay at once. The second attempt of an order may come much later. */
  #come(customer: Customer): void {
    const isLate = customer.isSecond && this.#random.chance(0.5);
    const order = () => this.#order(customer);
    if (isLate) this.#when('REVIEW', this.#random.whole(600, 9_000), () => this.time.after(60, order));
    else this.time.after(this.#random.whole(0, 600), order);
  }

  #endFaults(): void {
    if (this.time.nowMs < this.#faultsEndAt) return void this.time.at(this.#faultsEndAt, () => this.#endFaults());
    this.faults.end();
    this.#faultsEndedAt = this.time.nowMs;
    for (const { machine } of this.#workers) machine.skewMs = 0;
  }

  get #end(): number {
    return this.#faultsEndAt + settleMs;
  }

  #visitCodes(): void {
    this.time.after(this.#random.whole(10, 240), () => {
      if (this.faults.isOver) return;
      if (this.#isOff) return this.#later(() => this.#visitCodes());
      this.#codes.step().catch((error: unknown) => {
        this.#broken ??= asBroken(error);
      });
      this.#visitCodes();
    });
  }

  #jumpClocks(): void {
    this.time.after(this.#random.whole(60, 1_800), () => {
      if (this.faults.isOver) return;
      if (this.#isOff) return this.#later(() => this.#jumpClocks());
      for (const { machine } of this.#workers)
        if (this.faults.strikes('clockJump')) machine.skewMs = this.#random.whole(-24, 24) * hourMs;
      this.#jumpClocks();
    });
  }

  async #step(end: number): Promise<void> {
    const sweepAt = Math.max(this.#sweepAt, this.#offUntil);
    if (sweepAt <= Math.min(this.time.nextAt, end)) {
      this.time.nowMs = Math.max(this.time.nowMs, sweepAt);
      const sweep = () => this.#launch(async ({ payments }) => void (await payments.sweep(50)));
      sweep();
      if (this.faults.strikes('twoWorkers')) sweep();
      const before = this.#sweepAt;
      await this.time.settle();
      // If the process died before it changed anything, another one sweeps a moment later.
      if (!this.#isChanged && this.#sweepAt === before) this.#sweepAt = this.time.nowMs + 1_000;
    } else await this.time.step(end);
    if (this.#broken) throw this.#broken;
    if (this.#isChanged) {
      this.#isChanged = false;
      this.#oracle.observe(await this.#observe());
    }
    this.#lookAround();
  }

  async #observe(): Promise<Observation> {
    const seen = await this.#read();
    this.#dues = new Map(seen.payments.flatMap(({ id, dueAt }) => (dueAt === null ? [] : [[id, dueAt]])));
    this.#sweepAt = Math.min(...this.#dues.values(), Number.POSITIVE_INFINITY);
    this.#readAt = this.time.nowMs;
    if (seen.payments.some(({ state }) => state === 'REVIEW')) this.#review();
    // The payer is redirected to a provider's page once the portal has stored its URL.
    for (const { id, state } of seen.payments) if (state === 'AWAITING_PAYER') this.#books.show(id);
    for (const { gateway } of this.#books.money) this.places.add(`taken by ${gateway}`);
    for (const { system, what } of this.#books.brought) this.places.add(`brought by ${system}: ${what}`);
    for (const { kind } of seen.messages) this.places.add(`told ${kind}`);
    for (const { from, to } of seen.history.slice(this.#changesSeen)) this.#count(`${from}>${to}`);
    this.#changesSeen = seen.history.length;
    this.#desk.look(seen);
    const { money, acts, heard, lagSeconds } = this.#books;
    const { brought, given } = this.#desk.apart(this.#books.brought);
    return {
      ...{ now: this.time.nowMs, ...seen, shown: this.#shown, money, acts, heard, lag: lagSeconds * 1_000 },
      ...{ brought, given },
      ...{ restores: this.#restores, faultsEndedAt: this.#faultsEndedAt },
      attempts: this.#customers.map(({ key, ids }) => ({ key, payments: [...ids] })),
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
    this.#offUntil = until;
    this.#faultsEndedAt = until;
    for (const { process } of this.#workers) process.isDead = true;
  }

  #lookAround(): void {
    if (!this.faults.isOver) return;
    const { payments } = this.#seen;
    const isQuiet = this.time.nextAt === Number.POSITIVE_INFINITY;
    this.#isAtRest = isQuiet && payments.every((one) => this.#isDone(one) || this.#waitsInVain(one));
    if (this.#skips) this.#skipQuiet(payments);
  }

  /** Reads changed rows again: payments often, other tables rarely. */
  async #read(): Promise<Seen> {
    const parts = [...this.#changedParts];
    this.#changedParts.clear();
    const seen = { ...this.#seen, ...(await readPortal(this.#database.db, parts)) };
    this.#seen = seen;
    if (parts.includes('payment_history')) this.#shown = seen.payments.map((payment) => shownOf(payment, seen.history));
    return seen;
  }
  #changesSeen = 0;

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
    const { statements, db } = this.#worker();
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

const isSameOrder = (one: Customer, other: Customer): boolean =>
  one.quote.orderDigest !== null && one.quote.orderDigest === other.quote.orderDigest;

/** Proposals are not part of this world. */
const unasked = Object.fromEntries(
  approvalKinds.map((kind): [ApprovalKind, Approvable] => [
    kind,
    { propose: 'erase.propose', approve: 'erase.approve', evidence: async () => [], carryOut: async () => {} },
  ]),
) as Approvables;

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

const asBroken = (error: unknown): Broken =>
  error instanceof Broken ? error : new Broken('error', `nobody expected "${(error as Error).message}"`);

function isExpected(error: unknown): boolean {
  return error instanceof Crash || (error instanceof Error && error.message === 'could not serialize access');
}

function connectorsOn(http: HttpClient, now: () => Date, lag: number) {
  const callback = { callbackUrl: 'https://portal.example/callbacks/x', callbackKey };
  const client = { clientId: 'id', clientSecret: 'secret' };
  const checkoutOrigins = ['https://checkout.example'];
  const wallet = walletGateway('wallet', http, {
    ...{ ...client, url: 'http://wallet.example', callbackKeys: [callbackKey], oaepHash: 'sha256', country: 'XX' },
    ...{ currencies: [currency], digitsOf: () => 0, statesAmount: false, codes: {}, lag },
  });
  const mpesa = mpesaGateway('mpesa', http, {
    ...{ url: 'http://mpesa.example', consumerKey: 'k', consumerSecret: 's', shortCode: '174379', passkey: 'p' },
    ...{ initiator: 'i', securityCredential: 'c', timeZone: 'UTC', now, countryCode: '999', currency, digits: 0, lag },
    ...callback,
  });
  const gateways: PaymentGateway[] = [
    wallet,
    mpesa,
    smartcashGateway('smartcash', http, {
      ...{ ...client, url: 'http://smartcash.example', oaepHash: 'sha256', country: 'XX', currency },
      ...{ paths: defaultPaths, headers: defaultHeaders, codes: defaultCodes, lag },
    }),
    cardCheckoutGateway('card', http, {
      ...{ url: 'http://card.example', secretKey: 's', webhookSecrets: [callbackKey], checkoutOrigins },
      ...{ digitsOf: () => 0, now, title: 'Shop', lag },
    }),
    orangeMoneyGateway('orange', http, {
      ...{ ...client, ...callback, url: 'http://orange.example', environment: 'mg', merchantKey: 'm' },
      ...{ checkoutOrigins, digits: 0, lag },
    }),
    paystackGateway('paystack', http, {
      ...{ url: 'http://paystack.example', secretKeys: [callbackKey], publicKey: 'p', scriptUrl: 'https://x.example' },
      ...{ mode: 'test', now, digits: 0, lag },
    }),
    airtimeGateway('airtime', http, { url: 'http://charging.example', key: 'key', digits: 0, lag }),
  ];
  return {
    gateways: new Map(gateways.map((gateway) => [gateway.name, gateway])),
    statements: new Map<string, StatementSource>([
      ['wallet', wallet],
      ['mpesa', mpesa],
    ]),
  };
}

type Seen = Pick<Observation, 'payments' | 'history' | 'postings' | 'messages' | 'proposals' | 'credits'>;

/** Reads the rarely changing tables only if they changed. */
async function readPortal(db: Kysely<Schema>, parts: readonly Part[]): Promise<Partial<Seen>> {
  const read = sql.join([seenPayments, ...parts.map((part) => seenParts[part])]);
  const { rows } = await sql<{ seen: Partial<Seen> }>`select json_build_object(${read}) as seen`.execute(db);
  return (rows[0] as (typeof rows)[number]).seen;
}

const inMs = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;
const seenPayments = sql`
  'payments', (select coalesce(json_agg(json_build_object('id', id, 'order', order_digest, 'gateway', gateway,
    'item', details->'item'->>'kind', 'amount', amount, 'currency', currency, 'state', state, 'version', version,
    'reason', reason, 'submittedAt', ${inMs('submitted_at')}, 'changedAt', ${inMs('changed_at')}, 'dueAt', ${inMs('due_at')},
    'taken', case when taken_amount is not null then json_build_object('amount', taken_amount, 'currency', taken_currency) end,
    'epoch', epoch) order by created_at, id), '[]') from payments)`;
const seenParts = {
  payment_history: sql`
    'history', (select coalesce(json_agg(json_build_object('payment', payment_id, 'version', version, 'event', event,
      'from', from_state, 'to', to_state, 'reason', reason, 'at', ${inMs('at')}, 'by', settled_by)
      order by at, payment_id, version), '[]') from payment_history)`,
  ledger_postings: sql`
    'postings', (select coalesce(json_agg(json_build_object('payment', payment_id, 'kind', kind, 'debit', debit_account,
      'credit', credit_account, 'amount', amount, 'currency', currency)), '[]') from ledger_postings)`,
  simulation_messages: sql`
    'messages', (select coalesce(json_agg(json_build_object('payment', payment, 'kind', kind)), '[]')
      from simulation_messages)`,
  approvals: sql`
    'proposals', (select coalesce(json_agg(json_build_object('id', id, 'kind', kind, 'payment', subject_id,
      'amount', payload->'amount', 'state', state, 'proposedBy', proposed_by, 'approvedBy', approved_by)), '[]')
      from approvals)`,
  goodwill: sql`
    'credits', (select coalesce(json_agg(json_build_object('id', id, 'proposal', approval_id, 'payment', payment_id,
      'amount', amount, 'currency', currency, 'state', state, 'dueAt', ${inMs('due_at')})), '[]') from goodwill)`,
} satisfies Record<Part, unknown>;

/** The customer's view, by the portal's own function. */
function shownOf({ id, gateway, state }: SeenPayment, history: Seen['history']): Shown {
  const changes = history
    .filter(({ payment }) => payment === id)
    .map(({ to, event, at }) => ({ to: to as PaymentState, event, at: new Date(at) }));
  const waitingFor = pages.includes(gateway) ? 'redirect' : 'payer';
  return { payment: id, status: shownStatus(state as PaymentState, waitingFor), money: moneyState(changes) };
}
const pages = ['card', 'orange', 'paystack'];

const leaseMs = 75_000;
/** No faults. */
const quietFaults = new FaultPlan(new Random(0), { cuts: new Random(0) });
quietFaults.end();
