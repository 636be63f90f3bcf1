import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { PhoneClient } from '../phone/phone-client.fixture.ts';
import { type Sandbox, startSandbox } from '../sandbox.ts';
import { type SmppPdu, type SmppSession, smpp } from './smpp-library.ts';

let sandbox: Sandbox;
let phone: PhoneClient;
const sessions: SmppSession[] = [];

beforeAll(async () => {
  sandbox = await startSandbox({ receiptAfterMs: 5 });
  phone = new PhoneClient(sandbox.http);
});
afterAll(() => sandbox.stop());
beforeEach(async () => {
  await phone.post('/reset');
});
afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});

async function open(): Promise<SmppSession> {
  const session = smpp.connect({ host: '127.0.0.1', port: Number(new URL(sandbox.smpp).port) });
  sessions.push(session);
  session.on('error', () => undefined);
  await once(session, 'connect');
  return session;
}

function call(
  session: SmppSession,
  command: 'bind_transceiver' | 'submit_sm' | 'enquire_link' | 'unbind',
  fields = {},
) {
  return new Promise<SmppPdu>((resolve, reject) => {
    session.once('close', () => reject(new Error('closed without an answer')));
    session[command](fields, resolve);
  });
}

async function bound(): Promise<SmppSession> {
  const session = await open();
  const answer = await call(session, 'bind_transceiver', { system_id: 'sandbox', password: 'sandbox' });
  expect(answer.command_status).toBe(0);
  return session;
}

const code = { source_addr: 'Fanilo', destination_addr: '261390000001', short_message: 'Your code is 123456' };

test('a message arrives on the phone and its delivery receipt comes back', async () => {
  const session = await bound();
  const receipt = once(session, 'deliver_sm');
  const answer = await call(session, 'submit_sm', { ...code, registered_delivery: 1 });
  expect(answer.command_status).toBe(0);
  const [delivered] = (await receipt) as [SmppPdu];
  session.send(delivered.response());
  expect(delivered).toMatchObject({ esm_class: 4, receipted_message_id: answer.message_id, message_state: 2 });
  expect(await phone.messages('390000001')).toMatchObject([
    { id: answer.message_id, from: 'Fanilo', text: code.short_message },
  ]);
});

test('every format of a number finds the same line, newest first', async () => {
  const session = await bound();
  for (const destination_addr of ['+261390000001', '0390000001', '390000001']) {
    await call(session, 'submit_sm', { ...code, destination_addr, short_message: destination_addr });
  }
  const texts = (await phone.messages('0390000001')).map((message) => message.text);
  expect(texts).toEqual(['390000001', '0390000001', '+261390000001']);
  expect((await call(session, 'submit_sm', { ...code, destination_addr: '12' })).command_status).toBe(0x0b);
});

test('GSM and UCS-2 texts arrive, long ones in parts and as payload', async () => {
  const session = await bound();
  const gsm = 'Crédit: 5 000 Ar, à bientôt €';
  await call(session, 'submit_sm', { ...code, short_message: 'Réf [1] €' });
  await call(session, 'submit_sm', { ...code, data_coding: 8, short_message: 'Votre crédit: 1 000 Ar ✓ ñô' });
  const part = (sequence: number, message: string) =>
    call(session, 'submit_sm', {
      ...code,
      data_coding: 8,
      short_message: { udh: Buffer.from([5, 0, 3, 0x2a, 2, sequence]), message },
    });
  await part(2, gsm);
  expect(await phone.messages('390000001')).toHaveLength(2);
  await part(1, 'Reçu. ');
  await call(session, 'submit_sm', { ...code, data_coding: 0, short_message: '', message_payload: 'x'.repeat(400) });
  const texts = (await phone.messages('390000001')).map((message) => message.text);
  expect(texts).toEqual(['x'.repeat(400), `Reçu. ${gsm}`, 'Votre crédit: 1 000 Ar ✓ ñô', 'Réf [1] €']);
});

test('a wrong name or password does not bind, and an unbound session cannot send', async () => {
  const wrongName = await call(await open(), 'bind_transceiver', { system_id: 'other', password: 'sandbox' });
  expect(wrongName.command_status).toBe(0x0d);
  const wrongPassword = await call(await open(), 'bind_transceiver', { system_id: 'sandbox', password: 'no' });
  expect(wrongPassword.command_status).toBe(0x0e);
  expect((await call(await open(), 'submit_sm', code)).command_status).toBe(0x04);
  expect(await phone.messages('390000001')).toEqual([]);
});

test('link enquiries are answered, unbind ends the session', async () => {
  const session = await bound();
  expect((await call(session, 'enquire_link')).command_status).toBe(0);
  const closed = once(session, 'close');
  expect((await call(session, 'unbind')).command_status).toBe(0);
  await closed;
});

test('an unreadable stream ends that connection only', async () => {
  const socket = connect(Number(new URL(sandbox.smpp).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
  await once(socket, 'close');
  expect((await call(await bound(), 'enquire_link')).command_status).toBe(0);
});

test('faults: an error, a refusal, an answer lost after the message arrived, a receipt sent twice', async () => {
  const session = await bound();
  await phone.fault({ provider: 'sms', fault: 'error500', times: 1 });
  expect((await call(session, 'submit_sm', code)).command_status).toBe(0x08);
  await phone.fault({ provider: 'sms', fault: 'refuse', times: 1 });
  expect((await call(session, 'submit_sm', code)).command_status).toBe(0x45);
  expect(await phone.messages('390000001')).toEqual([]);

  await phone.fault({ provider: 'sms', fault: 'duplicateCallback', times: 1 });
  const receipts: SmppPdu[] = [];
  session.on('deliver_sm', (pdu: SmppPdu) => receipts.push(pdu));
  await call(session, 'submit_sm', { ...code, registered_delivery: 1 });
  await expect.poll(() => receipts).toHaveLength(2);

  await phone.fault({ provider: 'sms', fault: 'loseAnswer', times: 1 });
  await expect(call(session, 'submit_sm', code)).rejects.toThrow('closed without an answer');
  expect(await phone.messages('390000001')).toHaveLength(2);
});
