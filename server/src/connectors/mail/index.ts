import { oneLine } from '@portal/domain/printable.ts';
import { createTransport } from 'nodemailer';
import { isLoopbackHost } from '../loopback.ts';
import type { MailSender } from '../ports.ts';

export interface MailSettings {
  url: string;
  from: string;
}

export function mailServer(settings: MailSettings): MailSender {
  const limits = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 15_000 };
  // Mails contain codes and numbers, so a server without TLS gets none, unless it is this machine.
  const requireTLS = !isLoopbackHost(new URL(settings.url).hostname);
  const transport = createTransport({ url: settings.url, requireTLS, ...limits }, { from: settings.from });
  return {
    async send(mail) {
      await transport.sendMail({ from: settings.from, ...mail, subject: oneLine(mail.subject) });
    },
    async close() {
      transport.close();
    },
  };
}
