import smpp, { type Session } from 'smpp';
import type { SmsSender } from '../ports.ts';

export interface SmsSettings {
  url: string;
  systemId: string;
  password: string;
  sender: string;
}

const answerMs = 10_000;
const enquireLinkMs = 30_000;
const gsm7 = /^[\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Z_a-z£¥§¿¡äöñüàèéùìòÄÖÑÜÉåÅæÆøØß]*$/;

/** An SMS centre over SMPP 3.4: one transceiver session, bound at the first message and again after it is lost. */
export function smsCentre(settings: SmsSettings): SmsSender {
  let bound: Promise<Session> | null = null;
  let keepAlive: NodeJS.Timeout | undefined;

  function drop(session: Session) {
    clearInterval(keepAlive);
    bound = null;
    session.destroy();
  }

  function bind(): Promise<Session> {
    return new Promise((resolve, reject) => {
      // Debug output would print every code that is sent.
      const session = smpp.connect({ url: settings.url, connectTimeout: 5_000, debug: false });
      const fail = (why: string) => {
        drop(session);
        reject(new Error(why));
      };
      const timer = setTimeout(() => fail('the SMS centre did not answer the bind'), answerMs);
      session.on('error', () => fail('the connection to the SMS centre failed'));
      session.on('close', () => fail('the SMS centre closed the connection'));
      session.on('pdu', (pdu: { command: string; response(): never }) => {
        if (['deliver_sm', 'enquire_link', 'unbind'].includes(pdu.command)) session.send(pdu.response());
      });
      session.on('connect', () => {
        session.bind_transceiver({ system_id: settings.systemId, password: settings.password }, (answer) => {
          clearTimeout(timer);
          if (answer.command_status !== 0) return fail(`the SMS centre refused the bind (${answer.command_status})`);
          keepAlive = setInterval(() => session.enquire_link(), enquireLinkMs).unref();
          resolve(session);
        });
      });
    });
  }

  return {
    async send({ to, text }) {
      bound ??= bind();
      const session = await bound;
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          drop(session);
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
    },

    async close() {
      const session = await bound?.catch(() => null);
      if (!session) return;
      clearInterval(keepAlive);
      await new Promise<void>((resolve) => {
        setTimeout(resolve, 500).unref();
        session.unbind(() => resolve());
      });
      session.destroy();
    },
  };
}

/** Texts longer than one message travel whole in message_payload; the centre cuts them for the air. */
function encode(text: string): Record<string, unknown> {
  const plain = gsm7.test(text);
  const fits = plain ? text.length <= 160 : text.length <= 70;
  const message = { message: text };
  return {
    data_coding: plain ? 0 : 8,
    ...(fits ? { short_message: message } : { message_payload: message, short_message: '' }),
  };
}
