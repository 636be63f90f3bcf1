import { randomUUID } from 'node:crypto';
import type { ResultOf } from '@portal/contract/contract.ts';
import { fromWire, isMobile, maskNational } from '@portal/domain/msisdn.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import {
  moneyState,
  moneyTimeline,
  nextPollSeconds,
  shownOnStatusPage,
  shownStatus,
  type WaitingFor,
} from '@portal/domain/payment/shown.ts';
import { isFinal } from '@portal/domain/payment/transitions.ts';
import type { TransactionType } from '@portal/domain/transaction-types.ts';
import type { PaymentGateway } from '../connectors/ports.ts';
import type { Texts } from '../content/content.service.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Handler, Handlers } from '../http/register-calls.ts';
import type { Lines } from '../lines/lines.service.ts';
import { paymentIdPattern } from './payment-id.ts';
import { quoteFor } from './payments.quote.ts';
import type { Payments } from './payments.service.ts';
import type { Change, Payment } from './payments.store.ts';

export interface PaymentRoutes {
  payments: Payments;
  lines: Lines;
  pack: OperatorPack;
  gateways: ReadonlyMap<string, PaymentGateway>;
  texts: Texts;
  now: () => Date;
}

export function paymentHandlers({ payments, lines, pack, gateways, texts, now }: PaymentRoutes): Handlers {
  const methods = pack.methods.filter((method) => gateways.has(method.gateway));
  const waitingFor = (payment: Payment): WaitingFor => gateways.get(payment.gateway)?.waitingFor ?? 'payer';

  const options = async (): Promise<ResultOf<'paymentOptions'>> => ({
    paymentOption: methods
      .map(({ name, type, mode }) => ({ name, type, paymentMode: mode, paymentGateway: mode }))
      .sort((left, right) => left.name.localeCompare(right.name)),
  });

  async function found(id: string) {
    const record = paymentIdPattern.test(id) ? await payments.find(id) : undefined;
    if (!record) throw new PortalError('notFound', 'We do not know this payment.');
    return record;
  }

  function statusOf(record: { payment: Payment; changes: Change[] }, language: string): ResultOf<'transactionStatus'> {
    const { payment, changes } = record;
    const status = shownStatus(payment.state, waitingFor(payment));
    const masked = maskNational(fromWire(payment.msisdn), pack.numbering.groups);
    const age = (now().getTime() - payment.created_at.getTime()) / 1000;
    return {
      status,
      transactionStatus: status,
      transactionId: payment.id,
      transactionType: payment.transaction_type as TransactionType,
      paymentMode: payment.payment_mode,
      paymentGateway: payment.payment_mode,
      mobileNumber: masked,
      msisdn: masked,
      currencyCode: payment.currency,
      amount: payment.amount,
      ...(payment.account_id ? { accountId: payment.account_id } : {}),
      ...(payment.invoice_number ? { invoiceNumber: payment.invoice_number } : {}),
      ...(payment.description ? { bundleDescription: payment.description } : {}),
      ...(payment.reason ? { statusReason: texts.text(language, `reasons.${payment.reason}`) } : {}),
      reference: payment.short_reference,
      moneyState: moneyState(changes),
      timeline: moneyTimeline(changes).map(({ state, at }) => ({ state, at: at.toISOString() })),
      ...refundOf(payment, changes),
      final: isFinal(payment.state),
      ...pollOf(payment, age),
    };
  }

  const initiate: Handler<'initiate'> = async ({ body, headers, language }) => {
    const quote = await quoteFor(body, { pack, methods, lines, language });
    const key = headers['idempotency-key'];
    const attempt = { key: typeof key === 'string' ? key : randomUUID(), body };
    const transactionId = await payments.initiate(quote, attempt);
    return { transactionId, amount: quote.amount, currencyCode: quote.currency };
  };

  const process: Handler<'process'> = async ({ body }) => {
    const msisdn = body.paymentMobile || null;
    if (msisdn && !isMobile(fromWire(msisdn), pack.numbering))
      throw new PortalError('malformed', `Please enter valid ${pack.brand.name} number`, { field: 'paymentMobile' });
    if (!paymentIdPattern.test(body.transactionId)) throw new PortalError('notFound', 'We do not know this payment.');
    const { payment, already, redirectUrl } = await payments.process(body.transactionId, { msisdn });
    return {
      transactionId: payment.id,
      status: already ? 'ALREADY_PROCESSED' : shownStatus(payment.state, waitingFor(payment)),
      next: redirectUrl ? 'redirect' : isFinal(payment.state) ? 'done' : 'await',
      ...(redirectUrl ? { redirectUrl } : {}),
      ...pollOf(payment, 0),
    };
  };

  return {
    paymentOptions: options,
    paymentOptionsByChannel: options,
    initiate,
    process,
    transactionStatus: async ({ query, language }) => statusOf(await found(query.tid), language),
    transactionFetch: async ({ query, language }) => {
      const result = statusOf(await found(query.txnId), language);
      const status = shownOnStatusPage(result.status as ReturnType<typeof shownStatus>);
      return { ...result, status, transactionStatus: status };
    },
  };
}

function pollOf(payment: Payment, age: number): { nextPollSeconds?: number } {
  const seconds = nextPollSeconds(payment.state, age);
  return seconds === null ? {} : { nextPollSeconds: seconds };
}

function refundOf(payment: Payment, changes: Change[]): Pick<ResultOf<'transactionStatus'>, 'refund'> {
  const started = changes.find((change) => change.to === 'REFUND_DUE');
  if (!started) return {};
  const completed = changes.find((change) => change.to === 'REFUNDED');
  const expectedBy = payment.refund_expected_at ?? new Date(started.at.getTime() + 24 * 3_600_000);
  return {
    refund: {
      startedAt: started.at.toISOString(),
      expectedBy: expectedBy.toISOString(),
      ...(completed ? { completedAt: completed.at.toISOString() } : {}),
    },
  };
}
