import { paths, withQuery } from '@portal/domain/paths.ts';
import { answerHeaders, answerIn, questionAfter } from '../../features/challenge/question.ts';
import { failureError } from '../../lib/page.tsx';
import type { Acted, ActionContext, Loaded, ServerContext } from '../../lib/screen.ts';
import {
  accountProblems,
  type FixedInternetLoaded,
  invoiceOrder,
  invoicesBody,
  isUnpaid,
  readAccount,
  readAnswer,
} from './invoice-order.ts';

export async function load({ query, open, api }: ServerContext): Promise<Loaded<FixedInternetLoaded | undefined>> {
  const account = open('fixedInternetAccount', query.order);
  if (!account) return { loaded: undefined };
  const { answered, ...plain } = account;
  const answer = await api('openInvoices', { body: invoicesBody(plain), headers: answerHeaders(answered) });
  const asked = answer.ok ? null : questionAfter(answer, answered);
  return {
    loaded: { account: plain, ...readAnswer(answer), ...(asked ? { asked } : {}) },
    noindex: true,
  };
}

/** SHOW BILLS and, with an invoice, PAY BILL: for browsers without script or storage. */
export async function action({ form, api, seal }: ActionContext): Promise<Acted> {
  const account = readAccount(form);
  const problems = accountProblems(account);
  const values = { ...account };
  const answered = answerIn(form);
  const order = seal('fixedInternetAccount', { ...account, ...(answered ? { answered } : {}) });
  if (Object.keys(problems).length > 0) {
    const errors = Object.entries(problems).map(([field, key]) => [field, { key }]);
    return { form: { values, errors: Object.fromEntries(errors) } };
  }
  if (!form.invoiceNo) return { form: { values, errors: {} }, order };
  const answer = await api('openInvoices', { body: invoicesBody(account) });
  const { found } = readAnswer(answer);
  // A challenge is asked by `load`, and the bills are shown again after it.
  if (!answer.ok && answer.challenge) return { form: { values, errors: {} }, order };
  const invoice = found?.invoices.find((one) => one.invoiceNo === form.invoiceNo && isUnpaid(one));
  if (!answer.ok) return { form: { values, errors: { form: failureError(answer, 'fixed.notReached') } }, order };
  if (!found || !invoice) return { form: { values, errors: { form: { key: 'fixed.changed' } } }, order };
  return {
    redirect: withQuery(paths.paymentStart, { order: seal('order', invoiceOrder(invoice, found, account.email)) }),
  };
}
