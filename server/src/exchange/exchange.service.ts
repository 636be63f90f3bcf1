import { type Conversion, convertAmount, type ExchangeRate } from '@portal/domain/exchange.ts';
import type { OperatorPack } from '@portal/domain/operator.ts';
import type { ExchangeRates } from '../connectors/ports.ts';
import { PortalError } from '../http/portal-error.ts';
import type { SealedTokens } from '../http/sealed-token.ts';

/** A price in the second currency, with a promise to charge exactly that. */
export interface Offer {
  conversion: Conversion;
  /** In the second currency's minor units. */
  amount: number;
  /** A sealed token that the payer sends back and cannot alter. */
  quote: string;
}

export interface Exchange {
  offer(price: number, pair: { from: string; to: string }): Promise<Offer>;
  /** Opens a promise; null if it is not ours or expired. */
  honour(quote: string): Omit<Offer, 'quote'> | null;
}

interface Dependencies {
  pack: Pick<OperatorPack, 'currency' | 'secondCurrency'>;
  rates: ExchangeRates | null;
  tokens: SealedTokens;
}

const purpose = 'exchange';
/** How long a payment page may stay open. After that it fetches the rate again. */
const quoteSeconds = 15 * 60;

export function createExchange({ pack, rates, tokens }: Dependencies): Exchange {
  const { currency, secondCurrency } = pack;

  function converted(price: number, rate: ExchangeRate): Omit<Offer, 'quote'> {
    const digits = { from: currency.digits, to: secondCurrency?.digits ?? 0 };
    return { conversion: { ...rate, price }, amount: convertAmount(price, rate.value, digits) };
  }

  return {
    async offer(price, { from, to }) {
      if (!rates || from !== currency.code || to !== secondCurrency?.code)
        throw new PortalError('currenciesNotExchanged', { field: 'toCurrency' });
      const found = await rates.rate(from, to);
      if (found.kind === 'unclear') throw new PortalError('exchangeFailed');
      const { conversion, amount } = converted(price, found.rate);
      return { conversion, amount, quote: tokens.seal(purpose, conversion, quoteSeconds) };
    },

    honour(quote) {
      const conversion = tokens.open(purpose, quote) as Conversion | null;
      return conversion && conversion.to === secondCurrency?.code ? converted(conversion.price, conversion) : null;
    },
  };
}
