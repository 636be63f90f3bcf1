import type { DeliveredItem } from '../connectors/ports.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Quote } from '../payments/payments.service.ts';
import { Broken } from './broken.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Acknowledged, Observation } from './observation.ts';
import type { Portal } from './portal.ts';
import type { Random } from './random.ts';
import type { StateTriggers } from './state-triggers.ts';
import { gatewayNames, gatewaysFor, type SeedRange } from './themes.ts';
import type { VirtualTime } from './virtual-time.ts';
import { currency } from './worker.ts';

const typeOf = {
  ...{ airtime: 'PREPAID_RECHARGE', bundle: 'PREPAID_BUNDLES', bill: 'POSTPAID_BILL', order: 'HBB_LEADS' },
} as const;
/** Gateways that refuse a repeated reference, so that an order which a restored database lost is not charged again. */
const knowReferences: readonly string[] = ['wallet', 'paystack'];

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

interface Parts {
  time: VirtualTime;
  random: Random;
  faults: FaultPlan;
  range: SeedRange;
  portal: Portal;
  triggers: StateTriggers;
}

/** The customers of a world: they order, pay, press buttons twice, and try again what a restore lost. */
export class Customers {
  readonly #parts: Parts;
  readonly #customers: Customer[];

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#customers = Array.from({ length: parts.random.whole(1, 3) }, (_, index) => this.#attemptsOf(index)).flat();
  }

  get quotes(): Quote[] {
    return this.#customers.map(({ quote }) => quote);
  }

  get acknowledged(): Acknowledged[] {
    return this.#customers.flatMap(({ answered }) => (answered ? [answered] : []));
  }

  get attempts(): Observation['attempts'] {
    return this.#customers.map(({ key, ids }) => ({ key, payments: [...ids] }));
  }

  /** Most customers pay at once. The second attempt of an order may come much later. */
  plan(): void {
    const { random, time, triggers } = this.#parts;
    for (const customer of this.#customers) {
      const isLate = customer.isSecond && random.chance(0.5);
      const order = () => this.#order(customer);
      if (isLate) triggers.when('REVIEW', random.whole(600, 9_000), () => time.after(60, order));
      else time.after(random.whole(0, 600), order);
    }
  }

  /** Some customers pay another way while the first payment is open: a reopened page, a second tab, another device. */
  #attemptsOf(index: number): Customer[] {
    const { random, faults, range } = this.#parts;
    const first = this.#customer(index, this.#pickGateway());
    const isRestored = range !== 'common' && faults.theme.includes('restore');
    if (!random.chance(isRestored ? 0.8 : 0.4)) return [first];
    const second = this.#customer(index, this.#pickGateway());
    const orderDigest = `order-${index}-${random.text(8)}`;
    const same = { amount: first.quote.amount, details: first.quote.details, orderDigest };
    first.quote = { ...first.quote, orderDigest };
    second.quote = { ...second.quote, ...same };
    return [first, { ...second, isSecond: true, body: { amount: first.quote.amount, isSecond: true } }];
  }

  /** Mostly a gateway that supports this world's theme. */
  #pickGateway(): string {
    const { random, faults, range } = this.#parts;
    const [one, ...more] = gatewaysFor(faults.theme, range);
    return one && random.chance(0.8) ? random.pick([one, ...more]) : random.pick(gatewayNames);
  }

  #customer(index: number, gateway: string): Customer {
    const { random } = this.#parts;
    const amount = random.whole(500, 500_000);
    const item = random.pick<DeliveredItem>([
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
      key: `key-${index}-${random.text(8)}`,
      quote,
      body: { amount },
      id: null,
      ids: new Set(),
      answered: null,
    };
  }

  #order(customer: Customer): void {
    const { time, random, faults, portal } = this.#parts;
    if (portal.isDown) {
      portal.later(() => this.#order(customer));
      return;
    }
    const { key, quote, body } = customer;
    const initiate = (offered: Quote) =>
      portal.launch(async ({ payments }) => {
        const { id, ...sum } = await payments.initiate(offered, { key, body });
        const before = customer.answered;
        const isSame = !before || (before.payment === id && before.amount === sum.amount);
        if (!isSame) throw new Broken('I1', 'one key gave two answers');
        customer.id = id;
        customer.ids.add(id);
        customer.answered ??= { payment: id, ...sum, at: time.nowMs, wasProcessed: false };
      });
    initiate(quote);
    if (faults.strikes('impatientCustomer')) initiate(quote);
    const thinks = faults.strikes('slowCustomer') ? random.whole(60, 1_750) : random.whole(1, 60);
    time.after(thinks, () => {
      if (!customer.id) return this.#order(customer);
      // A later exchange rate does not matter: the quote wins.
      if (faults.strikes('priceChanged')) initiate({ ...quote, amount: quote.amount + 7 });
      if (faults.strikes('keyReused')) this.#reuseKey(customer);
      this.#pay(customer);
    });
  }

  #reuseKey({ key, quote }: Customer): void {
    this.#parts.portal.launch(async ({ payments }) => {
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
    const { time, random, faults, portal } = this.#parts;
    if (portal.isDown) {
      portal.later(() => this.#pay(customer));
      return;
    }
    // A restore lost the order.
    if (!customer.id) return;
    const pay = () =>
      portal.launch(async ({ payments }) => {
        const pin = customer.quote.gateway === 'smartcash' ? { pin: '1234' } : {};
        await payments.process(customer.id ?? '', pin).catch((error: unknown) => {
          if (!(error instanceof PortalError)) throw error;
        });
        if (customer.answered) customer.answered.wasProcessed = true;
      });
    const isImpatient = faults.strikes('impatientCustomer');
    for (let times = isImpatient ? 3 : 1; times > 0; times -= 1) pay();
    // The back button, a second tab, or a retry without a response.
    time.after(random.whole(5, 300), () => {
      if (isImpatient || !customer.answered?.wasProcessed) this.#pay(customer);
    });
  }

  /**
   * A restore lost orders: their customers retry them where the provider refuses a repeated reference, and give up
   * elsewhere.
   */
  forgetLost(stored: readonly { id: string; state: string }[]): void {
    const { random, time } = this.#parts;
    for (const customer of this.#customers) {
      const payment = stored.find(({ id }) => id === customer.id);
      const again = random.whole(1, 600);
      // A customer whose paid order is open again presses Pay once more.
      if (payment?.state === 'CREATED' && random.chance(0.7)) time.after(again, () => this.#pay(customer));
      if (!customer.id || payment) continue;
      customer.answered = null;
      customer.id = null;
      // Not if the order has another attempt: both may be delivered, and no system could tell.
      const isAlone = this.#customers.every((one) => one === customer || !isSameOrder(one, customer));
      if (isAlone && knowReferences.includes(customer.quote.gateway)) time.after(again, () => this.#order(customer));
    }
  }
}

const isSameOrder = (one: Customer, other: Customer): boolean =>
  one.quote.orderDigest !== null && one.quote.orderDigest === other.quote.orderDigest;
