import { generateKeyPairSync } from 'node:crypto';
import type { HttpAnswer } from '../connectors/http-client.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { Random } from './random.ts';

/** What the wallet really did with one reference: the outside truth. */
export interface WalletPayment {
  reference: string;
  amount: number;
  currency: string;
  state: 'pending' | 'taken' | 'refused';
  moneyId: string;
  /** Each debit with what was taken; a wallet that works has at most one. */
  debits: { amount: number; currency: string }[];
  refunds: number[];
}

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicDer = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

export const answered = (json: unknown, status = 200): HttpAnswer => ({ kind: 'answer', status, json });
const statusBlock = (success: boolean, response_code: string, result_code = 'ESB000010') => ({
  status: { success, response_code, result_code, message: '' },
});

/** A wallet in memory that speaks its wire language; what it does is its own, what is heard of it is the network's. */
export class WalletProvider {
  readonly payments = new Map<string, WalletPayment>();
  readonly #random: Random;
  readonly #faults: FaultPlan;
  /** Called when the payer has decided, or changed the outcome late. */
  onDecided: (payment: WalletPayment) => void = () => {};
  /** Called in the moment a charge arrives. */
  onCharge: (reference: string) => Promise<void> = async () => {};
  onRefund: (reference: string) => Promise<void> = async () => {};
  /** Puts something off by so many seconds of the world's time. */
  later: (seconds: number, act: () => void) => void = () => {};

  constructor(random: Random, faults: FaultPlan) {
    this.#random = random;
    this.#faults = faults;
  }

  async handle(method: string, path: string, body: string | undefined): Promise<HttpAnswer> {
    if (path.endsWith('/auth/oauth2/token')) return answered({ access_token: 'token', expires_in: 180 });
    if (path.endsWith('/v1/rsa/encryption-keys')) return answered({ data: { key_id: '1', key: publicDer } });
    if (method === 'POST' && path.endsWith('/payments/refund')) return this.#refund(JSON.parse(body ?? '{}'));
    if (method === 'POST') return this.#charge(JSON.parse(body ?? '{}'));
    return this.#enquire(path.split('/').at(-1) ?? '');
  }

  async #charge(body: { transaction: { id: string; amount: number; currency: string } }): Promise<HttpAnswer> {
    const { id, amount, currency } = body.transaction;
    await this.onCharge(id);
    if (this.payments.has(id)) return answered(statusBlock(false, 'DP00800001006', 'ESB000041'));
    const payment: WalletPayment = {
      reference: id,
      amount,
      currency,
      state: 'pending',
      moneyId: `MP${this.#random.text(10)}`,
      debits: [],
      refunds: [],
    };
    this.payments.set(id, payment);
    if (this.#random.chance(0.1)) {
      this.#refuse(payment);
      return answered(statusBlock(false, 'DP00800001007'));
    }
    // Some never answer: the provider gives up on them after an hour, or forgets to.
    const decides = this.#random.chance(0.88) ? this.#random.whole(1, 120) : this.#random.pick([3_600, 100 * 3_600]);
    const isWilling = decides < 3_600 && this.#random.chance(0.75);
    if (this.#faults.strikes('callbackEarly')) this.#decide(payment, isWilling);
    else this.later(decides, () => this.#decide(payment, isWilling));
    return answered(statusBlock(true, 'DP00800001006'));
  }

  #decide(payment: WalletPayment, isWilling: boolean): void {
    if (payment.state !== 'pending') return;
    if (isWilling) this.#take(payment);
    else this.#refuse(payment);
    this.onDecided(payment);
  }

  #take(payment: WalletPayment): void {
    payment.state = 'taken';
    const { amount, currency } = payment;
    const isOther = this.#faults.strikes('otherAmount');
    const wrong = this.#random.pick([
      { amount: amount + 1, currency },
      { amount: amount - 1, currency },
      { amount: amount + 150, currency },
      { amount, currency: 'ZZZ' },
    ]);
    payment.debits.push(isOther ? wrong : { amount, currency });
  }

  #refuse(payment: WalletPayment): void {
    payment.state = 'refused';
    if (!this.#faults.strikes('lateDebit')) return;
    this.later(this.#random.whole(60, 20 * 3_600), () => {
      if (payment.state !== 'refused') return;
      this.#take(payment);
      // Who contradicts himself seldom says so.
      if (this.#random.chance(0.3)) this.onDecided(payment);
    });
  }

  #enquire(reference: string): HttpAnswer {
    const payment = this.payments.get(reference);
    if (!payment || this.#faults.strikes('notFoundYet')) return answered(statusBlock(false, 'DP00800001025'));
    const [debit] = payment.debits;
    const status = { pending: 'TIP', taken: 'TS', refused: 'TF' }[payment.state];
    const ambiguous = this.#faults.strikes('unlistedCode') ? this.#random.pick(['TA', 'TX', 'INS-9']) : null;
    return answered({
      data: {
        transaction: {
          id: reference,
          airtel_money_id: payment.moneyId,
          status: ambiguous ?? status,
          amount: debit?.amount ?? payment.amount,
          currency: debit?.currency ?? payment.currency,
        },
      },
      ...statusBlock(true, payment.state === 'refused' ? 'DP00800001008' : 'DP00800001001'),
    });
  }

  async #refund(body: { transaction: { airtel_money_id: string } }): Promise<HttpAnswer> {
    const payment = [...this.payments.values()].find(({ moneyId }) => moneyId === body.transaction.airtel_money_id);
    const [debit] = payment?.debits ?? [];
    if (!payment || !debit) return answered(statusBlock(false, 'DP00800001025'));
    await this.onRefund(payment.reference);
    if (payment.refunds.length > 0) return answered(statusBlock(false, 'DP00800001041'));
    payment.refunds.push(debit.amount);
    return answered(statusBlock(true, 'DP00800001001'));
  }
}
