import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { filledList, httpUrl, origins } from '../../config/value-formats.ts';

export const cardCheckoutSettings = providerSettings({
  variables: {
    CARD_URL: httpUrl.optional().describe('hosted card checkout (Flutterwave)'),
    CARD_SECRET_KEY: z.string().optional().describe('its secret key'),
    CARD_WEBHOOK_SECRETS: filledList.optional().describe('secrets its webhooks may carry, comma-separated'),
    CARD_CHECKOUT_ORIGINS: origins.optional().describe('where it may send customers, comma-separated'),
  },
  needs: ['CARD_URL', 'CARD_SECRET_KEY', 'CARD_WEBHOOK_SECRETS', 'CARD_CHECKOUT_ORIGINS'],
  sandbox: (sandbox) => ({
    CARD_URL: `${sandbox}/card`,
    CARD_SECRET_KEY: 'FLWSECK_TEST-sandbox',
    CARD_WEBHOOK_SECRETS: ['sandbox-card-webhook-secret'],
    CARD_CHECKOUT_ORIGINS: [new URL(sandbox).origin],
  }),
  read: (given) => ({
    url: given.CARD_URL,
    secretKey: given.CARD_SECRET_KEY,
    webhookSecrets: given.CARD_WEBHOOK_SECRETS,
    checkoutOrigins: given.CARD_CHECKOUT_ORIGINS,
  }),
});
