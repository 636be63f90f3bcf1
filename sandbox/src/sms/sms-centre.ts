import { randomUUID } from 'node:crypto';
import type { SandboxContext } from '../context.ts';
import { Timers } from '../state/timers.ts';
import { MessageParts } from './message-parts.ts';
import { type SmppPdu, type SmppServer, type SmppSession, smpp } from './smpp-library.ts';

const systemId = 'sandbox';
const password = 'sandbox';
const defaultLateMs = 10_000;

const status = {
  notBound: 0x04,
  systemError: 0x08,
  invalidDestination: 0x0b,
  bindFailed: 0x0d,
  invalidPassword: 0x0e,
  submitFailed: 0x45,
} as const;

const esmClassReceipt = 0x04;
const stateDelivered = 2;

type Role = 'transceiver' | 'transmitter' | 'receiver';

/** An SMS centre: takes messages from bound clients, shows them on the sandbox phone and sends delivery receipts. */
export function createSmsCentre(context: SandboxContext): SmppServer {
  const parts = new MessageParts();
  const roles = new Map<SmppSession, Role>();
  const timers = new Timers();
  context.state.onReset(() => parts.reset());
  context.stopping.addEventListener('abort', () => timers.clear());

  const bind = (session: SmppSession, pdu: SmppPdu, role: Role) => {
    if (pdu.system_id !== systemId || pdu.password !== password) {
      const command_status = pdu.system_id === systemId ? status.invalidPassword : status.bindFailed;
      session.send(pdu.response({ command_status }));
      session.close();
      return;
    }
    roles.set(session, role);
    session.send(pdu.response({ system_id: 'SANDBOX' }));
  };

  const sendReceipt = (session: SmppSession, pdu: SmppPdu, messageId: string) => {
    const canReceive = (candidate: SmppSession) => ['transceiver', 'receiver'].includes(roles.get(candidate) ?? '');
    const receiver = canReceive(session) ? session : [...roles.keys()].find(canReceive);
    receiver?.deliver_sm(receiptFields(pdu, messageId));
  };

  const scheduleReceipt = (session: SmppSession, pdu: SmppPdu, messageId: string) => {
    if (((pdu.registered_delivery ?? 0) & 0x03) !== 1) return;
    const strike = context.faults.strikeCallback('sms');
    const late = strike?.kind === 'lateCallback' || strike?.kind === 'reorderCallbacks';
    const delay = late ? (strike.delayMs ?? defaultLateMs) : context.settings.receiptAfterMs;
    const copies = strike?.kind === 'duplicateCallback' ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) timers.later(delay, () => sendReceipt(session, pdu, messageId));
  };

  const submit = (session: SmppSession, pdu: SmppPdu) => {
    const role = roles.get(session);
    if (role !== 'transceiver' && role !== 'transmitter') {
      session.send(pdu.response({ command_status: status.notBound }));
      return;
    }
    const strike = context.faults.strikeRequest({ provider: 'sms', operation: 'submit', moves: true });
    const number = context.numbers.line(pdu.destination_addr ?? '');
    if (strike?.kind === 'timeout') return timers.later(strike.delayMs ?? 30_000, () => session.destroy());
    if (strike?.kind === 'error500') return session.send(pdu.response({ command_status: status.systemError }));
    if (strike?.kind === 'refuse') return session.send(pdu.response({ command_status: status.submitFailed }));
    if (number === undefined) return session.send(pdu.response({ command_status: status.invalidDestination }));
    if (context.state.line(number)?.refusesMessages)
      return session.send(pdu.response({ command_status: status.submitFailed }));
    const messageId = randomUUID();
    const text = parts.join(pdu);
    if (text !== undefined) {
      const at = new Date().toISOString();
      context.state.messages.add(number, { id: messageId, at, from: pdu.source_addr ?? '', text });
    }
    if (strike?.kind === 'loseAnswer') return session.destroy();
    session.send(pdu.response({ message_id: messageId }));
    scheduleReceipt(session, pdu, messageId);
  };

  return smpp.createServer((session) => {
    // After an invalid PDU the stream has no known boundary, and an unhandled error would end the process.
    session.on('error', () => session.destroy());
    session.on('close', () => roles.delete(session));
    session.on('bind_transceiver', (pdu: SmppPdu) => bind(session, pdu, 'transceiver'));
    session.on('bind_transmitter', (pdu: SmppPdu) => bind(session, pdu, 'transmitter'));
    session.on('bind_receiver', (pdu: SmppPdu) => bind(session, pdu, 'receiver'));
    session.on('submit_sm', (pdu: SmppPdu) => submit(session, pdu));
    session.on('enquire_link', (pdu: SmppPdu) => session.send(pdu.response()));
    session.on('unknown', (pdu: SmppPdu) => session.send(pdu.response()));
    session.on('unbind', (pdu: SmppPdu) => {
      session.send(pdu.response());
      session.close();
    });
  });
}

function receiptFields(pdu: SmppPdu, messageId: string): Record<string, unknown> {
  const date = new Date().toISOString().replace(/\D/g, '').slice(2, 12);
  return {
    source_addr: pdu.destination_addr,
    destination_addr: pdu.source_addr,
    esm_class: esmClassReceipt,
    receipted_message_id: messageId,
    message_state: stateDelivered,
    short_message: `id:${messageId} sub:001 dlvrd:001 submit date:${date} done date:${date} stat:DELIVRD err:000 text:`,
  };
}
