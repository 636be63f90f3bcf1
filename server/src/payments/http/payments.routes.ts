import { randomUUID } from 'node:crypto';
import type { ParsedBodyOf, ResultOf } from '@portal/contract/contract.ts';
import { keepsOnlyWallet } from '@portal/domain/exchange.ts';
import type { WireNumber } from '@portal/domain/msisdn.ts';
import type { OperatorPack, PaymentMethod } from '@portal/domain/operator.ts';
import { shownOnStatusPage, shownStatus, type WaitingFor } from '@portal/domain/payment/shown.ts';
import { isFinal } from '@portal/domain/payment/transitions.ts';
import type { Bills } from '../../bills/bills.service.ts';
import type { Budgets } from '../../budgets/budgets.service.ts';
import type { Bundles } from '../../bundles/bundles.service.ts';
import type { PaymentGateway } from '../../connectors/ports.ts';
import type { Texts } from '../../content/content.service.ts';
import type { Exchange } from '../../exchange/exchange.service.ts';
import { PortalError } from '../../http/portal-error.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import type { Handler, Handlers } from '../../http/register-calls.ts';
import type { Visits } from '../../http/visits.ts';
import type { Leads } from '../../leads/leads.service.ts';
import type { Lines } from '../../lines/lines.service.ts';
import { isProved, type Otp, type Proved } from '../../otp/otp.service.ts';
import type { Pins } from '../../pins/pins.service.ts';
import type { Ways } from '../../ways/ways.service.ts';
import { paymentIdPattern, referencePattern } from '../core/payment-id.ts';
import { walletOf } from '../core/payments.guards.ts';
import {
  gatewayName,
  type Initiation,
  methodFor,
  nameOf,
  orderDigestOf,
  proofNeeded,
  type Quote,
  quoteFor,
  withWorksMode,
} from '../core/payments.quote.ts';
import type { Payment } from '../core/payments.store.ts';
import type { Attempt, Order, Payments } from '../payments.service.ts';
import { pollOf, type StatusContext, statusResult } from './payments.status.ts';

export interface PaymentRoutes {
  payments: Payments;
  lines: Lines;
  bundles: Bundles;
  bills: Bills;
  leads: Pick<Leads, 'payable'>;
  exchange: Exchange;
  otp: Otp;
  pins: Pins;
  budgets: Pick<Budgets, 'networks'>;
  limits: Pick<RateLimits, 'take'>;
  ways: Ways;
  pack: OperatorPack;
  methods: readonly PaymentMethod[];
  gateways: ReadonlyMap<string, PaymentGateway>;
  texts: Texts;
  visits: Visits;
  statusUrl: (id: string, language: string) => string;
  now: () => Date;
}

/** Three calls take the same body; what they differ in is the proof they carry. */
type Initiate = { body: ParsedBodyOf<'initiate'>; headers: Record<string, unknown>; ip: string; language: string };
type Process = { body: ParsedBodyOf<'process'>; headers: Record<string, unknown>; ip: string; language: string };
type StatusRequest = { headers: Record<string, unknown>; language: string };
type OptionsRequest = {
  query: { pg?: string | undefined };
  body: ParsedBodyOf<'paymentOptions'>;
  language: string;
};

export function paymentHandlers(routes: PaymentRoutes): Handlers {
  const { payments, pack, gateways, otp, pins, texts, now } = routes;
  const { announcements } = routes.ways;
  const methods = withWorksMode(routes.methods);
  const waitingFor = (payment: Payment): WaitingFor => gateways.get(payment.gateway)?.waitingFor ?? 'payer';
  const contextOf = (payment: Payment, { language, headers }: StatusRequest): StatusContext => {
    const gateway = gateways.get(payment.gateway) ?? {};
    const { tokenOf: invoiceTokenOf } = routes.bills;
    const visit = routes.visits.ofBrowser(headers);
    const isOwn = visit !== null && visit === payment.visit;
    return { pack, texts, language, now: now(), waitingFor: waitingFor(payment), gateway, invoiceTokenOf, isOwn };
  };
  const unknownPayment = () => new PortalError('paymentUnknown');
  const notVerified = () => new PortalError('notVerified');

  const options = async ({ query, body, language }: OptionsRequest): Promise<ResultOf<'paymentOptions'>> => {
    const wanted = query.pg?.toUpperCase();
    await announcements.refuseMaintenance(language);
    const [reports, closed] = await Promise.all([routes.ways.reports(), announcements.closedWays(language)]);
    const offered = routes.methods
      .filter((method) => method.type !== 'PG' || !wanted || gatewayName(method) === wanted)
      .filter((method) => method.type === 'AM' || !keepsOnlyWallet(body.amount, pack));
    const told = offered.flatMap(({ gateway, name }) => {
      const text = closed.get(gateway);
      return text ? [{ name, text }] : [];
    });
    return {
      ...(told.length > 0 ? { closed: told } : {}),
      paymentOption: offered
        .filter(({ gateway }) => !closed.has(gateway))
        .map((method) => ({
          name: method.name,
          type: method.type,
          paymentMode: method.mode,
          paymentGateway: gatewayName(method),
          health: reports.get(method.gateway)?.health ?? 'noRecentData',
        }))
        .sort((left, right) => left.name.localeCompare(right.name)),
    };
  };

  async function found(id: string) {
    const record = paymentIdPattern.test(id) ? await payments.find(id) : undefined;
    if (!record) throw unknownPayment();
    return record;
  }

  async function refuseLocked(method: PaymentMethod, msisdn: string): Promise<void> {
    if ((await pins.triesLeft(walletOf(method.gateway, msisdn))) === 0) throw locked(method);
  }

  function locked({ type }: PaymentMethod): PortalError {
    const wallet = type === 'AM' ? `${pack.brand.name} Money` : 'Smart Cash';
    return new PortalError('walletLocked', { attemptsLeft: 0 }, { wallet });
  }

  async function initiate(request: Initiate, options: { mayToken: boolean }): Promise<ResultOf<'initiate'>> {
    const method = methodFor(request.body, methods);
    const needed = proofNeeded(method, pack);
    const sealed = request.body.paymentMobile ?? '';
    const body = { ...request.body, paymentMobile: isClear(sealed) ? sealed : await pins.openNumber(sealed) };
    const visit = routes.visits.of(request);
    const given = request.headers['idempotency-key'];
    // What is sealed is sealed anew each time it is given; the sum and the invoice that it stands for are in the body.
    const same = { ...body, exchangeQuote: undefined, invoiceToken: undefined };
    // A key is the visit's own: who learns another's gets nothing by it.
    const attempt = { key: `${visit}:${typeof given === 'string' ? given : randomUUID()}`, body: same };
    const order = await place({ ...request, body }, { method, needed, visit, attempt, ...options }).catch(
      async (error: unknown) => {
        // What this attempt was answered stands, whatever the price, the invoice or the proof have become since.
        const earlier = error instanceof PortalError ? await payments.findOrder(attempt) : undefined;
        if (!earlier) throw error;
        return earlier;
      },
    );
    return {
      transactionId: order.id,
      amount: order.amount,
      currencyCode: order.currency,
      encryptionKeyDetails: needed === 'token' ? await pins.challenge(order.id) : await pins.publicKey(),
    };
  }

  async function place(
    request: Omit<Initiate, 'body'> & { body: Initiation },
    how: {
      method: PaymentMethod;
      needed: ReturnType<typeof proofNeeded>;
      visit: string;
      attempt: Attempt;
      mayToken: boolean;
    },
  ): Promise<Order> {
    const { body, headers, language } = request;
    const { method, needed, visit, attempt } = how;
    await announcements.refuseClosed(method, language);
    const order = await quoteFor(body, { ...routes, method, language, visit });
    const token = needed === 'token' && how.mayToken ? otp.openToken(headers.authorization) : null;
    const quote: Quote = {
      ...order,
      payerProof: needed === 'none' ? null : needed,
      proofDigest: token?.proofDigest ?? null,
      orderDigest: body.orderId ? orderDigestOf(order, body.orderId) : null,
    };
    if (needed === 'token') {
      if (!token || !isProved(token, provedBy(quote))) throw notVerified();
      await refuseLocked(method, quote.payerMsisdn ?? '');
    }
    await payments.refuseOrderPaid(quote);
    if (!body.confirmRepeat) {
      const earlier = await payments.findRepeat(quote, attempt.key);
      if (earlier)
        throw new PortalError('paidRecently', {
          earlierTransactionId: earlier,
        });
    }
    const wait = await routes.limits.take('order', request.ip);
    if (wait !== null)
      throw new PortalError('tooManyThisMinute', {
        retryAfterSeconds: wait,
      });
    // Before anything is stored: an order that is there is answered.
    await pins.publicKey();
    return payments.initiate(
      quote,
      attempt,
      needed === 'code'
        ? (transaction) => otp.spendProof(transaction, body.uniqueCode ?? '', provedBy(quote), attempt.key)
        : undefined,
    );
  }

  /** All that a proof must say to make this payment. */
  const provedBy = (quote: Quote): Proved => ({
    purpose: quote.paymentMode,
    subject: quote.payerMsisdn ?? '',
    visit: quote.visit,
    payment: nameOf(quote, pack).digest,
  });

  /** A link to a payment may be shared; going on with it is for the visit that ordered it. */
  const isOwn = (payment: Payment, request: Process) =>
    payment.visit === null || payment.visit === routes.visits.of(request);

  /** What initiate settled may be said again, and not otherwise. */
  async function refuseOtherwise({ body }: Process, payment: Payment): Promise<void> {
    const { paymentMobile, paymentMode, paymentGateway, accountId } = body;
    const payer = paymentMobile && (isClear(paymentMobile) ? paymentMobile : await pins.openNumber(paymentMobile));
    const method = methodOf(payment);
    const isSame =
      (!payer || payment.payer_msisdn === null || payer === payment.payer_msisdn) &&
      (!paymentMode || paymentMode === payment.payment_mode) &&
      (!paymentGateway || [gatewayName(method), method.mode].includes(paymentGateway)) &&
      (!accountId || payment.account_id === null || accountId === payment.account_id);
    if (!isSame) throw new PortalError('otherThanRegistered');
  }

  async function process(request: Process, payment: Payment, pin?: { sealed: string; keyId?: string }) {
    if (!isOwn(payment, request)) {
      if (payment.state === 'CREATED') throw unknownPayment();
      // As much as the status tells anybody who has the link, and nothing that depends on what else was sent.
      return outcomeOf({ payment: { ...payment, continuation: null }, already: true });
    }
    await refuseOtherwise(request, payment);
    // What was submitted is answered for, whatever is closed since.
    if (payment.state === 'CREATED') await announcements.refuseClosed(methodOf(payment), request.language);
    const digits = pin ? await pins.open(payment.id, { pin: pin.sealed, keyId: pin.keyId }) : undefined;
    const { uniqueCode } = request.body;
    const processed = await payments
      .process(payment.id, {
        ...(digits === undefined ? {} : { pin: digits }),
        ...(uniqueCode ? { uniqueCode } : {}),
        askedFrom: routes.budgets.networks(request.ip),
      })
      .catch(async (error: unknown) => {
        if (digits !== undefined && isCodeNeeded(error)) await pins.unused(payment.id);
        throw error;
      });
    return outcomeOf(processed);
  }

  function outcomeOf({ payment, already }: { payment: Payment; already: boolean }) {
    const continuation = payment.state === 'AWAITING_PAYER' ? payment.continuation : null;
    const redirectUrl = continuation && 'redirectUrl' in continuation ? continuation.redirectUrl : undefined;
    const popup = continuation && 'popup' in continuation ? continuation.popup : undefined;
    return {
      payment,
      result: {
        transactionId: payment.id,
        status: already ? ('ALREADY_PROCESSED' as const) : shownStatus(payment.state, waitingFor(payment)),
        next: nextStep(payment, { redirectUrl, popup }),
        ...(redirectUrl ? { redirectUrl } : {}),
        ...(popup ? { popup } : {}),
        ...pollOf(payment, 0),
      },
    };
  }

  const plainInitiate = (request: Initiate) => initiate(request, { mayToken: false });
  const plainProcess = async (request: Process): Promise<ResultOf<'process'>> => {
    const { payment } = await found(request.body.transactionId);
    if (proofNeeded(methodOf(payment), pack) === 'token') throw notVerified();
    return (await process(request, payment)).result;
  };

  function methodOf(payment: Payment): PaymentMethod {
    const method = methods.find((one) => one.gateway === payment.gateway && one.mode === payment.payment_mode);
    if (!method) throw new PortalError('methodWithdrawn');
    return method;
  }

  /** A wrong PIN closes its transaction with proof; the next try is a new one, and the server counts them. */
  const authProcess: Handler<'authProcess'> = async (request) => {
    const { body, headers } = request;
    const { payment } = await found(body.transactionId);
    const method = methodOf(payment);
    const proved = otp.openToken(headers.authorization);
    const isPayer = proved.subject === payment.payer_msisdn && proved.purpose === method.mode;
    if (!isPayer || proved.visit !== payment.visit || payment.payer_proof !== 'token') throw notVerified();
    const wallet = walletOf(method.gateway, proved.subject);
    if (payment.state === 'CREATED') {
      await refuseLocked(method, proved.subject);
      if (!body.amPin) throw new PortalError('pinNeeded', { field: 'amPin' });
    }
    const isFirst = payment.state === 'CREATED' && body.amPin;
    const pin = isFirst ? { sealed: body.amPin as string, keyId: body.amPinKeyId } : undefined;
    const processed = await process(request, payment, pin);
    const { state, reason } = processed.payment;
    if (state !== 'FAILED') return processed.result;
    if (reason === 'walletLocked') throw locked(method);
    if (reason !== 'wrongPin') return processed.result;
    const attemptsLeft = await pins.triesLeft(wallet);
    if (attemptsLeft === 0) throw locked(method);
    throw new PortalError(method.type === 'AM' ? 'wrongPin' : 'wrongSmartCashPin', { attemptsLeft });
  };

  return {
    paymentOptions: options,
    paymentOptionsByChannel: options,
    initiate: plainInitiate,
    mpesaInitiate: plainInitiate,
    authInitiate: (request) => initiate(request, { mayToken: true }),
    process: plainProcess,
    mpesaProcess: plainProcess,
    authProcess,
    transactionStatus: async (request) => {
      const record = await found(request.query.tid);
      return statusResult(record, contextOf(record.payment, request));
    },
    transactionFetch: async (request) => {
      const { txnId } = request.query;
      const record = await found((referencePattern.test(txnId) && (await payments.idOf(txnId))) || txnId);
      if (request.query.from === 'gateway') await payments.hurry(record.payment.id, 'returned');
      const { said } = request.query;
      const result = statusResult(record, { ...contextOf(record.payment, request), said });
      const status = shownOnStatusPage(result.status as ReturnType<typeof shownStatus>);
      return { ...result, status, transactionStatus: status };
    },
    /** The browser's word is only a reason to ask the gateway. */
    async paystackCallback({ query, language }) {
      const record = await found(query.PnrID ?? query.txref);
      await payments.hurry(record.payment.id);
      const redirectUrl = `${routes.statusUrl(record.payment.id, language)}&${returnedFrom(query.status)}`;
      return { transactionId: record.payment.id, redirectUrl };
    },
  };
}

/** As a gateway with a page of its own sends a browser back. */
const returnedFrom = (status: string) => new URLSearchParams({ from: 'gateway', status });

const isCodeNeeded = (error: unknown) => error instanceof PortalError && error.kind === 'codeNeeded';

/** A number travels in clear or encrypted; nothing at all is as good as in clear. */
const isClear = (given: string): given is WireNumber | '' => /^\d*$/.test(given);

function nextStep(
  payment: Payment,
  continuation: { redirectUrl?: string; popup?: unknown },
): ResultOf<'process'>['next'] {
  if (continuation.redirectUrl) return 'redirect';
  if (continuation.popup) return 'popup';
  // What waits for a person goes on without the customer.
  return isFinal(payment.state) || payment.state === 'REVIEW' ? 'done' : 'await';
}
