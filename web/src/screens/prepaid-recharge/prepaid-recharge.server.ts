import { paths, withQuery } from '@portal/domain/paths.ts';
import { readRechargeOrder } from '../../features/recharge-form/recharge-order.ts';
import type { Acted, ActionContext } from '../../lib/screen.ts';

export async function action(context: ActionContext): Promise<Acted> {
  const read = await readRechargeOrder(context);
  if ('form' in read) return read;
  return { redirect: withQuery(paths.paymentStart, { order: context.seal('order', read.order) }) };
}
