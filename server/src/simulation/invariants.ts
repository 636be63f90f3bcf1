import { shownStatus } from '@portal/domain/payment/shown.ts';
import { isFinal, type PaymentState, transitions } from '@portal/domain/payment/transitions.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { PaymentsTable, Schema } from '../db/schema.ts';
import type { ChargingProvider } from './charging-provider.ts';
import type { WalletPayment, WalletProvider } from './wallet-provider.ts';

/** Which of the promises about money was broken, and how. */
export class InvariantBroken extends Error {
  readonly invariant: string;

  constructor(invariant: string, detail: string) {
    super(`${invariant}: ${detail}`);
    this.name = 'InvariantBroken';
    this.invariant = invariant;
  }
}

const looked = ['id', 'version', 'state', 'amount', 'currency', 'due_at', 'submitted_at', 'order_digest'] as const;
type Payment = Pick<Selectable<PaymentsTable>, (typeof looked)[number]>;
interface HistoryRow {
  payment_id: string;
  version: number;
  event: string;
  from_state: PaymentState | null;
  to_state: PaymentState;
  reason: string | null;
  at: Date;
}

function hold(isTrue: boolean, invariant: string, detail: string): void {
  if (!isTrue) throw new InvariantBroken(invariant, detail);
}

const daySeconds = 24 * 3600;

/** Looks at the portal's database and the providers' own truth after every step, and over the whole history. */
export class Invariants {
  readonly #db: Kysely<Schema>;
  readonly #wallet: WalletProvider;
  readonly #charging: ChargingProvider;
  readonly #seen = new Map<string, number>();
  readonly #told = new Map<string, string>();
  readonly edges = new Map<string, number>();

  constructor(db: Kysely<Schema>, wallet: WalletProvider, charging: ChargingProvider) {
    this.#db = db;
    this.#wallet = wallet;
    this.#charging = charging;
    wallet.onCharge = (reference) => this.#intended(reference, 'SUBMITTING', 'charge');
    wallet.onRefund = (reference) => this.#refunding(reference);
    charging.onDeliver = (reference, amount, currency) => this.#delivering(reference, amount, currency);
  }

  async #intended(reference: string, state: PaymentState, what: string): Promise<void> {
    const row = await this.#db
      .selectFrom('payments')
      .select(['state', 'submitted_at'])
      .where('id', '=', reference)
      .executeTakeFirst();
    hold(row?.state === state, 'I14', `a ${what} was sent while the stored state was ${row?.state}`);
  }

  async #refunding(reference: string): Promise<void> {
    await this.#intended(reference, 'REFUNDING', 'refund');
    const isDelivered = this.#charging.deliveries.some((one) => one.reference === reference);
    hold(!isDelivered, 'I4', 'what was delivered is given back');
  }

  async #delivering(reference: string, amount: number, currency: string): Promise<void> {
    await this.#intended(reference, 'FULFILLING', 'delivery');
    const debit = this.#wallet.payments.get(reference)?.debits[0];
    hold(debit?.amount === amount && debit.currency === currency, 'I3', 'delivered without a debit of the same amount');
    hold(this.#wallet.payments.get(reference)?.refunds.length === 0, 'I4', 'delivered what was given back');
  }

  /** After every step. */
  async check(): Promise<Payment[]> {
    const payments = await this.#db.selectFrom('payments').select(looked).execute();
    // Most moments change nothing but when to look again.
    if (payments.every(({ id, version }) => this.#seen.get(id) === version)) return payments;
    const history = await sql<HistoryRow>`
      select payment_id, version, event, from_state, to_state, reason, at from payment_history order by payment_id, version`.execute(
      this.#db,
    );
    for (const row of history.rows) this.#checkChange(row, payments);
    for (const payment of payments) this.#checkPayment(payment);
    this.#checkOrders(payments);
    return payments;
  }

  #checkChange(row: HistoryRow, payments: Payment[]): void {
    const seen = this.#seen.get(row.payment_id) ?? -1;
    if (row.version <= seen) return;
    hold(row.version === seen + 1, 'I9', 'a version was skipped');
    this.#seen.set(row.payment_id, row.version);
    if (row.from_state === null) return;
    const edge = `${row.from_state}>${row.to_state}`;
    this.edges.set(edge, (this.edges.get(edge) ?? 0) + 1);
    const isListed = Object.values(transitions[row.from_state]).includes(row.to_state);
    hold(isListed, 'I9', `${edge} is not listed`);
    const truth = this.#wallet.payments.get(row.payment_id);
    const payment = payments.find(({ id }) => id === row.payment_id);
    if (!payment) return;
    if (row.event === 'pay' || row.event === 'findLateMoney') this.#checkPaid(payment, truth);
    if (row.to_state === 'FAILED') this.#checkFailed(row, payment, truth);
  }

  #checkPaid(payment: Payment, truth: WalletPayment | undefined): void {
    const debit = truth?.debits[0];
    const isSame = debit?.amount === payment.amount && debit.currency === payment.currency;
    hold(isSame, 'I13', 'called paid without a debit of this amount');
  }

  /** Proof at that moment, and not merely in the end. */
  #checkFailed(row: HistoryRow, payment: Payment, truth: WalletPayment | undefined): void {
    hold(!truth || truth.debits.length === 0, 'I7', 'called failed though the money was taken');
    hold(!truth || truth.state === 'refused', 'I7', 'called failed while the payer could still approve');
    if (truth || row.event === 'expire' || row.reason === 'notReached') return;
    const age = (row.at.getTime() - (payment.submitted_at?.getTime() ?? 0)) / 1000;
    hold(age >= daySeconds, 'I7', 'called failed because it was not found too soon');
  }

  /** One order is one purchase, however many payments were begun for it. */
  #checkOrders(payments: Payment[]): void {
    for (const order of new Set(payments.flatMap(({ order_digest }) => order_digest ?? []))) {
      const attempts = payments.filter(({ order_digest }) => order_digest === order).map(({ id }) => id);
      const deliveries = this.#charging.deliveries.filter(({ reference }) => attempts.includes(reference));
      hold(deliveries.length <= 1, 'I17', 'an order was delivered twice, by two payments');
    }
  }

  #checkPayment(payment: Payment): void {
    const truth = this.#wallet.payments.get(payment.id);
    const deliveries = this.#charging.deliveries.filter(({ reference }) => reference === payment.id);
    hold((truth?.debits.length ?? 0) <= 1, 'I1', 'debited twice');
    hold(!truth || (truth.amount === payment.amount && truth.currency === payment.currency), 'I1', 'another sum asked');
    hold(deliveries.length <= 1, 'I2', 'delivered twice');
    hold((truth?.refunds.length ?? 0) <= 1, 'I5', 'given back twice');
    hold((truth?.refunds[0] ?? 0) <= (truth?.debits[0]?.amount ?? 0), 'I5', 'more given back than taken');
    hold(deliveries.length === 0 || (truth?.refunds.length ?? 0) === 0, 'I4', 'delivered and given back');
    hold(payment.state !== 'SUCCEEDED' || deliveries.length === 1, 'I6', 'called delivered without a delivery');
    hold(Number.isSafeInteger(payment.amount), 'I16', 'an amount that is no integer');
    const shown = shownStatus(payment.state, 'payer');
    if (shown !== 'SUCCESS' && shown !== 'FAILED') return;
    const before = this.#told.get(payment.id) ?? shown;
    hold(shown === before, 'I8', `told as ${before}, then as ${shown}`);
    this.#told.set(payment.id, shown);
  }

  /** When the faults have stopped and the time is over. */
  async checkEnd(): Promise<void> {
    const payments = await this.check();
    const postings = await this.#db.selectFrom('ledger_postings').selectAll().execute();
    for (const payment of payments) {
      const truth = this.#wallet.payments.get(payment.id);
      const deliveries = this.#charging.deliveries.filter(({ reference }) => reference === payment.id);
      hold(isFinal(payment.state) || payment.state === 'REVIEW', 'I11', `still ${payment.state}`);
      if (payment.state === 'REVIEW') continue;
      hold(deliveries.length === (payment.state === 'SUCCEEDED' ? 1 : 0), 'I6', `${payment.state} and delivered`);
      const isTaken = (truth?.debits.length ?? 0) === 1;
      const isGivenBack = (truth?.refunds.length ?? 0) === 1;
      hold(
        isTaken === (deliveries.length === 1 || isGivenBack),
        'I10',
        `${payment.state}: money is neither here nor there`,
      );
      const kinds = postings.filter(({ payment_id }) => payment_id === payment.id).map(({ kind }) => kind);
      const expected = [
        ...(isTaken ? ['paid'] : []),
        ...(deliveries.length === 1 ? ['delivered'] : []),
        ...(isGivenBack ? ['refunded'] : []),
      ];
      hold(kinds.sort().join() === expected.sort().join(), 'I10', `the books say ${kinds}, the truth is ${expected}`);
    }
  }

  async acknowledged(id: string, wasProcessed: boolean): Promise<void> {
    const row = await this.#db.selectFrom('payments').select('state').where('id', '=', id).executeTakeFirst();
    hold(row !== undefined, 'I12', 'an acknowledged order is gone');
    hold(!wasProcessed || row?.state !== 'CREATED', 'I12', 'an acknowledged payment is forgotten');
  }
}
