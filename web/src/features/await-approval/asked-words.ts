import type { ResultOf } from '@portal/contract/contract.ts';
import type { PublicPack } from '@portal/domain/operator.ts';
import type { Page, useFormats } from '../../lib/page.tsx';

type Asked = Pick<
  ResultOf<'transactionStatus'>,
  'amount' | 'currencyCode' | 'payer' | 'paymentMode' | 'paymentGateway'
>;

/** The name of the way to pay, as the payment page gives it. */
export function wayOf(
  { paymentMode, paymentGateway }: Pick<Asked, 'paymentMode' | 'paymentGateway'>,
  { methods }: Pick<PublicPack, 'methods'>,
): string {
  const ofMode = methods.filter(({ mode }) => mode === paymentMode);
  return (ofMode.find(({ gateway }) => gateway.toUpperCase() === paymentGateway) ?? ofMode[0])?.name ?? paymentMode;
}

/** How much was asked for, by which way and from whom: whoever waits sees at once whether it was meant so. */
export function askedWords(
  asked: Asked,
  {
    t,
    formats,
    operator,
  }: { t: Page['t']; formats: Pick<ReturnType<typeof useFormats>, 'money' | 'prefix'>; operator: PublicPack },
): string {
  const amount = formats.money(asked.amount, asked.currencyCode);
  const way = wayOf(asked, operator);
  if (!asked.payer) return t('payment.askedCard', { amount, way });
  return t('payment.asked', { amount, way, number: `${formats.prefix} ${asked.payer}` });
}
