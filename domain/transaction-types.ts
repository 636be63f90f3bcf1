export const transactionTypes = [
  'PREPAID_RECHARGE',
  'POSTPAID_BILL',
  'PREPAID_BUNDLES',
  'POSTPAID_BUNDLES',
  'HBB_LEADS',
] as const;
export type TransactionType = (typeof transactionTypes)[number];

export const paymentOptionTypes = ['PG', 'AM', 'AIRTIME', 'MPESA', 'SMARTCASH_SECURE'] as const;
export type PaymentOptionType = (typeof paymentOptionTypes)[number];

/** The mode of the brand's own wallet contains the brand's slug, so it is not listed here. */
export const cardMode = 'PAYMENT_GATEWAY';
export const airtimeMode = 'AIRTIME';
export const mpesaMode = 'MPESA';
export const smartCashMode = 'SMARTCASH_SECURE';

export function brandMoneyMode(slug: string): string {
  return `${slug.toUpperCase()}_MONEY`;
}
