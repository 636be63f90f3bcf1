import { isCompleteNational, readPosted } from '@portal/domain/msisdn.ts';
import { isSitePath } from '@portal/domain/site-address.ts';
import { type FormState, failureError } from '../../lib/page.tsx';
import type { ActionContext } from '../../lib/screen.ts';
import type { QueryData } from '../../lib/session.ts';
import { lineTypeBody } from '../line-check/line-type-body.ts';
import { billedLineKey } from './billed-line.ts';
import { readTyped, writtenBack } from './typed-amount.ts';

/** The same rules for a form posted without script. */
export async function readRechargeOrder(context: ActionContext): Promise<{ order: QueryData } | { form: FormState }> {
  const { form, operator, api, language } = context;
  const national = readPosted(form.msisdn ?? '', operator.numbering);
  const typed = form.amount?.trim() || form.chip || '';
  const { amount, error } = readTyped(typed, operator.limits.prepaid, operator.currency, language.formats);
  const errors: FormState['errors'] = {};

  if (!isCompleteNational(national, operator.numbering)) errors.msisdn = { key: 'recharge.invalidNumber' };
  if (amount === null) errors.amount = error ?? { key: 'recharge.amountMissing' };
  if (!errors.msisdn) {
    const line = await api('lineType', { body: lineTypeBody(national, 'PREPAID RECHARGE') });
    if (!line.ok) errors.msisdn = failureError(line, 'recharge.notChecked');
    else if (line.result !== 'PREPAID') errors.msisdn = { key: billedLineKey(line.result) };
  }
  if (amount === null || Object.keys(errors).length > 0)
    return { form: { values: { msisdn: national, amount: writtenBack(typed) }, errors } };
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
