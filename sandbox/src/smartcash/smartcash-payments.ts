import { randomInt } from 'node:crypto';
import type { CallbackSender } from '../callbacks/callback-sender.ts';
import type { SandboxState } from '../state/sandbox-state.ts';
import { Timers } from '../state/timers.ts';
import { codes } from './smartcash-codes.ts';

export interface SmartcashPayment {
  reference: string;
  transactionId: string;
  number: string;
  amount: number;
  currency: string;
  code: string;
}

export type NewSmartcashPayment = Omit<SmartcashPayment, 'code' | 'transactionId'>;

export interface StartOptions {
  pin: string;
  refused: boolean;
  debitAfterMs: number | undefined;
}

/** Payments by PIN: no prompt, so the result is final at once, except for the line that never answers. */
export class SmartcashPayments {
  #state: SandboxState;
  #callbacks: CallbackSender;
  #expiryMs: number;
  #byReference = new Map<string, SmartcashPayment>();
  #timers = new Timers();

  constructor(state: SandboxState, callbacks: CallbackSender, expiryMs: number) {
    this.#state = state;
    this.#callbacks = callbacks;
    this.#expiryMs = expiryMs;
  }

  find(reference: string): SmartcashPayment | undefined {
    return this.#byReference.get(reference);
  }

  start(request: NewSmartcashPayment, options: StartOptions): SmartcashPayment {
    const transactionId = `SC${Date.now().toString(36).toUpperCase()}${randomInt(10 ** 9)}`;
    const payment: SmartcashPayment = { ...request, transactionId, code: codes.pending };
    this.#byReference.set(payment.reference, payment);
    payment.code = this.#decide(payment, options);
    if (payment.code === codes.paid) this.#take(payment);
    if (payment.code === codes.pending) this.#timers.later(this.#expiryMs, () => this.#finish(payment, codes.expired));
    const { debitAfterMs } = options;
    if (debitAfterMs !== undefined) this.#timers.later(debitAfterMs, () => this.#take(payment));
    return payment;
  }

  refund(payment: SmartcashPayment): boolean {
    if (payment.code === codes.refunded) return true;
    if (payment.code !== codes.paid) return false;
    payment.code = codes.refunded;
    const account = this.#account(payment);
    if (account) account.balance += payment.amount;
    this.#state.books.giveBack('smartcash', payment.reference, payment.amount, payment.currency, payment.number);
    return true;
  }

  reset(): void {
    this.#timers.clear();
    this.#byReference.clear();
  }

  #account(payment: SmartcashPayment) {
    return this.#state.wallets.account('smartcash', payment.number);
  }

  #decide(payment: SmartcashPayment, options: StartOptions): string {
    const account = this.#account(payment);
    const behaviour = this.#state.line(payment.number)?.push;
    if (!account || account.locked) return codes.locked;
    const verdict = this.#state.wallets.checkPin(account, options.pin);
    if (verdict !== 'right') return verdict === 'wrong' ? codes.wrongPin : codes.locked;
    if (options.refused || options.debitAfterMs !== undefined || behaviour === 'declines') return codes.declined;
    if (account.balance < payment.amount) return codes.insufficientFunds;
    return behaviour === 'silent' ? codes.pending : codes.paid;
  }

  #take(payment: SmartcashPayment): void {
    const account = this.#account(payment);
    if (!account || account.balance < payment.amount) return;
    account.balance -= payment.amount;
    this.#state.books.take('smartcash', payment.reference, payment.amount, payment.currency, payment.number);
    this.#finish(payment, codes.paid);
  }

  #finish(payment: SmartcashPayment, code: string): void {
    payment.code = code;
    if (this.#state.line(payment.number)?.losesWalletAnswers) return;
    const { reference, transactionId } = payment;
    const compose = (said: string) => () => ({
      body: JSON.stringify({ reference, transactionId, code: said }),
      headers: {},
    });
    this.#callbacks.send({
      provider: 'smartcash',
      path: '/callbacks/smartcash',
      compose: compose(code),
      composeContrary: compose(code === codes.paid ? codes.declined : codes.paid),
    });
  }
}
