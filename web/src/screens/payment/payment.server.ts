import * as errorCodes from '@portal/contract/error-codes.ts';
import { oneTimeCode } from '@portal/domain/constants.ts';
import { readPosted, toWire, type WireNumber } from '@portal/domain/msisdn.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import { wrongCode } from '../../features/otp-dialog/wrong-code.ts';
import type { Failure } from '../../lib/api.ts';
import type { FormState } from '../../lib/page.tsx';
import type { Acted, ActionContext, Loaded, ServerContext } from '../../lib/screen.ts';
import { airtimeOf } from './airtime-balance.ts';
import { processToGateway } from './gateway-address.ts';
import { emailProblemKey, needsScript, phoneProblem } from './payer-rules.ts';
import { isUnclear, ownCodes, ownFailure } from './payment-failure.ts';
import {
  type Charged,
  chosenOption,
  fetchConversion,
  fetchOptions,
  initiationBody,
  methodOf,
  offeredFor,
  type PaymentLoaded,
  type PaymentOption,
  type PaymentOrder,
  processBody,
  purchaseOf,
  routeOf,
} from './payment-order.ts';

export async function load(context: ServerContext): Promise<Loaded<PaymentLoaded>> {
  const token = context.query.order;
  const order = context.open('order', token);
  const [answer, converted] = order
    ? await Promise.all([
        fetchOptions(context.api, order, context.query),
        fetchConversion(context.api, order, context.operator),
      ])
    : [null, null];
  return {
    loaded: {
      order,
      token: order && token ? token : null,
      options: answer?.ok ? answer.result : null,
      failure: answer && !answer.ok ? answer : null,
      converted: converted?.ok ? converted.result : null,
    },
    status: methodOf(context.path, context.operator) === 'unknown' ? 404 : 200,
  };
}

/** Payment without script: the same two calls, then the gateway's page or the status page, which polls by reloading. */
export async function action(context: ActionContext): Promise<Acted> {
  const { form, operator, api, query } = context;
  const opened = context.open('order', form.order);
  if (!opened || !form.order) return { redirect: paths.home };
  const charged = chargedOf(form);
  const order: PaymentOrder = charged ? { ...opened, charged } : opened;
  const values = {
    paymentMobile: readPosted(form.paymentMobile ?? '', operator.numbering),
    emailId: (form.emailId ?? '').trim(),
    gateway: form.gateway ?? '',
  };
  // The page rendered again with another method finds the email in the order.
  const kept = { order: context.seal('order', { ...opened, ...(values.emailId ? { emailId: values.emailId } : {}) }) };
  const refuse = (failure: Failure): Acted => ({
    form: {
      values: { ...values, failure: JSON.stringify(failure) },
      errors: { form: { text: failure.message } },
    },
    ...kept,
  });

  const options = await fetchOptions(api, order, query);
  if (!options.ok) return refuse(options);
  const option = optionOf(offeredFor(order, options.result.paymentOption, operator), context);
  if (!option) return refuse(ownFailure(ownCodes.notOffered));
  if (needsScript(option, operator)) return refuse(ownFailure(ownCodes.needsScript));
  const errors = fieldErrors(option, values, context);
  if (Object.keys(errors).length > 0) return { form: { values, errors }, ...kept };

  const payer = { msisdn: option.type === 'PG' ? '' : values.paymentMobile, email: values.emailId };
  const isMpesa = option.type === 'MPESA';
  const asked: CodeAsked = { values, kept, order, option, payer, refuse };
  if (form.refId && form.transactionId)
    return proveFresh(context, asked, { transactionId: form.transactionId, refId: form.refId });
  // Airtime pays after a code for this order; whoever types it has seen the amount beside it and in the SMS.
  const proof = option.type === 'AIRTIME' ? await proveLine(context, asked) : null;
  const bodyOf = (proved: { uniqueCode?: string }) => ({
    ...initiationBody(
      order,
      option,
      { msisdn: payer.msisdn, ...(payer.email ? { email: payer.email } : {}), ...proved },
      operator,
    ),
    ...(form.confirmRepeat ? { confirmRepeat: true } : {}),
  });
  if (proof && 'acted' in proof) return (proof.isSpent && (await paidMeanwhile(context, bodyOf({})))) || proof.acted;
  const body = bodyOf(proof ? { uniqueCode: proof.uniqueCode } : {});
  const headers = { 'idempotency-key': await attemptKey(form.order, body) };
  const initiated = await api(isMpesa ? 'mpesaInitiate' : 'initiate', { body, headers });
  if (!initiated.ok) return paidBy(context, initiated) ?? refuse(initiated);
  const { transactionId } = initiated.result;
  const process = () =>
    api(isMpesa ? 'mpesaProcess' : 'process', { body: processBody(transactionId, order, option, payer) });
  const processed = await (option.type === 'PG' ? processToGateway(process) : process());
  if (!processed.ok && processed.code === errorCodes.codeNeeded) return askFresh(context, asked, transactionId);
  if (!processed.ok && !isUnclear(processed)) return paidBy(context, processed) ?? refuse(processed);
  if (processed.ok && processed.result.redirectUrl) return { leave: processed.result.redirectUrl };
  return atStatus(context, transactionId);
}

const atStatus = ({ query }: ActionContext, id: string): Acted => ({
  redirect: withQuery(paths.paymentStatus, { id, channel: query.channel, pg: query.pg }),
});

/** Another payment of this visit paid the order: shows that one. */
const paidBy = (context: ActionContext, { code, earlierTransactionId }: Failure): Acted | null =>
  code === errorCodes.orderPaid && earlierTransactionId ? atStatus(context, earlierTransactionId) : null;

/**
 * A second click finds the code used by the first one, which pays: it redirects to that payment and says nothing
 * about money. The first request may still be pending.
 */
async function paidMeanwhile(context: ActionContext, body: ReturnType<typeof initiationBody>): Promise<Acted | null> {
  for (const waitMs of [0, 1_000]) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    // Without a proof it starts no payment.
    const refused = await context.api('initiate', { body, headers: { 'idempotency-key': crypto.randomUUID() } });
    const paid = refused.ok ? null : paidBy(context, refused);
    if (paid) return paid;
  }
  return null;
}

/** The posted values, to be posted again with the code. */
interface CodeAsked {
  values: Record<string, string>;
  kept: { order: string };
  order: PaymentOrder;
  option: PaymentOption;
  payer: { msisdn: string; email: string };
  refuse: (failure: Failure) => Acted;
}

type Sent = { transactionId: string; refId: string };

const codeForm = ({ values, kept }: CodeAsked, sent: Sent, errors: FormState['errors'] = {}): Acted => ({
  form: { values: { ...values, ...sent }, errors },
  ...kept,
});

const sendingError = ({ code, message }: Failure) => {
  if (code === errorCodes.maxLimit) return { key: 'otp.maxLimit' };
  return code === errorCodes.codeRefused ? { text: message } : { key: 'otp.notSent' };
};

/** The payment requires a fresh code: the same form comes back with a field for it. */
async function askFresh({ api }: ActionContext, asked: CodeAsked, transactionId: string): Promise<Acted> {
  const msisdn = toWire(asked.payer.msisdn);
  const sent = await api('sendCode', { body: { data: { msisdn, transactionId } } });
  if (sent.ok) return codeForm(asked, { transactionId, refId: sent.result.refId });
  return asked.refuse(sent);
}

/** The proof of a typed code, or the form again; an invalid code may have been used by the same form before. */
type Proof = { uniqueCode: string } | { acted: Acted; isSpent?: boolean };

/**
 * Sends the code that proves a line for this order, then verifies it, and checks that the airtime balance is enough.
 */
async function proveLine(context: ActionContext, asked: CodeAsked): Promise<Proof> {
  const { api, form, operator } = context;
  const { order, option, payer, refuse } = asked;
  const msisdn = toWire(payer.msisdn);
  const { paymentMode } = option;
  if (!form.refId) {
    const sent = await api('sendCode', {
      body: { data: { msisdn, paymentMode, payment: purchaseOf(order, operator) } },
    });
    return { acted: sent.ok ? codeForm(asked, { transactionId: '', refId: sent.result.refId }) : refuse(sent) };
  }
  const sent = { transactionId: '', refId: form.refId };
  const proof = await readCode(context, asked, { sent, of: { username: msisdn, paymentMode } });
  if ('acted' in proof) return proof;
  const balance = await api('queryBalance', {
    body: { data: { msisdn, uniqueCode: proof.uniqueCode, serviceType: 'AIRTIME' } },
  });
  if (!balance.ok) return { acted: refuse(balance) };
  const isEnough = airtimeOf(balance.result.queryBalanceResult) >= order.amount;
  return isEnough ? proof : { acted: refuse(ownFailure(ownCodes.insufficient)) };
}

async function readCode(
  { api, form }: ActionContext,
  asked: CodeAsked,
  { sent, of = {} }: { sent: Sent; of?: { username?: WireNumber; paymentMode?: string } },
): Promise<Proof> {
  const back = (errors: FormState['errors'], isSpent = false): Proof => ({
    acted: codeForm(asked, sent, errors),
    isSpent,
  });
  if (form.step === 'resend') {
    const resent = await api('resendCode', { body: { data: { refId: sent.refId } } });
    return resent.ok ? back({}) : back({ code: sendingError(resent) });
  }
  const otp = (form.otp ?? '').replace(/\D/g, '');
  if (otp.length !== oneTimeCode.digits) return back({ otp: { key: 'otp.wrongCode' } });
  const verified = await api('verifyCode', { body: { data: { refId: sent.refId, otp, ...of } } });
  if (verified.ok) return { uniqueCode: verified.result.uniqueCode };
  if (verified.code === errorCodes.wrongCode) return back({ otp: wrongCode(verified) });
  return back(
    { code: verified.code === errorCodes.attemptsExhausted ? { key: 'otp.exhausted' } : { text: verified.message } },
    verified.code === errorCodes.codeRefused,
  );
}

async function proveFresh(context: ActionContext, asked: CodeAsked, sent: Sent): Promise<Acted> {
  const { api } = context;
  const { order, option, payer } = asked;
  const back = (errors: FormState['errors']) => codeForm(asked, sent, errors);
  const proof = await readCode(context, asked, { sent });
  const process = (proved: { uniqueCode?: string }) =>
    api(option.type === 'MPESA' ? 'mpesaProcess' : 'process', {
      body: { ...processBody(sent.transactionId, order, option, payer), ...proved },
    });
  if ('acted' in proof) {
    const isBegun = proof.isSpent && (await process({})).ok;
    return isBegun ? atStatus(context, sent.transactionId) : proof.acted;
  }
  const processed = await process({ uniqueCode: proof.uniqueCode });
  if (!processed.ok && !isUnclear(processed)) return back({ code: { text: processed.message } });
  return atStatus(context, sent.transactionId);
}

/** The chosen currency, as the page offered it; the server checks its own quote again. */
function chargedOf({ currency, chargedAmount, exchangeQuote }: ActionContext['form']): Charged | null {
  const amount = Number(chargedAmount);
  return currency && exchangeQuote && Number.isSafeInteger(amount) ? { currency, amount, exchangeQuote } : null;
}

/** The selected one of several gateways. */
function optionOf(offered: readonly PaymentOption[], { form, path, operator }: ActionContext): PaymentOption | null {
  const chosen = chosenOption(offered, path, operator);
  if (chosen?.type !== 'PG') return chosen;
  const route = routeOf(chosen, operator);
  const ofRoute = offered.filter((option) => routeOf(option, operator) === route);
  return ofRoute.find(({ paymentGateway }) => paymentGateway === form.gateway) ?? chosen;
}

function fieldErrors(
  { type }: PaymentOption,
  { paymentMobile, emailId }: { paymentMobile: string; emailId: string },
  { operator }: ActionContext,
) {
  const phone = phoneProblem(type, paymentMobile, operator);
  const email = emailProblemKey(type, emailId);
  return {
    ...(phone ? { paymentMobile: { key: phone, params: { brand: operator.brand.name } } } : {}),
    ...(email ? { emailId: { key: email } } : {}),
  };
}

/** One key for an order and its typed values: a form posted twice, or again after Back, finds the same payment. */
async function attemptKey(token: string, body: object): Promise<string> {
  const same = JSON.stringify({ ...body, exchangeQuote: undefined });
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(same));
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${token.slice(0, 38)}-${hex.slice(0, 40)}`;
}
