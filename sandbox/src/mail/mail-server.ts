import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime, { type Address } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { SandboxContext } from '../context.ts';

class SmtpRefusal extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

/** A mail server that accepts everything and delivers to the sandbox phone. */
export function createMailServer(context: SandboxContext): SMTPServer {
  const server = new SMTPServer({
    name: 'sandbox.local',
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onData: (stream, session, callback) => {
      const dropConnection = () => {
        for (const connection of server.connections) if (connection.id === session.id) connection.close();
      };
      const recipients = session.envelope.rcptTo.map((recipient) => recipient.address);
      receive(context, stream, recipients).then(
        (outcome) => (outcome === 'stored' ? callback() : dropConnection()),
        (error: Error) => callback(error),
      );
    },
  });
  server.on('error', () => undefined);
  return server;
}

async function receive(context: SandboxContext, stream: Readable, recipients: string[]): Promise<'stored' | 'drop'> {
  const strike = context.faults.strikeRequest({ provider: 'mail', operation: 'send', moves: true });
  const raw = await readAll(stream);
  if (strike?.kind === 'timeout') {
    await sleep(strike.delayMs ?? 30_000, undefined, { signal: context.stopping }).catch(() => undefined);
    return 'drop';
  }
  if (strike?.kind === 'error500') throw new SmtpRefusal(451, 'The mail server failed (fault injected)');
  if (strike?.kind === 'refuse') throw new SmtpRefusal(550, 'The mail server refuses this message (fault injected)');
  const email = await PostalMime.parse(raw);
  context.state.mails.add({
    id: randomUUID(),
    at: new Date().toISOString(),
    to: recipients,
    from: addressText(email.from),
    messageId: email.messageId ?? '',
    subject: email.subject ?? '',
    text: (email.text ?? '').trimEnd(),
    html: email.html ?? '',
    attachments: email.attachments.map((attachment) => attachment.filename ?? 'unnamed'),
  });
  return strike?.kind === 'loseAnswer' ? 'drop' : 'stored';
}

async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function addressText(address: Address | undefined): string {
  return address?.address ?? '';
}
