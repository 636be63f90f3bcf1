import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { httpUrl, jsonObject } from '../../config/value-formats.ts';
import { defaultHeaders, defaultPaths } from './client.ts';
import { defaultCodes, smartcashMeanings } from './messages.ts';

export const smartcashSettings = providerSettings({
  variables: {
    SMARTCASH_URL: httpUrl.optional().describe('SmartCash'),
    SMARTCASH_CLIENT_ID: z.string().optional().describe('its client id'),
    SMARTCASH_CLIENT_SECRET: z.string().optional().describe('its client secret'),
    SMARTCASH_OAEP_HASH: z.enum(['sha1', 'sha256']).default('sha1').describe('hash of its RSA padding'),
    SMARTCASH_PATHS: jsonObject(z.string().startsWith('/', 'must begin with /'), '{"token":"/oauth/token"}')
      .refine(
        (paths) => Object.keys(paths).every((name) => name in defaultPaths),
        `may name ${Object.keys(defaultPaths).join(', ')}`,
      )
      .optional()
      .describe('paths that differ from those of the sandbox, as JSON'),
    SMARTCASH_HEADERS: jsonObject(z.string(), '{"authorization":"Bearer {token}"}')
      .optional()
      .describe('its headers by name, as JSON; {token}, {country} and {currency} are filled in'),
    SMARTCASH_CODES: jsonObject(z.enum(smartcashMeanings), '{"56D005":"wrongPin"}')
      .optional()
      .describe('what each of its codes means, as JSON; a code that is not listed proves nothing'),
  },
  needs: ['SMARTCASH_URL', 'SMARTCASH_CLIENT_ID', 'SMARTCASH_CLIENT_SECRET'],
  sandbox: (sandbox) => ({
    SMARTCASH_URL: `${sandbox}/smartcash`,
    SMARTCASH_CLIENT_ID: 'sandbox-smartcash-client',
    SMARTCASH_CLIENT_SECRET: 'sandbox-smartcash-secret',
  }),
  read: (given) => ({
    url: given.SMARTCASH_URL,
    clientId: given.SMARTCASH_CLIENT_ID,
    clientSecret: given.SMARTCASH_CLIENT_SECRET,
    oaepHash: given.SMARTCASH_OAEP_HASH,
    paths: { ...defaultPaths, ...given.SMARTCASH_PATHS },
    headers: given.SMARTCASH_HEADERS ?? defaultHeaders,
    codes: given.SMARTCASH_CODES ?? defaultCodes,
  }),
});
