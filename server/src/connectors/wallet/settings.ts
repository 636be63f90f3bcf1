import { providerRefusals } from '@portal/domain/payment/reasons.ts';
import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { httpUrl, jsonObject, list } from '../../config/value-formats.ts';

export const walletSettings = providerSettings({
  isNecessary: true,
  variables: {
    WALLET_URL: httpUrl.optional().describe("the operator's wallet"),
    WALLET_CLIENT_ID: z.string().optional().describe('its client id'),
    WALLET_CLIENT_SECRET: z.string().optional().describe('its client secret'),
    WALLET_CALLBACK_KEYS: list
      .optional()
      .describe('keys its callbacks may be signed with, comma-separated, newest first'),
    WALLET_OAEP_HASH: z.enum(['sha1', 'sha256']).default('sha1').describe('hash of its RSA padding'),
    WALLET_ENQUIRY_STATES_AMOUNT: z
      .enum(['0', '1'])
      .default('0')
      .describe(
        '1 where its enquiry always repeats the amount: one without it then proves nothing; else our own request’s counts',
      ),
    WALLET_CODES: jsonObject(z.enum(providerRefusals), '{"DP00800001010":"walletLocked"}')
      .optional()
      .describe('what its own refusal codes mean, as JSON; they go before the listed ones'),
  },
  needs: ['WALLET_URL', 'WALLET_CLIENT_ID', 'WALLET_CLIENT_SECRET', 'WALLET_CALLBACK_KEYS'],
  sandbox: (sandbox) => ({
    WALLET_URL: `${sandbox}/wallet`,
    WALLET_CLIENT_ID: 'sandbox-wallet-client',
    WALLET_CLIENT_SECRET: 'sandbox-wallet-secret',
    WALLET_CALLBACK_KEYS: ['sandbox-wallet-callback-key'],
  }),
  read: (given) => ({
    url: given.WALLET_URL,
    clientId: given.WALLET_CLIENT_ID,
    clientSecret: given.WALLET_CLIENT_SECRET,
    callbackKeys: given.WALLET_CALLBACK_KEYS,
    oaepHash: given.WALLET_OAEP_HASH,
    statesAmount: given.WALLET_ENQUIRY_STATES_AMOUNT === '1',
    codes: given.WALLET_CODES ?? {},
  }),
});
