import { z } from 'zod';
import { providerSettings } from '../../config/provider-settings.ts';
import { url } from '../../config/value-formats.ts';

export const mailSettings = providerSettings({
  isNecessary: true,
  variables: {
    SMTP_URL: url(/^smtps?$/, 'smtp://mail.example:587')
      .optional()
      .describe('mail server; TLS is asked for where it is another machine'),
    MAIL_FROM: z.string().optional().describe('sender of mails'),
  },
  needs: ['SMTP_URL', 'MAIL_FROM'],
  sandbox: () => ({
    MAIL_FROM: 'portal@example.com',
  }),
  read: (given) => ({ url: given.SMTP_URL, from: given.MAIL_FROM }),
});
