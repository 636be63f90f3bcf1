import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { httpUrl, timeZone } from '../../config/value-formats.ts';

export const mpesaSettings = providerSettings({
  variables: {
    MPESA_URL: httpUrl.optional().describe('M-Pesa (Daraja)'),
    MPESA_CONSUMER_KEY: z.string().optional().describe('its consumer key'),
    MPESA_CONSUMER_SECRET: z.string().optional().describe('its consumer secret'),
    MPESA_SHORTCODE: z
      .string()
      .regex(/^\d{5,7}$/, 'must have 5 to 7 digits')
      .optional()
      .describe('the short code that is paid'),
    MPESA_PASSKEY: z.string().optional().describe('the pass key of the short code'),
    MPESA_INITIATOR: z.string().optional().describe('who may reverse payments'),
    MPESA_SECURITY_CREDENTIAL: z.string().optional().describe("that user's password, locked by its certificate"),
    MPESA_TIME_ZONE: timeZone.default('Africa/Nairobi').describe('the clock it runs on'),
  },
  needs: [
    'MPESA_URL',
    'MPESA_CONSUMER_KEY',
    'MPESA_CONSUMER_SECRET',
    'MPESA_SHORTCODE',
    'MPESA_PASSKEY',
    'MPESA_INITIATOR',
    'MPESA_SECURITY_CREDENTIAL',
  ],
  sandbox: (sandbox) => ({
    MPESA_URL: `${sandbox}/mpesa`,
    MPESA_CONSUMER_KEY: 'sandbox-mpesa-key',
    MPESA_CONSUMER_SECRET: 'sandbox-mpesa-secret',
    MPESA_SHORTCODE: '174379',
    MPESA_PASSKEY: 'sandbox-mpesa-passkey',
    MPESA_INITIATOR: 'sandbox-initiator',
    MPESA_SECURITY_CREDENTIAL: 'sandbox-mpesa-credential',
  }),
  read: (given) => ({
    url: given.MPESA_URL,
    consumerKey: given.MPESA_CONSUMER_KEY,
    consumerSecret: given.MPESA_CONSUMER_SECRET,
    shortCode: given.MPESA_SHORTCODE,
    passkey: given.MPESA_PASSKEY,
    initiator: given.MPESA_INITIATOR,
    securityCredential: given.MPESA_SECURITY_CREDENTIAL,
    timeZone: given.MPESA_TIME_ZONE,
  }),
});
