import { isOwnNetwork, readNational } from '@portal/domain/msisdn.ts';
import { paths, statusPath } from '../../lib/paths.ts';
import type { Acted, ActionContext, LoadContext, Loaded } from '../../lib/screen.ts';
import type { QueryData } from '../../lib/session.ts';
import {
  chosenOption,
  initiationBody,
  methodOf,
  optionsBody,
  type PaymentLoaded,
  processBody,
} from './payment-order.ts';

export async function load(context: LoadContext): Promise<Loaded<PaymentLoaded>> {
  const token = context.query.order ?? null;
  const order = token ? (context.openOrder(token) as QueryData | null) : null;
  const answer = order ? await context.api('paymentOptions', { body: optionsBody(order) }) : null;
  return {
    loaded: {
      order,
      token: order ? token : null,
      options: answer?.ok ? answer.result.paymentOption : null,
    },
    status: methodOf(context.path, context.operator) === 'unknown' ? 404 : 200,
    noindex: true,
  };
}

/** The way without script: the same two calls, then the status page, which asks again by itself. */
export async function action(context: ActionContext): Promise<Acted> {
  const { form, operator, api, path } = context;
  const order = form.order ? (context.openOrder(form.order) as QueryData | null) : null;
  if (!order) return { redirect: paths.home };
  const payer = readNational(form.paymentMobile ?? '', operator.numbering);
  const refuse = (
    field: string,
    error: { key: string; params?: Record<string, string> } | { text: string },
  ): Acted => ({
    form: { values: { paymentMobile: payer }, errors: { [field]: error } },
  });
  if (payer === '') return refuse('paymentMobile', { key: 'payment.phoneMissing' });
  if (!isOwnNetwork(payer, operator.numbering))
    return refuse('paymentMobile', { key: 'payment.phoneInvalid', params: { brand: operator.brand.name } });

  const options = await api('paymentOptions', { body: optionsBody(order) });
  const option = options.ok ? chosenOption(options.result.paymentOption, methodOf(path, operator)) : null;
  if (!option) return refuse('form', { key: options.ok ? 'payment.notOffered' : 'payment.optionsFailed' });
  const body = initiationBody(order, option, { msisdn: payer }, operator);
  // One key for an order and its payer: a form posted twice, or fetched again by Back, finds the same payment.
  const key = `${form.order?.slice(0, 38)}-${payer}`;
  const initiated = await api('initiate', { body, headers: { 'idempotency-key': key } });
  if (!initiated.ok) return refuse('form', { text: initiated.message });
  const { transactionId } = initiated.result;
  await api('process', { body: processBody(transactionId, order, option, { msisdn: payer }) });
  return { redirect: statusPath(transactionId) };
}
