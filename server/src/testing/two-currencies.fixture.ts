/** The operator with two currencies: prices in cents of a dollar, paid in dollars or in whole francs. */
export const twoCurrencies = {
  country: 'CD',
  countryCode: '243',
  currency: 'USD',
  currencyDigits: 2,
  secondCurrency: 'CDF',
  nationalPrefix: '095',
};
