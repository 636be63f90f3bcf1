import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { httpUrl } from '../../config/value-formats.ts';

export const simSwapSettings = providerSettings({
  variables: {
    SIM_SWAP_URL: httpUrl
      .optional()
      .describe(
        'tells whether a number got another SIM lately (CAMARA SIM Swap, its root); without it nobody is asked',
      ),
    SIM_SWAP_TOKEN_URL: httpUrl.optional().describe('where its access tokens are got (OAuth 2, client credentials)'),
    SIM_SWAP_CLIENT_ID: z.string().optional().describe('its client id'),
    SIM_SWAP_CLIENT_SECRET: z.string().optional().describe('its client secret'),
    SIM_SWAP_LIMIT_MS: z.coerce
      .number()
      .int()
      .min(100)
      .max(600_000)
      .default(800)
      .describe('how long its answer is waited for; a payer waits meanwhile, and is asked for one more code after it'),
  },
  needs: ['SIM_SWAP_URL', 'SIM_SWAP_TOKEN_URL', 'SIM_SWAP_CLIENT_ID', 'SIM_SWAP_CLIENT_SECRET'],
  sandbox: (sandbox) => ({
    SIM_SWAP_URL: `${sandbox}/sim-swap/v1`,
    SIM_SWAP_TOKEN_URL: `${sandbox}/sim-swap/token`,
    SIM_SWAP_CLIENT_ID: 'sandbox-sim-swap-client',
    SIM_SWAP_CLIENT_SECRET: 'sandbox-sim-swap-secret',
  }),
  read: (given) => ({
    url: given.SIM_SWAP_URL,
    tokenUrl: given.SIM_SWAP_TOKEN_URL,
    clientId: given.SIM_SWAP_CLIENT_ID,
    clientSecret: given.SIM_SWAP_CLIENT_SECRET,
    limitMs: given.SIM_SWAP_LIMIT_MS,
  }),
});
