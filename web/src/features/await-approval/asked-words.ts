import type { ResultOf } from '@portal/contract/contract.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import { paymentMethodPath } from '@portal/domain/paths.ts';
import { isApprovedOnPhone } from '@portal/domain/payment/approval-on-phone.ts';
import { type Page, unbroken, type useFormats } from '../../lib/page.tsx';

type Asked = Pick<
  ResultOf<'transactionStatus'>,
  'amount' | 'currencyCode' | 'payer' | 'paymentMode' | 'paymentGateway'
>;

type Way = Pick<Asked, 'paymentMode' | 'paymentGateway'>;

/** Null where the method is no longer offered. */
export function methodPaidBy({ paymentMode, paymentGateway }: Way, { methods }: Pick<PublicPack, 'methods'>) {
  const ofMode = methods.filter(({ mode }) => mode === paymentMode);
  return ofMode.find(({ gateway }) => gateway.toUpperCase() === paymentGateway) ?? ofMode[0];
}

/** The method's name as on the payment page: airtime is translated, the others have proper names. */
export function wayOf(way: Way, { operator, t }: { operator: Pick<PublicPack, 'methods'>; t: Page['t'] }): string {
  const method = methodPaidBy(way, operator);
  return method?.type === 'AIRTIME' ? t('payment.group.AIRTIME') : (method?.name ?? way.paymentMode);
}

/** The URL to correct a mistyped number: only for push requests, where nobody proved the number. */
export function correctionPath(asked: Way & Pick<Asked, 'payer'>, operator: PublicPack): string | null {
  const method = methodPaidBy(asked, operator);
  return asked.payer && method && isApprovedOnPhone(method, operator) ? paymentMethodPath(method.route) : null;
}

/** Amount, method and number of the request, for the payer to check. */
export function askedWords(
  asked: Asked,
  {
    t,
    formats,
    operator,
  }: { t: Page['t']; formats: Pick<ReturnType<typeof useFormats>, 'money' | 'prefix'>; operator: PublicPack },
): string {
  const amount = formats.money(asked.amount, asked.currencyCode);
  const way = wayOf(asked, { operator, t });
  if (!asked.payer) return t('payment.askedCard', { amount, way });
  return t('payment.asked', { amount, way, number: unbroken(`${formats.prefix} ${asked.payer}`) });
}
