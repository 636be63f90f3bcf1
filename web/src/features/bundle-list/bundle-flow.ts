import type { Bundle } from '@portal/domain/bundle.ts';
import { isCompleteNational, readPosted } from '@portal/domain/msisdn.ts';
import { paths, withQuery } from '@portal/domain/paths.ts';
import { isSitePath } from '@portal/domain/site-address.ts';
import { type FormState, failureError } from '../../lib/page.tsx';
import type { Acted, ActionContext, ServerContext } from '../../lib/screen.ts';
import { lineTypeBody } from '../line-check/line-type-body.ts';
import { type BundleFlow, type BundleLine, bundleOrder } from './bundle-order.ts';
import { bundlesBody, type LoadedBundles, loadBundles } from './use-bundles.ts';

/** What the server loads for a page that sells bundles. */
export interface BundleFlowLoaded {
  line: BundleLine | null;
  /** The bundles of the line. */
  bundles: LoadedBundles | null;
  /** The bundle named by ?product= at its public price: a list of one, or empty when it is not on sale. */
  named: LoadedBundles | null;
}

/** Without script the number is passed sealed in ?line=. */
export async function loadBundleFlow(context: ServerContext, flow: BundleFlow): Promise<BundleFlowLoaded> {
  const { query } = context;
  const { serviceType } = flow;
  const line = context.open('bundleLine', query.line);
  const [bundles, sold] = await Promise.all([
    line && loadBundles(context, { ...line, serviceType }),
    query.product ? loadBundles(context, { serviceType }) : null,
  ]);
  const isNamed = ({ productCode }: Bundle) => productCode === query.product;
  const named = sold && { key: sold.key, answer: { ok: true, result: sold.answer.result.filter(isNamed) } as const };
  return { line, bundles: bundles ?? null, named: named ?? null };
}

/** Posting a number shows its bundles; posting a number and a bundle opens the payment page. */
export async function bundleAction(context: ActionContext, flow: BundleFlow): Promise<Acted> {
  const { form, api, operator, query } = context;
  const sealed = context.open('bundleLine', query.line);
  const national = form.msisdn ? readPosted(form.msisdn, operator.numbering) : (sealed?.msisdn ?? '');
  const product = form.product || query.product || '';
  const refuse = (field: string, error: FormState['errors'][string]): Acted => ({
    form: { values: { msisdn: national }, errors: { [field]: error } },
  });
  if (!isCompleteNational(national, operator.numbering)) return refuse('msisdn', { key: 'recharge.invalidNumber' });
  const checked = await api('lineType', {
    body: lineTypeBody(national, flow.requestType),
  });
  if (!checked.ok) return refuse('msisdn', failureError(checked, 'recharge.notChecked'));
  const line: BundleLine = { msisdn: national, lineType: checked.result };
  const { rechargeType } = flow;
  const redirectPage = form.redirectPage && isSitePath(form.redirectPage) ? form.redirectPage : flow.page;
  const where = { redirectPage, ...(rechargeType ? { rechargeType } : {}) };

  const toList = { redirect: withQuery(flow.page, { line: context.seal('bundleLine', line), product }) };
  if (!product) return toList;

  const answer = await api('bundles', { body: bundlesBody({ ...line, serviceType: flow.serviceType }) });
  if (!answer.ok) return refuse('product', failureError(answer, 'bundles.failed'));
  const bundle = answer.result.find(({ productCode }) => productCode === product);
  // Withdrawn since, or not sold to this line: the page says so above the list.
  if (!bundle) return toList;
  return {
    redirect: withQuery(paths.paymentStart, { order: context.seal('order', bundleOrder(bundle, line, where)) }),
  };
}
