import { randomInt, randomUUID } from 'node:crypto';
import type { CallbackSender } from '../callbacks/callback-sender.ts';
import type { SandboxState } from '../state/sandbox-state.ts';
import { Timers } from '../state/timers.ts';
import { composeStkCallback } from './mpesa-callbacks.ts';
import type { MpesaPayment, MpesaResult } from './mpesa-payment.ts';

export type NewMpesaPayment = Pick<MpesaPayment, 'number' | 'amount' | 'accountReference' | 'callbackPath'>;

const currency = 'MGA';

const results = {
  paid: { code: 0, description: 'The service request is processed successfully.' },
  insufficient: { code: 1, description: 'The balance is insufficient for the transaction.' },
  busy: { code: 1001, description: 'Unable to lock subscriber, a transaction is already in process.' },
  expired: { code: 1037, description: 'DS timeout user cannot be reached.' },
  cancelled: { code: 1032, description: 'Request cancelled by user.' },
  wrongPin: { code: 2001, description: 'The initiator information is invalid.' },
  locked: { code: 8006, description: 'The security credential is locked.' },
} as const satisfies Record<string, MpesaResult>;

type Outcome = keyof typeof results;

export class MpesaPayments {
  #state: SandboxState;
  #callbacks: CallbackSender;
  #byCheckoutId = new Map<string, MpesaPayment>();
  #byReceipt = new Map<string, MpesaPayment>();
  #askedNumbers = new Set<string>();
  #timers = new Timers();

  constructor(state: SandboxState, callbacks: CallbackSender) {
    this.#state = state;
    this.#callbacks = callbacks;
  }

  find(checkoutRequestId: string): MpesaPayment | undefined {
    return this.#byCheckoutId.get(checkoutRequestId);
  }

  findByReceipt(receipt: string): MpesaPayment | undefined {
    return this.#byReceipt.get(receipt);
  }

  all(): MpesaPayment[] {
    return [...this.#byCheckoutId.values()];
  }

  /** Accepts every push; why it fails is in its result, like the real one. */
  start(request: NewMpesaPayment, options: { debitAfterMs?: number } = {}): MpesaPayment {
    const payment: MpesaPayment = {
      ...request,
      checkoutRequestId: `ws_CO_${Date.now()}${randomInt(10 ** 8)}${request.number}`,
      merchantRequestId: randomUUID(),
      result: null,
      receipt: null,
      takenAt: null,
      reversal: null,
    };
    this.#byCheckoutId.set(payment.checkoutRequestId, payment);
    if (this.#askedNumbers.has(payment.number)) this.#finish(payment, 'busy');
    else if (options.debitAfterMs !== undefined) {
      this.#finish(payment, 'cancelled');
      this.#timers.later(options.debitAfterMs, () => this.#take(payment));
    } else if (this.#account(payment)?.locked) this.#finish(payment, 'locked');
    else this.#askPayer(payment);
    return payment;
  }

  reverse(payment: MpesaPayment): 'done' | 'already reversed' {
    if (payment.reversal) return 'already reversed';
    payment.reversal = { receipt: newReceipt(), at: Date.now() };
    const account = this.#account(payment);
    if (account) account.balance += payment.amount;
    this.#state.books.giveBack('mpesa', bookKey(payment), payment.amount, currency, payment.number);
    return 'done';
  }

  reset(): void {
    this.#timers.clear();
    this.#byCheckoutId.clear();
    this.#byReceipt.clear();
    this.#askedNumbers.clear();
  }

  #account(payment: MpesaPayment) {
    return this.#state.wallets.account('mpesa', payment.number);
  }

  #askPayer(payment: MpesaPayment): void {
    const answered = (outcome: Outcome) => {
      this.#askedNumbers.delete(payment.number);
      this.#finish(payment, outcome);
    };
    this.#askedNumbers.add(payment.number);
    this.#state.prompts.ask({
      provider: 'mpesa',
      number: payment.number,
      amount: payment.amount,
      currency,
      reference: payment.accountReference,
      onApproved: () => {
        this.#askedNumbers.delete(payment.number);
        return this.#take(payment);
      },
      onDeclined: () => answered('cancelled'),
      onExpired: () => answered('expired'),
      onWrongPin: (verdict) => answered(verdict === 'wrong' ? 'wrongPin' : 'locked'),
    });
  }

  #take(payment: MpesaPayment): boolean {
    const account = this.#account(payment);
    if (!account || account.balance < payment.amount) {
      this.#finish(payment, 'insufficient');
      return false;
    }
    account.balance -= payment.amount;
    payment.receipt = newReceipt();
    payment.takenAt = Date.now();
    this.#byReceipt.set(payment.receipt, payment);
    this.#state.books.take('mpesa', bookKey(payment), payment.amount, currency, payment.number);
    this.#finish(payment, 'paid');
    return true;
  }

  #finish(payment: MpesaPayment, outcome: Outcome): void {
    payment.result = results[outcome];
    if (this.#state.line(payment.number)?.losesWalletAnswers) return;
    const contrary = outcome === 'paid' ? results.cancelled : results.paid;
    this.#callbacks.send({
      provider: 'mpesa',
      path: payment.callbackPath,
      compose: () => composeStkCallback(payment, results[outcome]),
      composeContrary: () => composeStkCallback(payment, contrary),
    });
  }
}

/** The portal's own id is in the callback URL; the wire format has no other field for it. */
function bookKey(payment: MpesaPayment): string {
  return /\/([A-Za-z0-9]+)\/[0-9a-f]{32}$/.exec(payment.callbackPath)?.[1] ?? payment.accountReference;
}

function newReceipt(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
  return `S${Array.from({ length: 9 }, () => letters[randomInt(letters.length)]).join('')}`;
}
