import { paths, withQuery } from '../../lib/paths.ts';
import type { Acted, ActionContext, LoadContext, Loaded } from '../../lib/screen.ts';
import {
  type Account,
  accountProblems,
  type FixedInternetLoaded,
  invoiceOrder,
  invoicesBody,
  isUnpaid,
  readAccount,
} from './invoice-order.ts';

/** Sealed as what it is, so that a sealed order opened here is not taken for an account. */
const kind = 'fixedInternetAccount';

export async function load({ query, openOrder, api }: LoadContext): Promise<Loaded<FixedInternetLoaded | undefined>> {
  const sealed = query.order ? (openOrder(query.order) as ({ kind?: string } & Account) | null) : null;
  if (sealed?.kind !== kind) return { loaded: undefined };
  const answer = await api('openInvoices', { body: invoicesBody(sealed) });
  const { accountNo, email } = sealed;
  return {
    loaded: { account: { accountNo, email }, found: answer.ok ? answer.result.response : null },
    noindex: true,
  };
}

/** SHOW BILLS and, with an invoice, PAY BILL: for a browser without script, or one that can keep nothing. */
export async function action({ form, api, sealOrder }: ActionContext): Promise<Acted> {
  const account = readAccount(form);
  const problems = accountProblems(account);
  const values = { ...account };
  const order = sealOrder({ kind, ...account });
  if (Object.keys(problems).length > 0) {
    const errors = Object.entries(problems).map(([field, key]) => [field, { key }]);
    return { form: { values, errors: Object.fromEntries(errors) } };
  }
  if (!form.invoiceNo) return { form: { values, errors: {} }, order };
  const answer = await api('openInvoices', { body: invoicesBody(account) });
  const found = answer.ok ? answer.result.response : null;
  const invoice = found?.invoices.find((one) => one.invoiceNo === form.invoiceNo && isUnpaid(one));
  if (!found || !invoice)
    return { form: { values, errors: { form: { key: found ? 'fixed.changed' : 'fixed.notReached' } } }, order };
  return { redirect: withQuery(paths.paymentStart, { order: sealOrder(invoiceOrder(invoice, found, account.email)) }) };
}
