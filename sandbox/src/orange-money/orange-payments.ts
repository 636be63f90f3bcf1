import { randomBytes, randomInt } from 'node:crypto';
import type { SandboxContext } from '../context.ts';

type OrangeStatus = 'INITIATED' | 'PENDING' | 'EXPIRED' | 'SUCCESS' | 'FAILED';

export interface OrangePayment {
  orderId: string;
  payToken: string;
  notifToken: string;
  amount: number;
  returnUrl: string;
  cancelUrl: string;
  notifUrl: string;
  status: OrangeStatus;
  txnid: string | null;
  number: string | null;
  codesLeft: number;
  expiresAt: number;
  refunded: boolean;
  /** Set by a fault: the payment fails when it is confirmed. */
  declinesAll: boolean;
}

export type NewOrangePayment = Pick<
  OrangePayment,
  'orderId' | 'amount' | 'returnUrl' | 'cancelUrl' | 'notifUrl' | 'declinesAll'
>;

export const rightCode = '1234';
const codeTries = 3;
/** The provider's test environment has a currency of its own; the books hold the real one. */
const bookedCurrency = 'MGA';

export class OrangePayments {
  #context: SandboxContext;
  #byOrder = new Map<string, OrangePayment>();
  #byToken = new Map<string, OrangePayment>();

  constructor(context: SandboxContext) {
    this.#context = context;
    context.state.onReset(() => {
      this.#byOrder.clear();
      this.#byToken.clear();
    });
  }

  start(request: NewOrangePayment): OrangePayment {
    const payment: OrangePayment = {
      ...request,
      payToken: randomBytes(24).toString('hex'),
      notifToken: randomBytes(16).toString('hex'),
      status: 'INITIATED',
      txnid: null,
      number: null,
      codesLeft: codeTries,
      expiresAt: Date.now() + this.#context.settings.checkoutExpiryMs,
      refunded: false,
    };
    this.#byOrder.set(payment.orderId, payment);
    this.#byToken.set(payment.payToken, payment);
    return payment;
  }

  lineOf(typed: string): string | undefined {
    return this.#context.numbers.line(typed);
  }

  isKnown(orderId: string): boolean {
    return this.#byOrder.has(orderId);
  }

  find(payToken: string): OrangePayment | undefined {
    const payment = this.#byToken.get(payToken);
    if (payment && isOpen(payment) && payment.expiresAt <= Date.now()) payment.status = 'EXPIRED';
    return payment;
  }

  /** Sets the paying number, or returns why it cannot pay. */
  choose(payment: OrangePayment, number: string | undefined): string | undefined {
    if (number === undefined || !this.#context.state.wallets.account('orange', number)) {
      return 'This number has no Orange Money account.';
    }
    payment.number = number;
    payment.status = 'PENDING';
    return undefined;
  }

  confirm(payment: OrangePayment, code: string): 'ended' | 'wrong code' {
    const { wallets, books } = this.#context.state;
    const account = payment.number === null ? undefined : wallets.account('orange', payment.number);
    if (!account || payment.number === null || account.locked || payment.declinesAll)
      return this.#end(payment, 'FAILED');
    if (code !== rightCode) {
      payment.codesLeft -= 1;
      return payment.codesLeft > 0 ? 'wrong code' : this.#end(payment, 'FAILED');
    }
    if (account.balance < payment.amount) return this.#end(payment, 'FAILED');
    account.balance -= payment.amount;
    payment.txnid = newTransactionNumber();
    books.take('orange', payment.orderId, payment.amount, bookedCurrency, payment.number);
    return this.#end(payment, 'SUCCESS');
  }

  refund(payment: OrangePayment): 'SUCCESS' | 'ALREADY_REFUNDED' {
    if (payment.refunded) return 'ALREADY_REFUNDED';
    payment.refunded = true;
    const { wallets, books } = this.#context.state;
    const number = payment.number ?? '';
    const account = wallets.account('orange', number);
    if (account) account.balance += payment.amount;
    books.giveBack('orange', payment.orderId, payment.amount, bookedCurrency, number);
    return 'SUCCESS';
  }

  #end(payment: OrangePayment, status: 'SUCCESS' | 'FAILED'): 'ended' {
    payment.status = status;
    const { pathname } = new URL(payment.notifUrl);
    const notice = (told: OrangeStatus) => (signature: 'genuine' | 'forged') => ({
      body: JSON.stringify({
        status: told,
        notif_token: payment.notifToken,
        txnid: payment.txnid ?? '',
      }),
      headers: {},
      // The last path segment of the callback URL is its secret; a forger can only guess it.
      path: signature === 'genuine' ? pathname : pathname.replace(/[^/]*$/, 'guessed'),
    });
    this.#context.callbacks.send({
      provider: 'orange',
      path: pathname,
      compose: notice(status),
      composeContrary: notice(status === 'SUCCESS' ? 'FAILED' : 'SUCCESS'),
    });
    return 'ended';
  }
}

export function isOpen(payment: OrangePayment): boolean {
  return payment.status === 'INITIATED' || payment.status === 'PENDING';
}

function newTransactionNumber(): string {
  const day = new Date().toISOString().slice(2, 10).replaceAll('-', '');
  const part = () => String(randomInt(10_000)).padStart(4, '0');
  return `MP${day}.${part()}.A${part()}${part()}`;
}
