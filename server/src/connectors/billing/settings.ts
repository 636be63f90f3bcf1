import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { httpUrl } from '../../config/value-formats.ts';

export const billingSettings = providerSettings({
  isNecessary: true,
  variables: {
    BILLING_URL: httpUrl.optional().describe('billing system (TMF666, TMF676, TMF678)'),
    BILLING_KEY: z.string().optional().describe('its bearer key'),
  },
  needs: ['BILLING_URL', 'BILLING_KEY'],
  sandbox: (sandbox) => ({
    BILLING_URL: `${sandbox}/billing`,
    BILLING_KEY: 'sandbox-billing-key',
  }),
  read: (given) => ({ url: given.BILLING_URL, key: given.BILLING_KEY }),
});
