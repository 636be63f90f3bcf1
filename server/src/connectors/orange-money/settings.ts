import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { httpUrl, origins } from '../../config/value-formats.ts';

export const orangeMoneySettings = providerSettings({
  variables: {
    ORANGE_URL: httpUrl.optional().describe('Orange Money WebPay'),
    ORANGE_ENVIRONMENT: z
      .string()
      .regex(/^(dev|[a-z]{2})$/, 'must be dev or a country such as mg')
      .optional()
      .describe('its environment: dev, or the country'),
    ORANGE_CLIENT_ID: z.string().optional().describe('its client id'),
    ORANGE_CLIENT_SECRET: z.string().optional().describe('its client secret'),
    ORANGE_MERCHANT_KEY: z.string().optional().describe('its merchant key'),
    ORANGE_CHECKOUT_ORIGINS: origins.optional().describe('where it may send customers, comma-separated'),
  },
  needs: [
    'ORANGE_URL',
    'ORANGE_ENVIRONMENT',
    'ORANGE_CLIENT_ID',
    'ORANGE_CLIENT_SECRET',
    'ORANGE_MERCHANT_KEY',
    'ORANGE_CHECKOUT_ORIGINS',
  ],
  sandbox: (sandbox) => ({
    ORANGE_URL: `${sandbox}/orange`,
    ORANGE_ENVIRONMENT: 'dev',
    ORANGE_CLIENT_ID: 'sandbox-orange-client',
    ORANGE_CLIENT_SECRET: 'sandbox-orange-secret',
    ORANGE_MERCHANT_KEY: 'sandbox-orange-merchant',
    ORANGE_CHECKOUT_ORIGINS: [new URL(sandbox).origin],
  }),
  read: (given) => ({
    url: given.ORANGE_URL,
    environment: given.ORANGE_ENVIRONMENT,
    clientId: given.ORANGE_CLIENT_ID,
    clientSecret: given.ORANGE_CLIENT_SECRET,
    merchantKey: given.ORANGE_MERCHANT_KEY,
    checkoutOrigins: given.ORANGE_CHECKOUT_ORIGINS,
  }),
});
