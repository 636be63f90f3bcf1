import type { ParsedBodyOf, ResultOf } from '@portal/contract/contract.ts';
import { keepsOnlyWallet } from '@portal/domain/exchange.ts';
import { shownOnStatusPage, type shownStatus } from '@portal/domain/payment/shown-status.ts';
import type { Handlers } from '../../http/register-calls.ts';
import { referencePattern } from '../core/payment-id.ts';
import { gatewayName } from '../core/payments.quote.ts';
import type { Payment } from '../core/payments.store.ts';
import { type PaymentRoutes, paymentContext } from './payments.context.ts';
import { type Initiate, initiating } from './payments.initiate.ts';
import { processing } from './payments.start-charge.ts';
import { pageWordOf, type StatusContext, statusResult } from './payments.status.ts';

type StatusRequest = { headers: Record<string, unknown>; language: string };
type OptionsRequest = {
  query: { pg?: string | undefined };
  body: ParsedBodyOf<'paymentOptions'>;
  language: string;
};

export function paymentHandlers(routes: PaymentRoutes): Handlers {
  const context = paymentContext(routes);
  const { payments, found } = context;
  const options = offering(routes);
  const initiate = initiating(context);
  const plainInitiate = (request: Initiate) => initiate(request, { mayToken: false });
  const { plainProcess, authProcess } = processing(context);

  const contextOf = (payment: Payment, { language, headers }: StatusRequest): StatusContext => {
    const gateway = context.gateways.get(payment.gateway) ?? {};
    const { tokenOf: invoiceTokenOf } = routes.bills;
    const visit = routes.visits.ofBrowser(headers);
    const isOwn = visit !== null && visit === payment.visit;
    const { pack, texts } = context;
    return {
      ...{ pack, texts, language, now: context.now(), gateway, invoiceTokenOf, isOwn },
      waitingFor: context.waitingFor(payment),
    };
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
      const shown = contextOf(record.payment, request);
      const { from, said = from && '' } = request.query;
      if (from) await payments.enquireSoon(record.payment.id, 'returned');
      // Only the payer's own visit may store how it came back, not a stranger with the link.
      if (from && shown.isOwn) await payments.storePageWord(record.payment.id, pageWordOf(said, shown.gateway));
      const result = statusResult(record, { ...shown, returnWord: said });
      const status = shownOnStatusPage(result.status as ReturnType<typeof shownStatus>);
      // A client that has only the short reference must not learn the id.
      const transactionId = shown.isOwn ? result.transactionId : txnId;
      return { ...result, transactionId, status, transactionStatus: status };
    },
    /** The redirect is not believed; it only triggers an enquiry. */
    async paystackCallback({ query, language }) {
      const record = await found(query.PnrID ?? query.txref);
      await payments.enquireSoon(record.payment.id);
      const redirectUrl = `${routes.statusUrl(record.payment.id, language)}&${returnedFrom(query.status)}`;
      return { transactionId: record.payment.id, redirectUrl };
    },
  };
}

/** The ways to pay for an amount, their health, and which are closed. */
function offering({ pack, ways, methods: offerable }: Pick<PaymentRoutes, 'pack' | 'ways' | 'methods'>) {
  return async ({ query, body, language }: OptionsRequest): Promise<ResultOf<'paymentOptions'>> => {
    const wanted = query.pg?.toUpperCase();
    await ways.announcements.refuseMaintenance(language);
    const [reports, closed] = await Promise.all([ways.reports(), ways.announcements.closedWays(language)]);
    const offered = offerable
      .filter((method) => method.type !== 'PG' || !wanted || gatewayName(method) === wanted)
      .filter((method) => method.type === 'AM' || !keepsOnlyWallet(body.amount, pack));
    const closedMethods = offered.flatMap(({ gateway, name }) => {
      const text = closed.get(gateway);
      return text ? [{ name, text }] : [];
    });
    return {
      ...(closedMethods.length > 0 ? { closed: closedMethods } : {}),
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
}

/** The query parameters with which a gateway's page redirects the browser back. */
const returnedFrom = (status: string) => new URLSearchParams({ from: 'gateway', status });
