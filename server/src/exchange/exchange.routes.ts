import { parseMajor } from '@portal/domain/money.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import { PortalError } from '../http/portal-error.ts';
import type { Handlers } from '../http/register-calls.ts';
import type { Exchange } from './exchange.service.ts';

export function exchangeHandlers(exchange: Exchange, { currency }: Pick<OperatorPack, 'currency'>): Handlers {
  return {
    async exchangeRate({ query }) {
      const { fromCurrency, toCurrency } = query;
      const price = parseMajor(query.amount, currency.digits);
      if (price === null) throw new PortalError('amountNotInCurrency', { field: 'amount' });
      const { amount, conversion, quote } = await exchange.offer(price, { from: fromCurrency, to: toCurrency });
      const { value: rate, at: rateAt } = conversion;
      return { convertedAmount: amount, fromCurrency, toCurrency, rate, rateAt, quote };
    },
  };
}
