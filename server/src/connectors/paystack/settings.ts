import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { filledList, httpUrl } from '../../config/value-formats.ts';

export const paystackSettings = providerSettings({
  variables: {
    PAYSTACK_URL: httpUrl.optional().describe('Paystack'),
    PAYSTACK_SECRET_KEYS: filledList
      .optional()
      .describe('its secret keys, comma-separated, newest first; webhooks may be signed with any of them'),
    PAYSTACK_PUBLIC_KEY: z.string().optional().describe('its public key, for the popup'),
    PAYSTACK_SCRIPT_URL: httpUrl.optional().describe("the popup's script"),
    PAYSTACK_MODE: z.enum(['test', 'live']).optional().describe('payments of the other mode are no money'),
  },
  needs: ['PAYSTACK_URL', 'PAYSTACK_SECRET_KEYS', 'PAYSTACK_PUBLIC_KEY', 'PAYSTACK_SCRIPT_URL', 'PAYSTACK_MODE'],
  sandbox: (sandbox) => ({
    PAYSTACK_URL: `${sandbox}/paystack`,
    PAYSTACK_SECRET_KEYS: ['sk_test_sandbox'],
    PAYSTACK_PUBLIC_KEY: 'pk_test_sandbox',
    PAYSTACK_SCRIPT_URL: `${sandbox}/paystack/inline.js`,
    PAYSTACK_MODE: 'test' as const,
  }),
  read: (given) => ({
    url: given.PAYSTACK_URL,
    secretKeys: given.PAYSTACK_SECRET_KEYS,
    publicKey: given.PAYSTACK_PUBLIC_KEY,
    scriptUrl: given.PAYSTACK_SCRIPT_URL,
    mode: given.PAYSTACK_MODE,
  }),
});
