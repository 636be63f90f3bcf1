export const portalCalls = '/orp/bfe/api/portal-service/transaction/v1';

/** A recharge of a sandbox line, paid by the brand's wallet. */
export function orderFor(line: number): object {
  const number = `039${String(line).padStart(7, '0')}`;
  return {
    paymentMobile: number,
    amount: 1_000,
    countryCode: '261',
    currencyCode: 'MGA',
    emailId: '',
    mobileNumber: number,
    productCode: '',
    paymentGateway: 'FANILO_MONEY',
    transactionType: 'PREPAID_RECHARGE',
    unit: 1,
    loggedInNumber: number,
    accountId: '',
    accountType: 'PREPAID',
    invoiceNumber: '',
    paymentMode: 'FANILO_MONEY',
  };
}
