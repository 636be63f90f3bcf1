/** An operator with two currencies: prices in US cents, payments in dollars or whole francs. */
export const twoCurrencies = {
  country: 'CD',
  countryCode: '243',
  currency: 'USD',
  currencyDigits: 2,
  secondCurrency: 'CDF',
  nationalPrefix: '095',
};
