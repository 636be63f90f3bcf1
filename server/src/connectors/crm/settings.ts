import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { httpUrl } from '../../config/value-formats.ts';

export const crmSettings = providerSettings({
  variables: {
    CRM_URL: httpUrl
      .optional()
      .describe('CRM for leads and their orders (TMF699, TMF622); without it they go by mail or are only kept'),
    CRM_KEY_ID: z.string().optional().describe('the name of its signing key'),
    CRM_SECRET: z.string().optional().describe('the key requests to it are signed with'),
  },
  needs: ['CRM_URL', 'CRM_KEY_ID', 'CRM_SECRET'],
  sandbox: (sandbox) => ({
    CRM_URL: `${sandbox}/crm`,
    CRM_KEY_ID: 'sandbox-crm-key',
    CRM_SECRET: 'sandbox-crm-secret',
  }),
  read: (given) => ({ url: given.CRM_URL, keyId: given.CRM_KEY_ID, secret: given.CRM_SECRET }),
});
