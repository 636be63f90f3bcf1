import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { httpUrl } from '../../config/value-formats.ts';

export const exchangeSettings = providerSettings({
  variables: {
    EXCHANGE_URL: httpUrl
      .optional()
      .describe('exchange rates (as Open Exchange Rates), for an operator that takes two currencies'),
    EXCHANGE_KEY: z.string().optional().describe('its key'),
    EXCHANGE_MAX_AGE_HOURS: z.coerce
      .number()
      .positive()
      .max(168)
      .default(24)
      .describe('how old a rate may be; an older one is not used'),
  },
  needs: ['EXCHANGE_URL', 'EXCHANGE_KEY'],
  sandbox: (sandbox) => ({
    EXCHANGE_URL: `${sandbox}/exchange/api`,
    EXCHANGE_KEY: 'sandbox-exchange-key',
  }),
  read: (given) => ({ url: given.EXCHANGE_URL, key: given.EXCHANGE_KEY, maxAgeHours: given.EXCHANGE_MAX_AGE_HOURS }),
});
