import { amountProblem, readAmount } from '@portal/domain/amount.ts';
import { formatMoney } from '@portal/domain/money.ts';
import { isCompleteNational, readPosted } from '@portal/domain/msisdn.ts';
import { isSitePath } from '@portal/domain/site-address.ts';
import { type FormState, failureError } from '../../lib/page.tsx';
import type { ActionContext } from '../../lib/screen.ts';
import type { QueryData } from '../../lib/session.ts';
import { lineTypeBody } from '../line-check/line-type-body.ts';
import { billedLineKey } from './billed-line.ts';

/** The same rules as the form with script, for a form that was posted. */
export async function readRechargeOrder(context: ActionContext): Promise<{ order: QueryData } | { form: FormState }> {
  const { form, operator, api, language } = context;
  const national = readPosted(form.msisdn ?? '', operator.numbering);
  const typed = form.amount?.trim() || form.chip || '';
  const amount = readAmount(typed);
  const errors: FormState['errors'] = {};

  if (!isCompleteNational(national, operator.numbering)) errors.msisdn = { key: 'recharge.invalidNumber' };
  if (amount === null) errors.amount = { key: typed ? 'recharge.amountWhole' : 'recharge.amountMissing' };
  const problem = amount === null ? null : amountProblem(amount, operator.limits.prepaid);
  if (problem) {
    const bound = problem.kind === 'below' ? problem.min : problem.max;
    const text = formatMoney(
      { amount: bound, currency: operator.currency.code },
      language.formats,
      operator.currency.digits,
    );
    errors.amount = {
      key: problem.kind === 'below' ? 'recharge.minimum' : 'recharge.maximum',
      params: { amount: text },
    };
  }
  if (!errors.msisdn) {
    const line = await api('lineType', { body: lineTypeBody(national, 'PREPAID RECHARGE') });
    if (!line.ok) errors.msisdn = failureError(line, 'recharge.notChecked');
    else if (line.result !== 'PREPAID') errors.msisdn = { key: billedLineKey(line.result) };
  }
  if (amount === null || Object.keys(errors).length > 0)
    return { form: { values: { msisdn: national, amount: typed.replace(/[^\d.,]/g, '') }, errors } };
  return {
    order: {
      msisdn: national,
      amount,
      currency: operator.currency.code,
      lineType: 'PREPAID',
      transactionType: 'PREPAID_RECHARGE',
      redirectPage: form.redirectPage && isSitePath(form.redirectPage) ? form.redirectPage : '/',
    },
  };
}
