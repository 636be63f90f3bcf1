/** A line that no other test uses; the sandbox creates it with 10,000 of airtime and 100,000 in the wallet. */
export const freshLine = (): string => `39${String(10_000 + Math.floor(Math.random() * 9_990_000)).padStart(7, '0')}`;

/** The order in the session that is to be paid. */
export const orderFor = (line: string, more: object = {}) => ({
  orderId: Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join(''),
  msisdn: line,
  amount: 1_000,
  currency: 'MGA',
  lineType: 'PREPAID',
  transactionType: 'PREPAID_RECHARGE',
  redirectPage: '/prepaid-recharge',
  ...more,
});

/** The input of somebody who orders home broadband. */
export const leadValues = (number: string) => ({
  fullName: 'Lova Rabe',
  contactNumber: number,
  email: `lead${number}@example.mg`,
  town: 'Antananarivo',
  installationAddress: 'Lot II 12 Analakely',
  consent: true,
});
