import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { httpUrl } from '../../config/value-formats.ts';

export const qualificationSettings = providerSettings({
  variables: {
    QUALIFICATION_URL: httpUrl
      .optional()
      .describe('tells where home broadband can be installed (TMF645); without it the list of towns does'),
    QUALIFICATION_KEY: z.string().optional().describe('its bearer key'),
  },
  needs: ['QUALIFICATION_URL', 'QUALIFICATION_KEY'],
  sandbox: (sandbox) => ({
    QUALIFICATION_URL: `${sandbox}/qualification`,
    QUALIFICATION_KEY: 'sandbox-qualification-key',
  }),
  read: (given) => ({ url: given.QUALIFICATION_URL, key: given.QUALIFICATION_KEY }),
});
