import type { FastifyInstance } from 'fastify';
import type { SandboxContext } from '../context.ts';
import { withFaults } from '../faults/http-faults.ts';
import { asRecord, asText } from '../wire/json-fields.ts';

const key = 'sandbox-exchange-key';
const hourMs = 3_600_000;

/** Exchange rates in the format of Open Exchange Rates, updated every full hour. */
export function registerExchangeRates(app: FastifyInstance, context: SandboxContext): void {
  const { state, settings } = context;
  app.get(
    '/exchange/api/latest.json',
    withFaults(context, { provider: 'exchange', operation: 'rate', moves: false }, (request, reply, strike) => {
      if (request.headers.authorization !== `Token ${key}`) {
        reply.code(401);
        return { error: true, status: 401, message: 'invalid_app_id', description: 'Invalid App ID provided.' };
      }
      const { base, symbols } = asRecord(request.query);
      const wanted = (asText(symbols) ?? '').split(',');
      // A rate of 0, as real services send when their own source fails.
      const rate = strike.kind === 'wrongAmount' ? 0 : state.exchangeRate;
      const isKnown = base === settings.currency && wanted.includes(settings.secondCurrency ?? '');
      return {
        disclaimer: 'Rates of the sandbox; nobody trades at them.',
        timestamp: Math.floor(Date.now() / hourMs) * (hourMs / 1000),
        base: asText(base) ?? '',
        rates: isKnown ? { [settings.secondCurrency ?? '']: rate } : {},
      };
    }),
  );
}
