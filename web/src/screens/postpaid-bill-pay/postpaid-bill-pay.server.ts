import * as errorCodes from '@portal/contract/error-codes.ts';
import { isPostpaidAccount } from '@portal/domain/account-number.ts';
import { oneTimeCode } from '@portal/domain/constants.ts';
import type { LineType } from '@portal/domain/line-types.ts';
import { isCompleteNational, readPosted, toWire } from '@portal/domain/msisdn.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import { answerHeaders, answerIn, questionAfter } from '../../features/challenge/question.ts';
import { lineTypeBody } from '../../features/line-check/line-type-body.ts';
import { wrongCode } from '../../features/otp-dialog/wrong-code.ts';
import { readTyped, writtenBack } from '../../features/recharge-form/typed-amount.ts';
import type { Failure } from '../../lib/api.ts';
import { type FormState, failureError } from '../../lib/page.tsx';
import type { Acted, ActionContext, Loaded, ServerContext } from '../../lib/screen.ts';
import type { SealedValues } from '../../lib/sealed.ts';
import {
  billOrder,
  hybridCheckBody,
  needsHybridCheck,
  type PostpaidLoaded,
  paysByBill,
  readPostpaidAccount,
  sendBody,
} from './bill-order.ts';

export async function load(context: ServerContext): Promise<Loaded<PostpaidLoaded | undefined>> {
  const token = context.query.order ?? '';
  const sent = context.open('postpaidCode', token);
  if (sent) return { loaded: { step: 'code', msisdn: sent.msisdn, token }, noindex: true };
  const proof = context.open('postpaidProof', token);
  if (!proof) return { loaded: undefined };
  const { msisdn } = proof;
  const body = { data: { msisdn: toWire(msisdn), uniqueCode: proof.uniqueCode } };
  const answer = await context.api('bill', { body });
  return {
    loaded: answer.ok
      ? { step: 'bill', msisdn, token, bill: answer.result }
      : { step: 'noBill', msisdn, message: answer.message },
    noindex: true,
  };
}

export async function action(context: ActionContext): Promise<Acted> {
  const { order } = context.form;
  const sent = context.open('postpaidCode', order);
  if (sent) return proveByCode(context, sent);
  if (order && !context.open('postpaidProof', order)) return { redirect: paths.postpaidBillPay };
  const national = readPosted(context.form.msisdn ?? '', context.operator.numbering);
  const typed = context.form.amount?.trim() ?? '';
  const values = { msisdn: national, amount: writtenBack(typed) };
  const line = await lineOf(context, national);
  switch (context.form.step) {
    case 'fetch':
      return 'error' in line ? refuse(values, { msisdn: line.error }) : sendCode(context, national, values);
    case 'account':
      return 'error' in line ? refuse(values, { msisdn: line.error }) : proveByAccount(context, national, values);
    default:
      return pay(context, { national, typed, line, values });
  }
}

type FormErrors = FormState['errors'];
type FieldError = FormErrors[string];
type SentCode = SealedValues['postpaidCode'];

const refuse = (values: Record<string, string>, errors: FormErrors, order?: string): Acted => ({
  form: { values, errors },
  ...(order ? { order } : {}),
});

async function lineOf(
  { api, operator }: ActionContext,
  national: string,
): Promise<{ lineType: LineType } | { error: FieldError }> {
  if (!isCompleteNational(national, operator.numbering)) return { error: { key: 'recharge.invalidNumber' } };
  const line = await api('lineType', { body: lineTypeBody(national, 'POSTPAID BILL PAYMENT') });
  if (!line.ok) return { error: failureError(line, 'recharge.notChecked') };
  return paysByBill(line.result) ? { lineType: line.result } : { error: { key: 'postpaid.prepaidLine' } };
}

interface Payment {
  national: string;
  typed: string;
  line: Awaited<ReturnType<typeof lineOf>>;
  values: Record<string, string>;
}

async function pay(context: ActionContext, { national, typed, line, values }: Payment): Promise<Acted> {
  const { operator, language, api, seal } = context;
  const { amount, error } = readTyped(typed, operator.limits.postpaid, operator.currency, language.formats);
  const errors: FormErrors = {
    ...('error' in line ? { msisdn: line.error } : {}),
    ...(amount === null ? { amount: error ?? { key: 'recharge.amountMissing' } } : {}),
  };
  if ('error' in line || amount === null) return refuse(values, errors);
  if (needsHybridCheck(line.lineType, operator)) {
    const checked = await api('lineType', { body: hybridCheckBody(national) });
    if (!checked.ok) return refuse(values, { msisdn: failureError(checked, 'recharge.notChecked') });
  }
  const order = billOrder({ national, amount, lineType: line.lineType }, operator);
  return { redirect: withQuery(paths.paymentStart, { order: seal('order', order) }) };
}

const atCode = ({ seal }: ActionContext, sent: SentCode): Acted => ({
  redirect: withQuery(paths.postpaidBillPay, { order: seal('postpaidCode', sent) }),
});

async function sendCode(context: ActionContext, msisdn: string, values: Record<string, string>): Promise<Acted> {
  const answered = answerIn(context.form);
  const sent = await context.api('sendInvoiceCode', { body: sendBody(msisdn), headers: answerHeaders(answered) });
  const asked = sent.ok ? null : questionAfter(sent, answered);
  if (asked) return refuse({ ...values, step: 'fetch', asked: JSON.stringify(asked) }, {});
  if (!sent.ok) return refuse(values, { msisdn: sendingError(sent) });
  return atCode(context, { msisdn, otpId: sent.result.otpId });
}

const sendingError = (failure: Failure): FieldError => failureError(failure, 'otp.notSent');

/** The proof is passed to `load`. A URL has it at most sealed with this answer, for minutes and for this visit. */
const proved = ({ seal }: ActionContext, msisdn: string, uniqueCode: string): Acted => ({
  form: { values: { msisdn }, errors: {} },
  order: seal('postpaidProof', { msisdn, uniqueCode }),
});

async function proveByCode(context: ActionContext, { msisdn, otpId }: SentCode): Promise<Acted> {
  const { api, form } = context;
  const back = (errors: FormErrors) => refuse({ msisdn }, errors, form.order);
  if (form.step === 'account') return proveByAccount(context, msisdn, { msisdn }, form.order);
  if (form.step === 'resend') {
    const answered = answerIn(form);
    const sent = await api('resendInvoiceCode', { body: { data: { otpId } }, headers: answerHeaders(answered) });
    const asked = sent.ok ? null : questionAfter(sent, answered);
    if (asked) return refuse({ msisdn, step: 'resend', asked: JSON.stringify(asked) }, {}, form.order);
    return sent.ok ? atCode(context, { msisdn, otpId: sent.result.otpId }) : back({ form: sendingError(sent) });
  }
  const otp = (form.otp ?? '').replace(/\D/g, '');
  if (otp.length !== oneTimeCode.digits) return back({ otp: { key: 'otp.wrongCode' } });
  const answer = await api('verifyInvoiceCode', { body: { data: { otp, otpId } } });
  if (answer.ok) return proved(context, msisdn, answer.result.uniqueCode);
  if (answer.code === errorCodes.wrongCode) return back({ otp: wrongCode(answer) });
  if (answer.code === errorCodes.attemptsExhausted) return back({ form: { key: 'otp.exhausted' } });
  return back({ form: { text: answer.message } });
}

async function proveByAccount(
  context: ActionContext,
  msisdn: string,
  values: Record<string, string>,
  order?: string,
): Promise<Acted> {
  const accountNo = readPostpaidAccount(context.form.accountNo ?? '');
  const back = (error: FieldError) => refuse({ ...values, accountNo }, { accountNo: error }, order);
  if (!isPostpaidAccount(accountNo)) return back({ key: 'postpaid.accountInvalid' });
  const answered = answerIn(context.form);
  const answer = await context.api('validateAccount', {
    body: { data: { msisdn: toWire(msisdn), accountNo } },
    headers: answerHeaders(answered),
  });
  const asked = answer.ok ? null : questionAfter(answer, answered);
  if (asked) return refuse({ ...values, accountNo, step: 'account', asked: JSON.stringify(asked) }, {}, order);
  return answer.ok ? proved(context, msisdn, answer.result.uniqueCode) : back({ text: answer.message });
}
