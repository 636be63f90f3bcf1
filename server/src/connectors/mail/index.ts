import { oneLine } from '@portal/domain/printable.ts';
import { createTransport } from 'nodemailer';
import type { MailSender } from '../ports.ts';

export interface MailSettings {
  url: string;
  from: string;
}

export function mailServer(settings: MailSettings): MailSender {
  const limits = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 15_000 };
  const transport = createTransport(settings.url, { from: settings.from, ...limits });
  return {
    async send(mail) {
      await transport.sendMail({ from: settings.from, ...mail, subject: oneLine(mail.subject) });
    },
    async close() {
      transport.close();
    },
  };
}
