import smpp, { type Pdu, type Session } from 'smpp';
import type { SmsSender } from '../ports.ts';

export interface SmsSettings {
  url: string;
  systemId: string;
  password: string;
  sender: string;
  /** Called with the delivery receipt of a message; one of the states of the protocol. */
  receipt?: (state: ReceiptState) => void;
  /** The interval of the session's keep-alive. */
  enquireLinkMs?: number;
}

const answerMs = 10_000;
/** The number of unacknowledged messages; others queue. */
const windowSize = 10;
/** `message_state` of a receipt. */
const receiptStates = new Map([
  [2, 'delivered'],
  [3, 'expired'],
  [4, 'deleted'],
  [5, 'undeliverable'],
  [8, 'rejected'],
] as const);
export type ReceiptState = 'delivered' | 'expired' | 'deleted' | 'undeliverable' | 'rejected' | 'other';
const gsm7 = /^[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z£¥§¿¡äöñüàèéùìòÄÖÑÜÉåÅæÆøØß]*$/;

/** An SMS centre over SMPP 3.4: one transceiver session, bound with the first message and again after it is lost. */
export function smsCentre(settings: SmsSettings): SmsSender {
  // The library uses another scheme for TLS, and treats every other as plain text.
  const isEncrypted = settings.url.startsWith('smpps:');
  const url = settings.url.replace(/^smpps:/, 'ssmpp:');
  let bound: Promise<Session> | null = null;
  const ends = new WeakMap<Session, () => void>();

  /** A session that ends clears only itself, never a newer one that was bound meanwhile. */
  function bind(): Promise<Session> {
    const binding = new Promise<Session>((resolve, reject) => {
      // Debug output would print every code that is sent.
      const session = smpp.connect({ url, connectTimeout: 5_000, debug: false });
      let keepAlive: NodeJS.Timeout | undefined;
      let isAwaitingReply = false;
      const end = (why: string) => {
        clearTimeout(timer);
        clearInterval(keepAlive);
        if (bound === binding) bound = null;
        session.destroy();
        reject(new Error(why));
      };
      const timer = setTimeout(() => end('the SMS centre did not answer the bind'), answerMs);
      ends.set(session, () => end('the SMS centre did not answer'));
      session.on('error', () => end('the connection to the SMS centre failed'));
      session.on('close', () => end('the SMS centre closed the connection'));
      session.on('pdu', (pdu: Pdu) => {
        if (pdu.command === 'deliver_sm' && pdu.message_state !== undefined)
          settings.receipt?.(receiptStates.get(pdu.message_state as never) ?? 'other');
        if (['deliver_sm', 'enquire_link', 'unbind'].includes(pdu.command)) session.send(pdu.response());
      });
      // With TLS, nothing is sent before the handshake has authenticated the server.
      session.on(isEncrypted ? 'secureConnect' : 'connect', () => {
        session.bind_transceiver({ system_id: settings.systemId, password: settings.password }, (answer) => {
          clearTimeout(timer);
          if (answer.command_status !== 0) return end(`the SMS centre refused the bind (${answer.command_status})`);
          keepAlive = setInterval(() => {
            // The previous keep-alive was not answered within the interval.
            if (isAwaitingReply) return end('the SMS centre does not answer any more');
            isAwaitingReply = true;
            session.enquire_link(() => {
              isAwaitingReply = false;
            });
          }, settings.enquireLinkMs ?? 30_000).unref();
          resolve(session);
        });
      });
    });
    return binding;
  }

  const waiting: (() => void)[] = [];
  let places = windowSize;
  async function inWindow<T>(act: () => Promise<T>): Promise<T> {
    if (places > 0) places -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else places += 1;
    }
  }

  async function submit({ to, text }: { to: string; text: string }): Promise<{ messageId: string }> {
    bound ??= bind();
    const session = await bound;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        ends.get(session)?.();
        reject(new Error('the SMS centre did not answer'));
      }, answerMs);
      session.submit_sm(
        {
          source_addr: settings.sender,
          source_addr_ton: 5,
          destination_addr: to,
          dest_addr_ton: 1,
          dest_addr_npi: 1,
          registered_delivery: 1,
          ...encode(text),
        },
        (answer) => {
          clearTimeout(timer);
          if (answer.command_status === 0) resolve({ messageId: answer.message_id ?? '' });
          else reject(new Error(`the SMS centre refused the message (${answer.command_status})`));
        },
      );
    });
  }

  return {
    send: (message) => inWindow(() => submit(message)),

    async close() {
      const session = await bound?.catch(() => null);
      if (!session) return;
      await new Promise<void>((resolve) => {
        setTimeout(resolve, 500).unref();
        session.unbind(() => resolve());
      });
      ends.get(session)?.();
    },
  };
}

/** Long texts are sent whole in message_payload; the centre splits them. */
function encode(text: string): Record<string, unknown> {
  const plain = gsm7.test(text);
  const fits = plain ? text.length <= 160 : text.length <= 70;
  const message = { message: text };
  return {
    data_coding: plain ? 0 : 8,
    ...(fits ? { short_message: message } : { message_payload: message, short_message: '' }),
  };
}
