import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { httpUrl } from '../../config/value-formats.ts';

export const openidSettings = providerSettings({
  variables: {
    CONSOLE_OPENID_URL: httpUrl
      .optional()
      .describe(
        'OpenID provider (its issuer) at which the operator’s people sign in; without it CONSOLE_SIGN_IN=passkeys opens the console',
      ),
    CONSOLE_OPENID_CLIENT_ID: z.string().optional().describe('the console’s client id there'),
    CONSOLE_OPENID_CLIENT_SECRET: z.string().optional().describe('its client secret'),
    CONSOLE_OPENID_ROLES_CLAIM: z
      .string()
      .default('roles')
      .describe('claim of the ID token that lists somebody’s roles: care, finance, editor, publisher, operator, admin'),
    CONSOLE_OPENID_SCOPES: z.string().default('openid email profile roles').describe('scopes that are asked for'),
  },
  needs: ['CONSOLE_OPENID_URL', 'CONSOLE_OPENID_CLIENT_ID', 'CONSOLE_OPENID_CLIENT_SECRET'],
  sandbox: (sandbox) => ({
    CONSOLE_OPENID_URL: `${sandbox}/openid`,
    CONSOLE_OPENID_CLIENT_ID: 'console',
    CONSOLE_OPENID_CLIENT_SECRET: 'sandbox-console-secret',
  }),
  read: (given) => ({
    issuer: given.CONSOLE_OPENID_URL,
    clientId: given.CONSOLE_OPENID_CLIENT_ID,
    clientSecret: given.CONSOLE_OPENID_CLIENT_SECRET,
    rolesClaim: given.CONSOLE_OPENID_ROLES_CLAIM,
    scopes: given.CONSOLE_OPENID_SCOPES,
  }),
});
