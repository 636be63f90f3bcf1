import { randomUUID } from 'node:crypto';
import type { SandboxContext } from '../context.ts';
import { asRecord, asText } from '../wire/json-fields.ts';
import { invalid, TmfError } from '../wire/tmf-error.ts';
import { moneyOnWire } from './billing-wire.ts';

/** Payments by the caller's correlator. Not idempotent: a repeated payment is a second payment. */
export class BillPayments {
  readonly #context: SandboxContext;
  #byCorrelator = new Map<string, object[]>();

  constructor(context: SandboxContext) {
    this.#context = context;
  }

  find(correlatorId: string): object[] {
    return this.#byCorrelator.get(correlatorId) ?? [];
  }

  take(payload: unknown, refused: boolean): object {
    const { state, numbers, settings } = this.#context;
    const { currency, currencyDigits } = settings;
    const body = asRecord(payload);
    const correlatorId = asText(body.correlatorId);
    if (correlatorId === undefined) throw invalid('correlatorId is missing.');
    const amount = readAmount(body.amount, currency);
    const accountNo = asText(asRecord(body.account).id);
    if (accountNo === undefined) throw invalid('account.id is missing.');
    const account = state.accounts.account(accountNo);
    if (!account) throw new TmfError(404, '60', 'not found', 'There is no such account.');
    if (refused) throw new TmfError(422, '60300', 'payment refused', 'The payment was refused.');
    const items = Array.isArray(body.paymentItem) ? body.paymentItem : [];
    if (items.length > 1) throw invalid('A payment is for one bill, or for the account.');
    const billNo = items.length === 1 ? (asText(asRecord(asRecord(items[0]).item).id) ?? '') : undefined;
    const outcome = state.accounts.pay(account, billNo, amount);
    if (outcome === 'no such bill') throw new TmfError(404, '60', 'not found', 'The account has no such bill.');
    if (outcome === 'already settled') {
      throw new TmfError(422, '60211', 'already settled', 'The bill is already settled.');
    }
    const payer = numbers.lineFromNational(asText(asRecord(body.payer).id) ?? '');
    state.books.deliver(correlatorId, (amount * 10 ** currencyDigits) / 100, payer ?? account.contact ?? '');
    const payment = {
      id: randomUUID(),
      '@type': 'Payment',
      correlatorId,
      status: 'done',
      amount: moneyOnWire(amount, currency),
      account: { id: accountNo },
      paymentItem: items,
      payer: body.payer,
      paymentDate: new Date().toISOString(),
    };
    this.#byCorrelator.set(correlatorId, [payment, ...this.find(correlatorId)]);
    return payment;
  }

  reset(): void {
    this.#byCorrelator.clear();
  }
}

function readAmount(value: unknown, currency: string): number {
  const { unit, value: stated } = asRecord(value);
  if (unit !== currency) throw invalid(`amount.unit must be ${currency}.`);
  const hundredths = typeof stated === 'number' ? Math.round(stated * 100) : Number.NaN;
  if (!Number.isSafeInteger(hundredths) || hundredths <= 0 || hundredths / 100 !== stated) {
    throw invalid('amount.value must be above 0, with at most two decimals.');
  }
  return hundredths;
}
