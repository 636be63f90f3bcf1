import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { url } from '../../config/value-formats.ts';

export const smsSettings = providerSettings({
  isNecessary: true,
  variables: {
    SMPP_URL: url(/^smpps?$/, 'smpp://smsc.example:2775')
      .optional()
      .describe('SMS centre; in production smpps:// where it is another machine'),
    SMPP_SYSTEM_ID: z.string().optional().describe('its user'),
    SMPP_PASSWORD: z.string().optional().describe('its password'),
  },
  needs: ['SMPP_URL', 'SMPP_SYSTEM_ID', 'SMPP_PASSWORD'],
  sandbox: () => ({
    SMPP_SYSTEM_ID: 'sandbox',
    SMPP_PASSWORD: 'sandbox',
  }),
  read: (given) => ({ url: given.SMPP_URL, systemId: given.SMPP_SYSTEM_ID, password: given.SMPP_PASSWORD }),
});
