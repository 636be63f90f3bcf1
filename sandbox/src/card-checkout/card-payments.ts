import { randomBytes, randomInt } from 'node:crypto';
import type { Callback } from '../callbacks/callback-sender.ts';
import type { SandboxContext } from '../context.ts';
import { digitsOf, minorFrom } from '../wire/money.ts';

const cardWebhookSecret = 'sandbox-card-webhook-secret';

/** A checkout that can be paid once; failed attempts stay in its history. */
export interface CardCheckout {
  token: string;
  reference: string;
  amount: string;
  currency: string;
  redirectUrl: string;
  email: string;
  phone: string;
  title: string;
  closesAt: number;
  attemptsLeft: number;
  /** Set by a fault: decline every card, or take one unit too much. */
  declinesAll: boolean;
  takesTooMuch: boolean;
}

export interface CardTransaction {
  id: number;
  reference: string;
  status: 'pending' | 'successful' | 'failed';
  amount: string;
  currency: string;
  phone: string;
  createdAt: string;
}

export interface CardRefund {
  id: number;
  tx_id: number;
  amount_refunded: number;
  status: 'completed';
  created_at: string;
}

export class CardPayments {
  #context: SandboxContext;
  #byToken = new Map<string, CardCheckout>();
  #byReference = new Map<string, CardCheckout>();
  #transactions = new Map<number, CardTransaction>();
  #attempts = new Map<string, CardTransaction[]>();
  #refunds: CardRefund[] = [];

  constructor(context: SandboxContext) {
    this.#context = context;
    context.state.onReset(() => this.#reset());
  }

  open(request: Omit<CardCheckout, 'token'>): CardCheckout {
    const checkout = { ...request, token: randomBytes(16).toString('hex') };
    this.#byToken.set(checkout.token, checkout);
    this.#byReference.set(checkout.reference, checkout);
    return checkout;
  }

  checkout(token: string): CardCheckout | undefined {
    return this.#byToken.get(token);
  }

  isKnown(reference: string): boolean {
    return this.#byReference.has(reference);
  }

  isOpen(checkout: CardCheckout): boolean {
    const isPaid = this.attempts(checkout.reference).some((attempt) => attempt.status === 'successful');
    return !isPaid && checkout.attemptsLeft > 0 && checkout.closesAt > Date.now();
  }

  /** An attempt still waiting for its code when the checkout expires has failed. */
  attempts(reference: string): CardTransaction[] {
    const attempts = this.#attempts.get(reference) ?? [];
    const isClosed = (this.#byReference.get(reference)?.closesAt ?? 0) <= Date.now();
    if (isClosed) for (const attempt of attempts) if (attempt.status === 'pending') attempt.status = 'failed';
    return attempts;
  }

  transaction(id: number): CardTransaction | undefined {
    return this.#transactions.get(id);
  }

  begin(checkout: CardCheckout): CardTransaction {
    const attempt: CardTransaction = {
      id: randomInt(10_000_000, 2 ** 40),
      reference: checkout.reference,
      status: 'pending',
      amount: checkout.takesTooMuch ? String(Number(checkout.amount) + 1) : checkout.amount,
      currency: checkout.currency,
      phone: checkout.phone,
      createdAt: new Date().toISOString(),
    };
    this.#transactions.set(attempt.id, attempt);
    this.#attempts.set(checkout.reference, [...this.attempts(checkout.reference), attempt]);
    return attempt;
  }

  finish(checkout: CardCheckout, attempt: CardTransaction, status: 'successful' | 'failed'): void {
    attempt.status = status;
    checkout.attemptsLeft -= 1;
    if (status === 'successful') {
      const { reference, amount, currency, phone } = attempt;
      this.#context.state.books.take('card', reference, this.#smallestUnits(amount, currency), currency, phone);
    }
    this.#context.callbacks.send(webhook(attempt));
  }

  refunds(transactionId: number | undefined): CardRefund[] {
    return this.#refunds.filter((refund) => transactionId === undefined || refund.tx_id === transactionId);
  }

  refund(attempt: CardTransaction, amount: string): CardRefund | 'never paid' | 'more than was paid' {
    if (attempt.status !== 'successful') return 'never paid';
    const given = this.refunds(attempt.id).reduce((sum, refund) => sum + refund.amount_refunded, 0);
    if (!(Number(amount) > 0) || given + Number(amount) > Number(attempt.amount)) return 'more than was paid';
    const refund: CardRefund = {
      id: randomInt(10_000_000, 2 ** 40),
      tx_id: attempt.id,
      amount_refunded: Number(amount),
      status: 'completed',
      created_at: new Date().toISOString(),
    };
    this.#refunds.push(refund);
    const { reference, currency, phone } = attempt;
    this.#context.state.books.giveBack('card', reference, this.#smallestUnits(amount, currency), currency, phone);
    return refund;
  }

  /** The books use the operator's smallest unit; a currency it does not know has two decimals. */
  #smallestUnits(amount: string, currency: string): number {
    return minorFrom(amount, digitsOf(this.#context.settings, currency) ?? 2) ?? 0;
  }

  #reset(): void {
    for (const records of [this.#byToken, this.#byReference, this.#transactions, this.#attempts]) records.clear();
    this.#refunds = [];
  }
}

function webhook(attempt: CardTransaction): Callback {
  const compose = (status: CardTransaction['status']) => (signature: 'genuine' | 'forged') => ({
    body: JSON.stringify({
      event: 'charge.completed',
      data: { ...describeTransaction(attempt), status },
    }),
    headers: { 'verif-hash': signature === 'genuine' ? cardWebhookSecret : 'a secret that only a forger has' },
  });
  const contrary = attempt.status === 'successful' ? 'failed' : 'successful';
  return {
    provider: 'card',
    path: '/callbacks/card',
    compose: compose(attempt.status),
    composeContrary: compose(contrary),
  };
}

export function describeTransaction(attempt: CardTransaction) {
  const amount = Number(attempt.amount);
  return {
    id: attempt.id,
    tx_ref: attempt.reference,
    flw_ref: `SANDBOX-${attempt.id}`,
    amount,
    charged_amount: amount,
    app_fee: 0,
    currency: attempt.currency,
    status: attempt.status,
    payment_type: 'card',
    created_at: attempt.createdAt,
  };
}
