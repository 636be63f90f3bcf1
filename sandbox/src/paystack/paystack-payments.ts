import { createHmac, randomBytes, randomInt } from 'node:crypto';
import type { SandboxContext } from '../context.ts';
import { Timers } from '../state/timers.ts';

export const paystackSecretKey = 'sk_test_sandbox';

/** Amounts are hundredths, whatever the currency. */
export interface PaystackTransaction {
  id: number;
  reference: string;
  accessCode: string;
  email: string;
  amount: number;
  currency: string;
  callbackUrl: string | undefined;
  /** "abandoned" is what it calls a payment that nobody has finished yet. */
  status: 'abandoned' | 'ongoing' | 'success' | 'failed' | 'reversed';
  gatewayResponse: string;
  /** Of the card that was typed last. */
  fingerprint: string | null;
  createdAt: string;
  paidAt: string | null;
  /** Set by a fault: decline every card, or take one unit too much. */
  declinesAll: boolean;
  takesTooMuch: boolean;
}

export interface PaystackRefund {
  id: number;
  transaction: number;
  amount: number;
  currency: string;
  status: 'pending' | 'processed';
  created_at: string;
}

type NewTransaction = Pick<
  PaystackTransaction,
  'reference' | 'email' | 'amount' | 'currency' | 'callbackUrl' | 'declinesAll' | 'takesTooMuch'
>;

export class PaystackPayments {
  #context: SandboxContext;
  #byReference = new Map<string, PaystackTransaction>();
  #byAccessCode = new Map<string, PaystackTransaction>();
  #refunds: PaystackRefund[] = [];
  #timers = new Timers();

  constructor(context: SandboxContext) {
    this.#context = context;
    context.state.onReset(() => this.#reset());
  }

  initialize(request: NewTransaction): PaystackTransaction {
    const transaction: PaystackTransaction = {
      ...request,
      id: randomInt(1_000_000_000, 2 ** 42),
      accessCode: randomBytes(10).toString('hex').slice(0, 15),
      status: 'abandoned',
      gatewayResponse: 'The transaction was not completed',
      fingerprint: null,
      createdAt: new Date().toISOString(),
      paidAt: null,
    };
    this.#byReference.set(transaction.reference, transaction);
    this.#byAccessCode.set(transaction.accessCode, transaction);
    return transaction;
  }

  find(reference: string): PaystackTransaction | undefined {
    const transaction = this.#byReference.get(reference);
    const isForgotten = Date.now() - Date.parse(transaction?.createdAt ?? '') > this.#context.settings.checkoutExpiryMs;
    if (transaction?.status === 'ongoing' && isForgotten) transaction.status = 'abandoned';
    return transaction;
  }

  findByAccessCode(accessCode: string): PaystackTransaction | undefined {
    return this.#byAccessCode.get(accessCode);
  }

  findByIdOrReference(text: string): PaystackTransaction | undefined {
    const byId = () => [...this.#byReference.values()].find((transaction) => String(transaction.id) === text);
    return this.find(text) ?? byId();
  }

  askForCode(transaction: PaystackTransaction): void {
    transaction.status = 'ongoing';
  }

  decline(transaction: PaystackTransaction): void {
    transaction.status = 'failed';
    transaction.gatewayResponse = 'Declined';
  }

  pay(transaction: PaystackTransaction): void {
    if (transaction.takesTooMuch) transaction.amount += 1;
    transaction.status = 'success';
    transaction.gatewayResponse = 'Approved';
    transaction.paidAt = new Date().toISOString();
    const { reference, amount, currency } = transaction;
    this.#context.state.books.take('paystack', reference, amount, currency, '');
    this.#notify('charge.success', describeTransaction(transaction));
  }

  refunds(transaction: number | undefined): PaystackRefund[] {
    return this.#refunds.filter((refund) => transaction === undefined || refund.transaction === transaction);
  }

  /** Refunds are queued first and done later, as the real ones. */
  refund(transaction: PaystackTransaction, amount: number): PaystackRefund | 'never paid' | 'fully reversed' {
    const given = this.refunds(transaction.id).reduce((sum, refund) => sum + refund.amount, 0);
    if (transaction.paidAt === null) return 'never paid';
    if (given + amount > transaction.amount) return 'fully reversed';
    const refund: PaystackRefund = {
      id: randomInt(1_000_000, 2 ** 40),
      transaction: transaction.id,
      amount,
      currency: transaction.currency,
      status: 'pending',
      created_at: new Date().toISOString(),
    };
    this.#refunds.push(refund);
    this.#timers.later(this.#context.settings.cardRefundMs, () => this.#processRefund(transaction, refund));
    return refund;
  }

  #processRefund(transaction: PaystackTransaction, refund: PaystackRefund): void {
    refund.status = 'processed';
    const { reference, currency } = transaction;
    this.#context.state.books.giveBack('paystack', reference, refund.amount, currency, '');
    const processed = this.refunds(transaction.id).filter(({ status }) => status === 'processed');
    if (processed.reduce((sum, one) => sum + one.amount, 0) >= transaction.amount) transaction.status = 'reversed';
    this.#notify('refund.processed', { ...refund, transaction_reference: reference });
  }

  #notify(event: string, data: object): void {
    this.#context.callbacks.send({
      provider: 'paystack',
      path: '/callbacks/paystack',
      compose: (signature) => {
        const body = JSON.stringify({ event, data });
        const key = signature === 'genuine' ? paystackSecretKey : 'a key that only a forger has';
        return { body, headers: { 'x-paystack-signature': createHmac('sha512', key).update(body).digest('hex') } };
      },
    });
  }

  #reset(): void {
    this.#timers.clear();
    this.#byReference.clear();
    this.#byAccessCode.clear();
    this.#refunds = [];
  }
}

export function describeTransaction(transaction: PaystackTransaction) {
  return {
    id: transaction.id,
    domain: 'test',
    status: transaction.status,
    reference: transaction.reference,
    amount: transaction.amount,
    requested_amount: transaction.amount,
    currency: transaction.currency,
    channel: 'card',
    gateway_response: transaction.gatewayResponse,
    paid_at: transaction.paidAt,
    created_at: transaction.createdAt,
    fees: null,
    authorization: transaction.fingerprint
      ? { channel: 'card', reusable: true, signature: `SIG_${transaction.fingerprint}` }
      : null,
    customer: { email: transaction.email },
  };
}
