import { randomInt } from 'node:crypto';
import type { CallbackSender } from '../callbacks/callback-sender.ts';
import type { SandboxState } from '../state/sandbox-state.ts';
import { Timers } from '../state/timers.ts';
import { responseCodes } from './wallet-answers.ts';
import { composeWalletCallback } from './wallet-callback.ts';
import type { WalletPayment } from './wallet-payment.ts';

export type NewWalletPayment = Pick<WalletPayment, 'id' | 'number' | 'amount' | 'currency' | 'reference'>;

const outcomes = {
  paid: { status: 'TS', responseCode: responseCodes.success, message: 'Paid' },
  inProcess: { status: 'TIP', responseCode: responseCodes.inProcess, message: 'Waiting for the payer' },
  declined: { status: 'TF', responseCode: responseCodes.declined, message: 'Refused by the payer' },
  refused: { status: 'TF', responseCode: responseCodes.declined, message: 'Refused by the wallet' },
  insufficient: { status: 'TF', responseCode: responseCodes.insufficientFunds, message: 'Not enough money' },
  locked: { status: 'TF', responseCode: responseCodes.walletLocked, message: 'The wallet is locked' },
  wrongPin: { status: 'TF', responseCode: responseCodes.wrongPin, message: 'The PIN is wrong' },
  expired: { status: 'TE', responseCode: responseCodes.expired, message: 'The payer did not answer in time' },
} as const satisfies Record<string, Pick<WalletPayment, 'status' | 'responseCode' | 'message'>>;

export type WalletOutcome = keyof typeof outcomes;

export interface StartOptions {
  refused: boolean;
  pin?: string;
  /** Debits a refused payment after all, after this delay. */
  debitAfterMs?: number;
}

export class WalletPayments {
  #state: SandboxState;
  #callbacks: CallbackSender;
  #byId = new Map<string, WalletPayment>();
  #byMoneyId = new Map<string, WalletPayment>();
  #timers = new Timers();

  constructor(state: SandboxState, callbacks: CallbackSender) {
    this.#state = state;
    this.#callbacks = callbacks;
  }

  find(id: string): WalletPayment | undefined {
    return this.#byId.get(id);
  }

  findByMoneyId(moneyId: string): WalletPayment | undefined {
    return this.#byMoneyId.get(moneyId);
  }

  /** Starts a payment for a number that has a wallet; decides at once what needs no approval. */
  start(request: NewWalletPayment, options: StartOptions): WalletPayment {
    const payment: WalletPayment = {
      ...request,
      moneyId: newMoneyId(),
      refunded: false,
      changedAt: Date.now(),
      ...outcomes.inProcess,
    };
    this.#byId.set(payment.id, payment);
    this.#byMoneyId.set(payment.moneyId, payment);
    const isRefused = options.refused || options.debitAfterMs !== undefined;
    const outcome = isRefused ? 'refused' : this.#decideAtOnce(payment, options.pin);
    if (outcome === 'inProcess') this.#askPayer(payment);
    else if (outcome === 'paid') this.#take(payment);
    else Object.assign(payment, outcomes[outcome]);
    if (options.debitAfterMs !== undefined) this.#timers.later(options.debitAfterMs, () => this.#take(payment));
    return payment;
  }

  changedBetween(from: number, to: number): WalletPayment[] {
    return [...this.#byId.values()].filter(({ changedAt }) => changedAt >= from && changedAt < to);
  }

  refund(payment: WalletPayment): 'done' | 'never paid' | 'already refunded' {
    if (payment.status !== 'TS') return 'never paid';
    if (payment.refunded) return 'already refunded';
    payment.refunded = true;
    const account = this.#account(payment);
    if (account) this.#state.wallets.move(account, payment.currency, payment.amount);
    this.#state.books.giveBack('wallet', payment.id, payment.amount, payment.currency, payment.number);
    return 'done';
  }

  reset(): void {
    this.#timers.clear();
    this.#byId.clear();
    this.#byMoneyId.clear();
  }

  #account(payment: WalletPayment) {
    return this.#state.wallets.account('wallet', payment.number);
  }

  #decideAtOnce(payment: WalletPayment, pin: string | undefined): WalletOutcome {
    const account = this.#account(payment);
    if (!account || account.locked) return 'locked';
    if (pin !== undefined) {
      const verdict = this.#state.wallets.checkPin(account, pin);
      if (verdict !== 'right') return verdict === 'wrong' ? 'wrongPin' : 'locked';
    }
    if (this.#state.wallets.balanceIn(account, payment.currency) < payment.amount) return 'insufficient';
    return pin === undefined ? 'inProcess' : 'paid';
  }

  #askPayer(payment: WalletPayment): void {
    this.#state.prompts.ask({
      provider: 'wallet',
      number: payment.number,
      amount: payment.amount,
      currency: payment.currency,
      reference: payment.reference,
      onApproved: () => this.#take(payment),
      onDeclined: () => this.#finish(payment, 'declined'),
      onExpired: () => this.#finish(payment, 'expired'),
    });
  }

  /** Debits at approval; the balance may have been spent since the payment started. */
  #take(payment: WalletPayment): boolean {
    const account = this.#account(payment);
    const { wallets } = this.#state;
    if (!account || wallets.balanceIn(account, payment.currency) < payment.amount) {
      this.#finish(payment, 'insufficient');
      return false;
    }
    wallets.move(account, payment.currency, -payment.amount);
    this.#state.books.take('wallet', payment.id, payment.amount, payment.currency, payment.number);
    this.#finish(payment, 'paid');
    return true;
  }

  #finish(payment: WalletPayment, outcome: WalletOutcome): void {
    Object.assign(payment, outcomes[outcome], { changedAt: Date.now() });
    if (this.#state.line(payment.number)?.losesWalletAnswers) return;
    this.#callbacks.send({
      provider: 'wallet',
      path: '/callbacks/wallet',
      compose: (signature) => composeWalletCallback(payment, signature),
      composeContrary: (signature) => composeWalletCallback(payment, signature, { isContrary: true }),
    });
  }
}

function newMoneyId(): string {
  return `MP${Date.now().toString(36).toUpperCase()}${randomInt(2 ** 40)
    .toString(36)
    .toUpperCase()
    .padStart(8, '0')}`;
}
